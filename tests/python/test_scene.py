"""Scenes: the same bits as the program, stepping, worlds on the way, files, errors."""
import json
import os
import subprocess
import tempfile
import unittest

import moreau
import numpy as np

PROGRAM = os.environ.get("MOREAU", "moreau")


# the program brings its own sanitizer
PLAIN = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}


def program(*arguments):
    done = subprocess.run([PROGRAM, "run", *arguments, "--json", "--quiet"], capture_output=True, text=True, env=PLAIN)
    return json.loads(done.stdout.splitlines()[-1])


class Bits(unittest.TestCase):
    def test_same_as_the_program(self):
        for scene, keys, seed, steps in (("cradle", {}, 1, 200), ("sandpile", {}, 7, 60), ("slope3d", {}, 1, 50),
                                         ("bouncing-ball", {}, 1, None), ("tractrix", {}, 1, None)):
            limit = [] if steps is None else ["--steps", str(steps)]
            theirs = program(scene, "--seed", str(seed), *limit, *[x for k, v in keys.items() for x in ("--set", f"{k}={v}")])
            s = moreau.load(scene, set=keys, seed=seed, steps=steps, message=None)
            try:
                ours = s.run()
                self.assertEqual(ours.hash, theirs["hash"], scene)
                self.assertEqual(ours.report, theirs["report"], scene)
            except moreau.InputError as e:
                # a scene cut short may miss something at its end: then it does for the program too
                self.assertIn(e.message, theirs["status"])
                self.assertEqual(s.world.hash, theirs["hash"], scene)

    def test_parameters_and_seed(self):
        names = {p.name: p for p in moreau.params("slope")}
        self.assertTrue(names)
        name, p = next((n, p) for n, p in names.items() if p.type == "number")
        value = float(p.default) * 1.05
        theirs = program("slope", "--set", f"{name}={value!r}", "--steps", "50")
        ours = moreau.load("slope", set={name: value}, steps=50, message=None)
        ours.step(50)
        self.assertEqual(ours.world.hash, theirs["hash"])
        with self.assertRaisesRegex(moreau.UsageError, "nosuch"):
            moreau.load("slope", set={"nosuch": 1})

    def test_files_are_taken_byte_for_byte(self):
        # a comment in Latin-1 raised UnicodeDecodeError, and ends of lines were changed
        text = b'-- caf\xe9\r\nworld { dim = 2, h = 0.1, t_end = 0.1 }\r\nreport("length", #"\xe9")\r\n'
        with tempfile.TemporaryDirectory() as folder:
            path, run = os.path.join(folder, "latin.lua"), os.path.join(folder, "latin.h5")
            with open(path, "wb") as file:
                file.write(text)
            self.assertEqual(moreau.load(path, output=run).run().report, {"length": 1})
            self.assertEqual(moreau.params(path), [])
            self.assertEqual(moreau.read(run).info.scene_text.encode("utf-8", "surrogateescape"), text)
            said = []
            moreau.load(path, resume=run, message=said.append).run()
            self.assertEqual(said, [])

    def test_parameters_that_are_lists(self):
        # they came as Python writes them, [1, 2.5], and were refused
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "lists.lua")
            with open(path, "w") as file:
                file.write('world { dim = 2, h = 0.1, t_end = 0.1 }\n'
                           'report("n", param("n", {1.0, 2.0})) report("w", param("w", {"a"})) report("b", param("b", {true}))\n')
            given = {"n": [1, 2.5, 1e-30], "w": ("x y", "z"), "b": [False, True]}
            self.assertEqual(moreau.load(path, set=given).run().report, given | {"w": ["x y", "z"]})
            again = moreau.load(path, set={"n": np.array([0.1, 3])}).run()
            self.assertEqual(again.report, {"n": [0.1, 3], "w": ["a"], "b": [True]})
            for wrong in (["a,b"], [[1, 2]]):
                with self.assertRaisesRegex(moreau.InputError, "without commas"):
                    moreau.load(path, set={"w": wrong})


TEXT = """
local n = param("n", 3, "how many")
world { dim = 2, h = 0.01, t_end = 0.3, gravity = {0, -10}, record = { every = 0.1 } }
body { shape = halfplane { normal = {0, 1} }, fixed = true }
local b
for i = 1, n do b = body { shape = disc { radius = 0.1 }, density = 1, position = {i, 1} } end
on_step(function(t) if t > 0.1 and t < 0.115 then body { shape = disc { radius = 0.1 }, density = 1, position = {9, 1} } end end)
observe("y", function(t) return b.position[2] end)
at_end(function() report("y", b.position[2]) print("done") end)
"""


class Stepping(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "drop.lua")
        with open(self.path, "w") as file:
            file.write(TEXT)

    def tearDown(self):
        self.folder.cleanup()

    def test_world_on_the_way(self):
        said = []
        s = moreau.load(self.path, set={"n": 2}, message=said.append)
        w = s.world
        self.assertEqual((s.kind, len(w), w.dim, w.h, s.t_end), ("world", 3, 2, 0.01, 0.3))
        s.step(10)
        y = w.position[1:, 1]
        np.testing.assert_allclose(y, 1 - 10 * 0.1**2 / 2, rtol=1e-12)
        # copies: the scene adds a body, and what was taken stays
        s.step(10)
        self.assertEqual((len(y), len(w), len(w.q)), (2, 4, 4))
        with self.assertRaisesRegex(moreau.UsageError, "belongs to a scene"):
            w.step()
        with self.assertRaises(moreau.UsageError):
            w.body(shape=moreau.Disc(1), density=1)
        # a buffer that is out holds the scene off too
        lent = memoryview(w.bodies("q"))
        with self.assertRaises(BufferError):
            s.step()
        lent.release()
        o = s.run()
        self.assertEqual(o.status, "ok")
        self.assertAlmostEqual(o.report["y"], 1 - 10 * 0.3**2 / 2, delta=1e-12)
        self.assertEqual(said, ["done"])
        self.assertTrue(s.over)
        # the world lives on with the handle
        del s
        self.assertAlmostEqual(w.time, 0.3)
        self.assertGreater(len(w.draw(width=200).render()), 500)

    def test_output_and_resume(self):
        out = os.path.join(self.folder.name, "a.h5")
        whole = moreau.load(self.path, output=out, message=None).run()
        with moreau.read(out) as run:
            self.assertEqual((run.kind, run.status, len(run)), ("world", "ok", 4))
            np.testing.assert_allclose(run.times, (0, 0.1, 0.2, 0.3))
            t = run.series.t
            np.testing.assert_allclose(run.series["y"], 1 - 5 * t**2, rtol=1e-12)
            self.assertEqual(run.report, whole.report)
            self.assertEqual(run.params, {"n": 3})
            del t
        half = os.path.join(self.folder.name, "b.h5")
        moreau.load(self.path, until=0.2, output=half, message=None).run()
        self.assertEqual(moreau.load(self.path, resume=half, message=None).run().hash, whole.hash)

    def test_errors_have_file_and_line(self):
        with open(self.path, "a") as file:
            file.write("body { shap = 1 }\n")
        with self.assertRaises(moreau.InputError) as caught:
            moreau.load(self.path)
        self.assertEqual((caught.exception.line, caught.exception.file), (TEXT.count("\n") + 1, self.path))
        self.assertIn("shap", str(caught.exception))
        with self.assertRaisesRegex(moreau.InputError, "no example"):
            moreau.load("nosuch")
        with self.assertRaises(OSError):
            moreau.load("/no/such/file.lua")

    def test_exceptions_of_messages(self):
        def message(text):
            raise KeyError(text)

        s = moreau.load(self.path, message=message)
        with self.assertRaisesRegex(KeyError, "done"):
            s.run()

    def test_systems_have_no_world(self):
        s = moreau.load("bouncing-ball", message=None)
        self.assertEqual(s.kind, "system")
        with self.assertRaises(moreau.UsageError):
            s.world
        o = s.run()
        self.assertEqual((len(o.q), len(o.u)), (1, 1))
        self.assertTrue(any(e["type"] == "impact" for e in o.events))


if __name__ == "__main__":
    unittest.main()
