"""Running scenes of worlds in 3D: their outcome, meshes beside them, mistakes."""
import os

from support import Case, call, main

SCENE = """-- Boxes and balls fall on a floor of triangles.
local n = param("n", 6, "number of bodies")
world { dim = 3, h = 2e-3, t_end = 0.4, gravity = {0, 0, -9.81} }
law { friction = 0.5 }
local floor = body { shape = mesh { file = "meshes/floor.stl" }, fixed = true }
local shapes = { sphere { radius = 0.1 }, box { 0.2, 0.2, 0.2 } }
for i = 0, n - 1 do
  body { shape = shapes[i % 2 + 1], density = 1000, position = { 0.3 * (i % 3) - 0.3, 0.3 * (i // 3) - 0.2, 0.105 } }
end
at_end(function()
  report("force", measure.force_on(floor))
  report("fraction", measure.solid_fraction { min = {-1, -1, 0}, max = {1, 1, 0.5} })
end)
"""

CORNERS = [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]


def stl():
    """A square of two triangles."""
    text = "solid floor\n"
    for face in ((0, 1, 2), (0, 2, 3)):
        text += " facet normal 0 0 1\n  outer loop\n"
        text += "".join("   vertex {} {} {}\n".format(*CORNERS[k]) for k in face)
        text += "  endloop\n endfacet\n"
    return text + "endsolid floor\n"


class Worlds3D(Case):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("deep/meshes"))
        self.path("deep/meshes/floor.stl", stl())
        self.path("deep/pile.lua", SCENE)

    def test_outcome(self):
        r = self.json("run", "deep/pile.lua", "--quiet")
        self.assertEqual((r["status"], r["kind"], r["steps"], r["bodies"]), ("ok", "world", 200, 7))
        self.assertEqual(r["solver"]["unconverged_steps"], 0)
        # three balls and three cubes have come to rest: the floor carries them
        weight = 9.81 * 1000 * 3 * (4 / 3 * 3.141592653589793 * 1e-3 + 8e-3)
        self.assertAlmostEqual(r["report"]["force"][2], -weight, delta=1e-4 * weight)
        # all inside the region, but for what they sink in: a step of the velocity of the fall of 5 mm, at most
        step = (2 * 9.81 * 0.005) ** 0.5 * 2e-3
        volume, contact = weight / 9810, 3 * 0.04 + 3 * 3.15 * 0.2 * step
        self.assertLessEqual(r["report"]["fraction"], volume / 2 + 1e-12)
        self.assertGreaterEqual(r["report"]["fraction"], (volume - contact * step) / 2)
        energy = r["energy"]
        self.assertLess(abs(energy["balance_error"]), 1e-9)
        self.assertGreater(energy["dissipated_impact"], 0)

    def test_hash_does_not_depend_on_threads(self):
        hashes = {self.json("run", "deep/pile.lua", "--quiet", "--threads", n)["hash"] for n in (1, 2, 4)}
        self.assertEqual(len(hashes), 1)
        other = self.json("run", "deep/pile.lua", "--quiet", "--set", "n=5")["hash"]
        self.assertNotIn(other, hashes)

    def test_mesh_is_looked_for_beside_the_scene(self):
        # from another folder the same file is found
        first = self.json("run", "deep/pile.lua", "--quiet")["hash"]
        second = self.json("run", os.path.join(self.folder, "deep", "pile.lua"), "--quiet")["hash"]
        self.assertEqual(first, second)
        os.rename(self.path("deep/meshes"), self.path("meshes"))
        done = self.moreau("run", "deep/pile.lua", expect=3)
        self.assertIn("deep/pile.lua:5", done.stderr)
        self.assertIn("cannot open deep/meshes/floor.stl", done.stderr)

    def test_a_run_resumed_elsewhere_without_its_scene_finds_its_mesh(self):
        whole = self.hash("deep/pile.lua")
        for start, scene, run in ((".", "deep/pile.lua", "one.h5"), ("deep", "pile.lua", "two.h5")):
            file = self.path(run)
            done = call("run", scene, "--until", "0.1", "-o", file, "--quiet", cwd=self.path(start))
            self.assertEqual(done.returncode, 0, done.stderr)
            os.makedirs(self.path("elsewhere"), exist_ok=True)
            # twice: the file that is gone on with says it too
            for end in (("--until", "0.2"), ()):
                done = call("run", "--resume", file, *end, "--quiet", "--hash", cwd=self.path("elsewhere"))
                self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.strip(), whole)

    def test_a_run_whose_folder_is_gone_looks_in_the_present_one(self):
        whole = self.hash("deep/pile.lua")
        self.moreau("run", "deep/pile.lua", "--until", "0.1", "-o", "run.h5", "--quiet")
        os.rename(self.path("deep"), self.path("moved"))
        done = call("run", "--resume", self.path("run.h5"), "--quiet", "--hash", cwd=self.path("moved"))
        self.assertEqual((done.returncode, done.stdout.strip()), (0, whole), done.stderr)

    def test_mistakes_in_a_mesh_name_both_files(self):
        self.path("deep/meshes/floor.stl", stl().replace("vertex 1 1 0", "vertex 1 one 0", 1))
        done = self.moreau("run", "deep/pile.lua", expect=3)
        self.assertIn("deep/pile.lua:5", done.stderr)
        self.assertIn("deep/meshes/floor.stl:6: ", done.stderr)

    def test_wrong_dimension(self):
        self.path("flat.lua", "world { dim = 3, h = 1e-3, t_end = 1 }\n\nbody { shape = disc { radius = 1 }, mass = 1 }\n")
        done = self.moreau("run", "flat.lua", expect=3)
        for word in ("flat.lua:3", "body.shape", "disc", "dim = 3"):
            self.assertIn(word, done.stderr)

    def test_motion_that_fails_later(self):
        self.path("late.lua", "world { dim = 3, h = 1e-3, t_end = 1 }\n"
                              "body { shape = box {1, 1, 1}, motion = function(t)\n"
                              "  return { rotation = t < 0.5 and {0, 0, t} or {0, t} } end }\n")
        r = self.json("run", "late.lua", "--quiet", expect=3)
        self.assertIn("rotation", r["status"])


if __name__ == "__main__":
    main()
