"""Sweeping processes from the scene to the tables: what the program says about them, against closed forms."""
import math
import os
import xml.etree.ElementTree

from support import PathCase, main

# a weight on a taut string whose end walks along a line: the tractrix, x = t - tanh t, y = 1/cosh t
TRACTRIX = """
sweep { x = {0, 1}, h = param("h", 0.001), t_end = 2, method = param("method", "catching-up"),
        set = ball { center = function(t) return {t, 0} end, radius = 1 }, record = { every = 0.25 } }
observe("lag", function(t) return 2 * t end)
at_end(function(x) report("y", x[2]) end)
"""
# a point in an interval that moves with speed 1 and then leaps by 3: it waits, is pushed, and thrown
PUSHED = """
sweep { x = {0}, h = 0.125, t_end = 2,
        set = interval { center = function(t) if t > 1.3 then return t + 3 else return t end end, radius = 0.5 } }
"""
# two discs driven to the right against a wall
DISCS = """
sweep { x = {0, 0, 1.5, 0}, h = 0.125, t_end = 2,
        set = discs { radius = {0.5, 0.25}, walls = { {3, -1, 3, 1} } },
        field = function(t, x) return {1, 0, 1, 0} end }
"""
PLOT = """
plot { title = "the plot", x = { label = "t" }, y = { label = "x", log = false },
       curves = { { name = "one", x = {0, 1, 2}, y = {1, 4, 9}, style = "both" } } }
"""
# long and cheap: n and t_end as the helper for endless runs sets them
ENDLESS = """
local n = param("n", 2)
sweep { x = {0, 1}, h = 0.001, t_end = param("t_end", 0.2), record = { every = 0.02 },
        set = ball { center = function(t) return {math.sin(t), 0.1 * n * math.cos(3 * t)} end, radius = 0.5 } }
observe("random", function(t) return math.random() end)
"""


class Run(PathCase):
    def test_tractrix(self):
        r = self.record("sweep", TRACTRIX)
        self.assertEqual((r["status"], r["kind"], r["steps"], r["method"]), ("ok", "sweep", 2000, "catching-up"))
        self.assertAlmostEqual(r["time"], 2, places=12)
        x, y = r["q"]
        # first order in h
        self.assertLess(math.hypot(x - (2 - math.tanh(2)), y - 1 / math.cosh(2)), 1e-3)
        self.assertAlmostEqual(r["lambda"][0], math.tanh(2), delta=1e-3)
        self.assertAlmostEqual(r["path_length"], math.log(math.cosh(2)), delta=1e-3)
        self.assertAlmostEqual(r["retraction"]["value"], 2, places=9)
        self.assertAlmostEqual(r["retraction"]["variation"], 2, places=9)
        self.assertIs(r["retraction"]["exact"], True)
        self.assertEqual(r["jumps"], {"count": 0, "largest": 0})
        self.assertEqual(r["certificate"]["unconverged_steps"], 0)
        for name in ("violation", "stationarity", "complementarity", "worst_violation"):
            self.assertLess(abs(r["certificate"][name]), 1e-9)
        self.assertEqual(r["report"]["y"], y)
        self.assertRegex(r["hash"], r"\A[0-9a-f]{16}\Z")
        self.assertEqual((r["interrupted"], r["output"], r["seed"]), (False, "sweep.h5", 1))
        # nothing of a world
        self.assertFalse({"bodies", "contacts", "energy", "solver"} & set(r))

    def test_every_method_comes_near(self):
        self.path("sweep.lua", TRACTRIX)
        for method in ("catching-up", "theta", "penalty", "lazy", "event-driven"):
            r = self.json("run", "sweep.lua", "--set", "method=" + method)
            self.assertEqual(r["method"], method)
            x, y = r["q"]
            self.assertLess(math.hypot(x - (2 - math.tanh(2)), y - 1 / math.cosh(2)), 2e-2, method)

    def test_events(self):
        r = self.record("sweep", PUSHED)
        # at rest until the lower end comes, pushed with it, then over the leap
        self.assertEqual(r["q"], [4.5])
        self.assertEqual(r["jumps"]["count"], 1)
        events = [(e["type"], e["gaps"]) for e in r["events"]]
        self.assertEqual(events[0], ("contact", [1]))
        # contact at the end of the first step that ends after 0.5, when the point is held
        self.assertEqual(r["events"][0]["t"], 0.625)
        jump = [e for e in r["events"] if e["type"] == "jump"]
        self.assertEqual(len(jump), 1)
        # the leap is located within its step, from 1.25 to 1.375
        self.assertAlmostEqual(jump[0]["t"], 1.3, places=9)
        self.assertAlmostEqual(jump[0]["size"], 3, delta=0.13)
        times = [e["t"] for e in r["events"]]
        self.assertEqual(times, sorted(times))

    def test_summary(self):
        self.path("sweep.lua", TRACTRIX)
        text = self.moreau("run", "sweep.lua").stdout
        for words in ("status       ok", "2000 steps", "catching-up", "length 1.32", "unconverged steps 0", "report "):
            self.assertIn(words, text)

    def test_a_set_that_becomes_empty_ends_the_run(self):
        r = self.path("empty.lua", """sweep { x = {0}, h = 0.1, t_end = 2,
            set = interval { center = {0}, radius = function(t) return 1 - t end } }""")
        r = self.json("run", "empty.lua", "-o", "empty.h5", expect=1)
        self.assertNotEqual(r["status"], "ok")
        self.assertAlmostEqual(r["time"], 1, delta=0.11)
        # what was reached is in the file
        about = self.json("info", "empty.h5")
        self.assertEqual(about["steps"], r["steps"])
        self.assertNotEqual(about["status"], "ok")


class Tables(PathCase):
    def test_path(self):
        r = self.record("sweep", TRACTRIX)
        columns, rows = self.table("sweep.h5")
        self.assertEqual(columns, ["t", "x1", "x2", "lambda1"])
        self.assertEqual(len(rows), 9)
        self.assertEqual([float(v) for v in rows[0]], [0, 0, 1, 0])
        # to the last bit
        self.assertEqual([float(v) for v in rows[-1][1:]], r["q"] + r["lambda"])
        for row in rows:
            t, x, y, _ = map(float, row)
            self.assertLess(math.hypot(x - (t - math.tanh(t)), y - 1 / math.cosh(t)), 1e-3)
        self.assertEqual(self.table("sweep.h5", "--what", "path"), (columns, rows))
        self.assertEqual(self.table("sweep.h5", "--what", "bodies"), (columns, rows))
        self.assertEqual(self.table("sweep.h5", "--frame", "3")[1], rows[3:4])
        self.assertEqual(self.table("sweep.h5", "--frame", "last")[1], rows[-1:])
        self.assertIn("sweep-path.csv", self.moreau("export", "sweep.h5", "--to", "csv").stdout)

    def test_series_have_no_energies(self):
        self.record("sweep", TRACTRIX)
        columns, rows = self.table("sweep.h5", "--what", "series")
        self.assertEqual(columns, ["t", "lag"])
        self.assertEqual(len(rows), 9)
        self.assertAlmostEqual(float(rows[4][1]), 2.0, places=9)
        done = self.moreau("export", "sweep.h5", "--to", "csv", "--what", "energy", expect=2)
        self.assertIn("no energies", done.stderr)

    def test_events(self):
        r = self.record("sweep", PUSHED)
        columns, rows = self.table("sweep.h5", "--what", "contacts")
        self.assertEqual(columns, ["t", "type", "size", "gaps"])
        self.assertEqual([(float(t), kind, float(size), [int(g) for g in gaps.split()])
                          for t, kind, size, gaps in rows],
                         [(e["t"], e["type"], e["size"], e["gaps"]) for e in r["events"]])

    def test_info(self):
        r = self.record("sweep", PUSHED + PLOT)
        about = self.json("info", "sweep.h5")
        self.assertEqual((about["kind"], about["method"], about["status"]), ("sweep", "catching-up", "ok"))
        self.assertEqual((about["coordinates"], about["multipliers"], about["rows"]), (1, 2, 17))
        self.assertEqual((about["time"], about["steps"], about["plots"]), (2, 16, 1))
        self.assertEqual(sum(about["events"].values()), len(r["events"]))
        self.assertEqual(about["events"]["jump"], 1)
        self.assertEqual(about["discs"], {"count": 0, "walls": 0})
        self.record("sweep", DISCS)
        self.assertEqual(self.json("info", "sweep.h5")["discs"], {"count": 2, "walls": 1})
        text = self.moreau("info", "sweep.h5").stdout
        for words in ("run of a sweep by catching-up", "coordinates 4", "discs        2, walls 1", "rows         17"):
            self.assertIn(words, text)

    def test_paraview_files(self):
        # beside the run where there is something to show, and only then
        self.record("sweep", TRACTRIX)
        self.assertTrue(os.path.exists(self.path("sweep.xdmf")))
        xml.etree.ElementTree.parse(self.path("sweep.xdmf"))
        self.moreau("export", "sweep.h5", "--to", "vtk")
        xml.etree.ElementTree.parse(self.path("sweep-vtk/path.vtu"))
        self.record("discs", DISCS)
        grids = xml.etree.ElementTree.parse(self.path("discs.xdmf")).iter("Time")
        self.assertEqual([float(g.get("Value")) for g in grids], [0.125 * k for k in range(17)])
        self.moreau("export", "discs.h5", "--to", "vtk", "--frame", "4")
        self.assertEqual(sorted(os.listdir(self.path("discs-vtk"))), ["discs.pvd", "discs_000004.vtu"])
        self.record("four", """sweep { x = {0, 0, 0, 0}, h = 0.5, t_end = 1,
            set = ball { center = {0, 0, 0, 0}, radius = 1 } }""")
        self.assertFalse(os.path.exists(self.path("four.xdmf")))
        done = self.moreau("export", "four.h5", "--to", "xdmf", expect=2)
        self.assertIn("4 coordinates", done.stderr)


class Pictures(PathCase):
    def picture(self, *arguments):
        data = self.moreau("export", *arguments, "--to", "svg", "-o", "-").stdout
        xml.etree.ElementTree.fromstring(data.encode())
        return data

    def test_path_or_plots(self):
        self.record("sweep", TRACTRIX)
        self.record("plotted", TRACTRIX + PLOT)
        path = self.picture("sweep.h5")
        self.assertEqual(path, self.picture("sweep.h5", "--what", "path"))
        # with plots, these come unasked
        plots = self.picture("plotted.h5")
        self.assertEqual(plots, self.picture("plotted.h5", "--what", "plots"))
        self.assertNotEqual(plots, self.picture("plotted.h5", "--what", "path"))
        self.assertIn("sweep.png", self.moreau("export", "sweep.h5", "--to", "png").stdout)
        self.assertIn("plotted-plots.png",
                      self.moreau("export", "plotted.h5", "--to", "png", "--what", "plots").stdout)
        # the numbers, and panels beside each other
        columns, rows = self.table("plotted.h5", "--what", "plots")
        self.assertEqual(columns, ["plot", "curve", "x", "y", "error", "dx", "dy", "size"])
        self.assertEqual(sorted({row[0] for row in rows}), ["1"])
        self.assertNotEqual(plots, self.picture("plotted.h5", "--columns", "2"))
        self.assertIn("--columns",
                      self.moreau("export", "plotted.h5", "--to", "csv", "--columns", "2", expect=2).stderr)
        self.assertIn("none", self.moreau("export", "sweep.h5", "--to", "png", "--what", "plots", expect=2).stderr)
        self.assertIn("--frame",
                      self.moreau("export", "sweep.h5", "--to", "png", "--frame", "1", expect=2).stderr)

    def test_discs_row_by_row(self):
        self.record("sweep", DISCS + PLOT)
        first, last = (self.picture("sweep.h5", "--frame", k) for k in ("0", "last"))
        self.assertNotEqual(first, last)
        self.moreau("export", "sweep.h5", "--to", "png", "--frame", "all", "--width", "100", "-o", "film")
        self.assertEqual(sorted(os.listdir(self.path("film"))), [f"frame-{k:05d}.png" for k in range(17)])

    def test_plots_of_a_world(self):
        with open(self.path("scene.lua"), encoding="utf-8") as file:
            world = file.read()
        self.path("world.lua", world + PLOT)
        self.moreau("run", "world.lua", "-o", "world.h5", "--quiet")
        self.assertEqual(self.json("info", "world.h5")["plots"], 1)
        plots = self.picture("world.h5", "--what", "plots")
        # of a world the bodies come unasked
        self.assertNotEqual(plots, self.picture("world.h5"))
        done = self.moreau("export", "world.h5", "--to", "png", "--what", "path", expect=2)
        self.assertIn("world", done.stderr)
        done = self.moreau("export", "world.h5", "--to", "vtk", "--what", "plots", expect=2)
        self.assertIn("png or svg", done.stderr)


class Resume(PathCase):
    def setUp(self):
        super().setUp()
        self.path("scene.lua", ENDLESS)

    def test_in_pieces_like_in_one(self):
        whole = self.hash("scene.lua", "-o", "whole.h5")
        self.moreau("run", "scene.lua", "--until", "0.06", "-o", "parts.h5", "--quiet")
        self.moreau("run", "scene.lua", "--resume", "parts.h5", "--until", "0.14", "--quiet")
        self.assertEqual(self.hash("scene.lua", "--resume", "parts.h5"), whole)
        self.assertIs(self.json("compare", "whole.h5", "parts.h5")["identical"], True)
        self.assertEqual(self.table("whole.h5", "--what", "series"), self.table("parts.h5", "--what", "series"))
        self.assertEqual(self.table("whole.h5", "--what", "contacts"), self.table("parts.h5", "--what", "contacts"))
        about = self.json("info", "parts.h5")
        self.assertEqual((about["rows"], about["steps"], about["status"]), (11, 200, "ok"))

    def test_killed_then_resumed(self):
        process = self.start_endless()
        process.kill()
        process.communicate()
        about = self.json("info", "run.h5")
        self.assertEqual(about["status"], "unfinished")
        self.assertGreaterEqual(about["rows"], 3)
        until = round(about["time"] + 0.1, 6)
        whole = self.hash("scene.lua", "--set", "n=12", "--until", until, "-o", "whole.h5")
        self.assertEqual(self.hash("scene.lua", "--resume", "run.h5", "--until", until), whole)
        self.assertIs(self.json("compare", "run.h5", "whole.h5")["identical"], True)
        self.assertEqual(self.table("whole.h5", "--what", "series"), self.table("run.h5", "--what", "series"))

    def test_another_scene_is_refused(self):
        self.moreau("run", "scene.lua", "--until", "0.06", "-o", "run.h5", "--quiet")
        for text, word in ((TRACTRIX.replace("0.001", "0.002"), "h"), (PUSHED, ""),
                           ("world { dim = 2, h = 1e-3, t_end = 1 }", "")):
            self.path("other.lua", text)
            done = self.moreau("run", "other.lua", "--resume", "run.h5", expect=3)
            self.assertIn(word, done.stderr)
        self.assertEqual(self.json("info", "run.h5")["rows"], 4)


class Compare(PathCase):
    def test_two_step_lengths(self):
        self.path("sweep.lua", TRACTRIX)
        self.moreau("run", "sweep.lua", "-o", "a.h5", "--quiet")
        self.moreau("run", "sweep.lua", "--set", "h=0.0005", "-o", "b.h5", "--quiet")
        same = self.json("compare", "a.h5", "a.h5")
        self.assertIs(same["identical"], True)
        c = self.json("compare", "a.h5", "b.h5")
        self.assertEqual(sorted(c), sorted(["status", "identical", "rows", "max_distance", "rms_distance",
                                            "final_distance", "graph_distance"]))
        self.assertIs(c["identical"], False)
        self.assertEqual(c["rows"], 9)
        # of first order, and neither is more than that away from the other
        self.assertGreater(c["max_distance"], 1e-5)
        self.assertLess(c["max_distance"], 1e-3)
        self.assertLessEqual(c["rms_distance"], c["max_distance"])
        self.assertLessEqual(c["final_distance"], c["max_distance"])
        self.assertGreater(c["graph_distance"], 0)
        self.assertLessEqual(c["graph_distance"], c["max_distance"] * (1 + 1e-12))
        text = self.moreau("compare", "a.h5", "b.h5").stdout
        self.assertIn("different", text)
        self.assertIn("between graphs", text)

    def test_what_cannot_be_compared(self):
        self.record("sweep", TRACTRIX)
        self.record("pushed", PUSHED)
        self.moreau("run", "scene.lua", "-o", "world.h5", "--quiet")
        done = self.moreau("compare", "sweep.h5", "world.h5", expect=3)
        self.assertIn("a sweep cannot be compared with that of a world", done.stderr)
        self.assertIn("world.h5: ", done.stderr)
        done = self.moreau("compare", "sweep.h5", "pushed.h5", expect=3)
        self.assertIn("pushed.h5: key 'coordinates': ", done.stderr)


if __name__ == "__main__":
    main()
