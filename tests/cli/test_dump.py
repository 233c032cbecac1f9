"""`moreau run --dump-problems`: the problems of the steps, and what `moreau solve` makes of them."""
import os
import stat
import unittest

from support import Case, main

# two boxes on a slope that slide, then rest against a stop
BOXES = """world { dim = 2, h = 1e-3, t_end = 0.05, gravity = {0, -10}, solver = { tol = 1e-10 } }
law { friction = 0.3, restitution = 0.2 }
body { shape = halfplane { normal = {0, 1} }, fixed = true }
body { shape = rectangle { 0.2, 0.1 }, density = 100, position = {0, 0.05}, velocity = {1, 0} }
body { shape = rectangle { 0.2, 0.1 }, density = 50, position = {0.02, 0.15} }
body { shape = disc { radius = 0.05 }, density = 50, position = {1, 0.0501} }
"""


class Dump(Case):
    def setUp(self):
        super().setUp()
        self.path("boxes.lua", BOXES)

    def files(self, folder="problems"):
        return sorted(os.listdir(self.path(folder)))

    def assertSame(self, one, other):
        """All that is told about both, with 17 digits: |q|, residuals of the answer and so on."""
        told = [self.json("info", name) for name in (one, other)]
        for t in told:
            del t["file"]
        self.assertEqual(*told)

    def test_every_step(self):
        plain = self.json("run", "boxes.lua")
        r = self.json("run", "boxes.lua", "--dump-problems", "problems")
        self.assertEqual((r["problems"], r["steps"]), (50, 50))
        self.assertNotIn("problems", plain)
        # looking on changes nothing
        self.assertEqual(plain["hash"], r["hash"])
        self.assertEqual(self.files(), [f"step-{k:08d}.hdf5" for k in range(1, 51)])
        # the step's own answer is in the file
        for k in (1, 20, 50):
            info = self.json("info", f"problems/step-{k:08d}.hdf5")
            self.assertEqual((info["dimension"], info["form"], info["friction"]), (2, "local", [0.3, 0.3]))
            self.assertGreaterEqual(info["contacts"], 4)
            self.assertEqual(info["asymmetry"], 0)
            self.assertLessEqual(info["solution"]["residual"], 1e-10)
            self.assertIn(f"step {k}", info["title"])
        self.assertEqual(self.json("info", "problems/step-00000050.hdf5")["contacts"], r["contacts"])
        # and the problems can be solved
        done = self.json("solve", *[f"problems/{name}" for name in self.files()], "--tol", "1e-9")
        self.assertEqual((done["solved"], done["total"]), (50, 50))
        for p in done["problems"]:
            self.assertLessEqual(max(p["residual"], p["residual_fclib"]), 1e-9)

    def test_restitution_after_the_solve(self):
        # the file held impulses times 1 + e, which answer another problem: residuals of 0.1
        text = BOXES.replace("t_end = 0.05", 't_end = 0.05, scheme = "bernicot-lefebvre"')
        self.path("ahead.lua", text.replace("restitution = 0.2", "restitution = 0.5").replace("{1, 0.0501}", "{1, 0.06}"))
        r = self.json("run", "ahead.lua", "--dump-problems", "problems")
        self.assertEqual(r["hash"], self.json("run", "ahead.lua")["hash"])
        for name in self.files():
            self.assertLessEqual(self.json("info", f"problems/{name}")["solution"]["residual"], 1e-10, name)

    def test_some_steps(self):
        r = self.json("run", "boxes.lua", "--dump-problems", "problems", "--dump-every", "10", "--dump-from", "15",
                      "--dump-to", "40")
        self.assertEqual(r["problems"], 3)
        self.assertEqual(self.files(), [f"step-{k:08d}.hdf5" for k in (20, 30, 40)])
        text = self.moreau("run", "boxes.lua", "--dump-problems", "problems", "--dump-every", "25").stdout
        self.assertIn("problems     2 in problems", text)

    def test_no_contacts(self):
        """Steps without contacts leave no file; the folder is there."""
        self.path("fall.lua", "world { dim = 2, h = 1e-3, t_end = 0.01 }\n"
                              "body { shape = disc { radius = 1 }, mass = 1 }")
        self.assertEqual(self.json("run", "fall.lua", "--dump-problems", "problems")["problems"], 0)
        self.assertEqual(self.files(), [])

    def test_told_once(self):
        """What cannot be written is counted, not told step by step; two reasons are two lines."""
        self.path("glue.lua", BOXES + "law { threshold = 1 }\nat(0.02, function() law { friction = 0.1, threshold = 0, "
                              "rolling = 0.01 } end)")
        done = self.moreau("run", "glue.lua", "--dump-problems", "problems", "--json")
        told = [line for line in done.stderr.splitlines() if "not written" in line]
        self.assertEqual(len(told), 2)
        self.assertIn("of 20 steps were not written, the first of them that of step 1: contacts have a threshold",
                      told[0])
        self.assertIn("of 30 steps were not written, the first of them that of step 21: contacts resist rolling",
                      told[1])
        self.assertEqual(self.files(), [])

    def test_cell(self):
        """Under stresses the problem has their part: the answer of the step answers it."""
        self.path("cell.lua", "world { dim = 2, h = 1e-3, t_end = 0.03, periodic = { x = {0, 1}, y = {0, 1} }, "
                              "solver = { tol = 1e-8 } }\nlaw { friction = 0.4 }\n"
                              "for i = 0, 24 do body { shape = disc { radius = 0.099 }, density = 1000, "
                              "position = { 0.2 * (i % 5) + 0.1, 0.2 * (i // 5) + 0.1 } } end\n"
                              "cell { stress = { xx = 2e4, yy = 1e4 }, damping = 50 }")
        r = self.json("run", "cell.lua", "--dump-problems", "problems")
        self.assertGreater(r["problems"], 10)
        for name in self.files()[-5:]:
            info = self.json("info", f"problems/{name}")
            self.assertGreaterEqual(info["contacts"], 25)
            self.assertEqual(info["asymmetry"], 0)
            self.assertLessEqual(info["solution"]["residual"], 2e-8)
        done = self.json("solve", *[f"problems/{name}" for name in self.files()[-5:]], "--tol", "1e-6")
        self.assertEqual((done["solved"], done["total"]), (5, 5))

    def test_resumed(self):
        """Steps keep their numbers, and the problem of a step does not depend on where the run began."""
        self.json("run", "boxes.lua", "--dump-problems", "whole")
        self.json("run", "boxes.lua", "--steps", "30", "-o", "run.h5")
        r = self.json("run", "--resume", "run.h5", "--dump-problems", "rest")
        self.assertEqual(r["problems"], 20)
        self.assertEqual(self.files("rest")[0], "step-00000031.hdf5")
        for name in self.files("rest"):
            self.assertSame(f"whole/{name}", f"rest/{name}")

    def test_threads(self):
        for n in (1, 2):
            self.json("run", "boxes.lua", "--dump-problems", f"with{n}", "--threads", n, "--dump-every", "17")
        for name in self.files("with1"):
            self.assertSame(f"with1/{name}", f"with2/{name}")


class Refusals(Case):
    def test_places(self):
        self.path("file", "not a folder\n")
        for place, words in (("file", "not a folder"), ("missing/deeper", "No such file"),
                             ("file/below", "Not a directory")):
            r = self.json("run", "scene.lua", "--dump-problems", place, expect=4)
            self.assertIn(words, r["status"])
            self.assertIn(place, r["status"])

    @unittest.skipIf(os.geteuid() == 0, "permissions do not bind root")
    def test_no_permission(self):
        os.mkdir(self.path("locked"))
        os.chmod(self.path("locked"), stat.S_IRUSR | stat.S_IXUSR)
        r = self.json("run", "scene.lua", "--dump-problems", "locked", expect=4)
        self.assertIn("ermission", r["status"])

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs a device that is always full")
    def test_full_disk(self):
        """The file that cannot be written ends the run; the place is named."""
        self.path("boxes.lua", BOXES)
        os.mkdir(self.path("problems"))
        os.symlink("/dev/full", self.path("problems/step-00000003.hdf5.part"))
        r = self.json("run", "boxes.lua", "--dump-problems", "problems", expect=4)
        self.assertIn("step-00000003.hdf5", r["status"])
        self.assertIn("No space", r["status"])
        self.assertEqual(r["problems"], 2)

    def test_not_a_world(self):
        self.path("sweep.lua", "sweep { x = {0}, h = 1, t_end = 1, method = 'catching-up', "
                               "set = interval { center = {0}, radius = 1 } }")
        self.path("system.lua", "system { q = {1}, u = {-1}, scheme = 'moreau', h = 0.01, t_end = 0.1 }")
        for kind in ("sweep", "system"):
            done = self.moreau("run", kind + ".lua", "--dump-problems", "problems", expect=2)
            self.assertIn(f"the scene is a {kind}: only worlds have contact problems", done.stderr)
            self.assertFalse(os.path.exists(self.path("problems")))

    def test_usage(self):
        for arguments, words in ((["--dump-every", "5"], "need --dump-problems DIR"),
                                 (["--dump-problems", "p", "--dump-every", "0"], "expected a whole number >= 1"),
                                 (["--dump-problems", "p", "--dump-from", "5", "--dump-to", "4"],
                                  "expected at least --dump-from (5)"),
                                 (["--dump-problems"], "needs a value")):
            self.assertIn(words, self.moreau("run", "scene.lua", *arguments, expect=2).stderr)
        self.assertIn("--dump-problems DIR", self.moreau("run", "--help").stdout)


if __name__ == "__main__":
    main()
