"""Finite-freedom systems from the scene to the tables: what the program says about them, against closed forms."""
import os
import xml.etree.ElementTree

from support import PathCase, main

# the test problem of P01 with numbers that are exact in binary: back from the wall at t = 1 with half the speed
BALL = """
local p = system { q = {1}, u = {-1}, mass = {4}, restitution = 0.5, scheme = param("scheme", "mabrouk"),
                   gaps = { function(t, q) return q[1] end }, h = param("h", 0.125), t_end = 2 }
observe("energy", function(t) return p.energy.kinetic end)
at_end(function(q, u) report("q", q) report("u", u[1]) end)
"""
PLANE = """
system { q = {0, 1}, u = {1, 0}, force = function(t, q) return {0, -8} end, restitution = 0.5,
         potential = function(t, q) return 8 * q[2] end, gaps = { function(t, q) return q[2] end },
         scheme = "event-driven", h = 0.0625, t_end = 3 }
"""
# long and cheap: n and t_end as the helper for endless runs sets them
ENDLESS = """
local n = param("n", 2)
system { q = {0.5, 0}, u = {0, 1}, scheme = "moreau", h = 0.001, t_end = param("t_end", 0.2), record = { every = 0.02 },
         restitution = 0.9, force = function(t, q, u) return { -9, -n * q[2] - 0.01 * u[2] + math.cos(3 * t) } end,
         gaps = { function(t, q) return q[1] - 0.1 * math.sin(20 * t) end } }
observe("random", function(t) return math.random() end)
"""


class Run(PathCase):
    def test_json(self):
        r = self.record("ball", BALL)
        self.assertEqual((r["status"], r["kind"], r["steps"], r["scheme"], r["time"]), ("ok", "system", 16, "mabrouk", 2))
        self.assertEqual((r["q"], r["u"], r["lambda"]), ([0.5], [0.5], [0]))
        self.assertEqual([(e["t"], e["type"], e["gaps"]) for e in r["events"]],
                         [(1, "contact", [1]), (1, "impact", [1]), (1.125, "release", [1])])
        # kinetic 2 before, 1/2 after
        self.assertEqual(r["energy"], {"kinetic": 0.5, "potential": 0, "work": 0, "loss": 1.5, "balance_error": 0})
        self.assertEqual(r["impacts"], 1)
        self.assertEqual(sorted(r["certificate"]), sorted(["violation", "residual", "worst_violation", "worst_residual",
                                                           "unconverged_steps", "largest_gain"]))
        self.assertEqual(r["certificate"]["unconverged_steps"], 0)
        self.assertLess(r["certificate"]["worst_residual"], 1e-15)
        self.assertEqual(r["report"], {"q": [0.5], "u": 0.5})
        self.assertRegex(r["hash"], r"\A[0-9a-f]{16}\Z")

    def test_every_scheme(self):
        for scheme in ("moreau", "moreau-jean", "paoli-schatzman", "mabrouk", "bernicot-lefebvre", "event-driven",
                       "alpha"):
            r = self.record("ball", BALL, "--set", f"scheme={scheme}", "--set", "h=0.0078125")
            self.assertEqual((r["status"], r["scheme"]), ("ok", scheme))
            # P01 6: all of them are at most of order one on this problem
            self.assertAlmostEqual(r["q"][0], 0.5, delta=2 * 0.0078125)
            self.assertAlmostEqual(r["u"][0], 0.5, delta=1e-12)

    def test_summary(self):
        self.path("ball.lua", BALL)
        text = self.moreau("run", "ball.lua").stdout
        for words in ("status       ok", "position     (0.5)", "velocity     (0.5)", "events       3; impacts 1",
                      "kinetic 0.5 J", "lost 1.5 J", "scheme       mabrouk", "report       u = 0.5"):
            self.assertIn(words, text)

    def test_accumulation(self):
        # falls from 1 m with g = 8: at rest after (2/sqrt(2 g)) (1 + 2 e/(1 - e)) = 3/2 s
        r = self.record("plane", PLANE)
        self.assertEqual(r["status"], "ok")
        self.assertAlmostEqual(r["q"][0], 3, delta=1e-9)
        self.assertAlmostEqual(r["q"][1], 0, delta=1e-9)
        at = [e["t"] for e in r["events"] if e["type"] == "accumulation"]
        self.assertEqual(len(at), 1)
        self.assertAlmostEqual(at[0], 1.5, delta=1e-6)
        self.assertAlmostEqual(r["energy"]["loss"], 8, delta=1e-6)

    def test_outcomes(self):
        # not a number on the way: the run ends, its file is complete up to there, and exit status 1
        self.path("nan.lua", """system { q = 1, u = 1, h = 0.25, t_end = 2, scheme = "moreau",
            force = function(t, q) return t > 1 and 0/0 or 0 end }""")
        r = self.json("run", "nan.lua", "-o", "nan.h5", expect=1)
        self.assertIn("force", r["status"])
        self.assertEqual((r["steps"], r["q"]), (4, [2]))
        self.assertEqual(self.json("info", "nan.h5")["rows"], 5)
        # what the scene says is wrong: exit status 3 with file, line and key
        self.path("bad.lua", "\nsystem { q = -1, u = 1, h = 0.25, t_end = 2, scheme = 'moreau',\n"
                             "  gaps = { function(t, q) return q[1] end } }")
        done = self.moreau("run", "bad.lua", expect=3)
        self.assertRegex(done.stderr, r"bad\.lua:2.*system\.q.*gap 1 is -1 at the start")
        r = self.json("run", "bad.lua", expect=3)
        self.assertIn("gap 1", r["status"])


class Files(PathCase):
    def test_tables(self):
        r = self.record("ball", BALL)
        columns, rows = self.table("ball.h5")
        self.assertEqual(columns, ["t", "q1", "u1", "lambda1"])
        self.assertEqual(len(rows), 17)
        self.assertEqual([float(v) for v in rows[-1]], [2] + r["q"] + r["u"] + r["lambda"])
        # the impulse of the impact: mass 4, from -1 to 1/2
        self.assertEqual([float(row[3]) for row in rows if float(row[3]) != 0], [6])
        columns, rows = self.table("ball.h5", "--what", "series")
        self.assertEqual(columns, ["t", "energy"])
        self.assertEqual([float(row[1]) for row in rows], [2] * 8 + [0.5] * 9)
        columns, rows = self.table("ball.h5", "--what", "contacts")
        self.assertEqual([row[1] for row in rows], ["contact", "impact", "release"])

    def test_two_coordinates(self):
        self.record("plane", PLANE)
        self.assertEqual(self.table("plane.h5")[0], ["t", "q1", "q2", "u1", "u2", "lambda1"])

    def test_info(self):
        self.record("ball", BALL)
        about = self.json("info", "ball.h5")
        self.assertEqual((about["kind"], about["method"], about["status"]), ("system", "mabrouk", "ok"))
        self.assertEqual((about["coordinates"], about["multipliers"], about["rows"]), (1, 1, 17))
        self.assertIn("run of a system by mabrouk", self.moreau("info", "ball.h5").stdout)

    def test_pictures(self):
        for name, text in (("ball", BALL), ("plane", PLANE)):
            self.record(name, text)
            data = self.moreau("export", name + ".h5", "--to", "svg", "-o", "-").stdout
            xml.etree.ElementTree.fromstring(data.encode())
        self.assertTrue(os.path.exists(self.path("plane.xdmf")))

    def test_compare(self):
        self.record("ball", BALL)
        self.record("same", BALL)
        self.record("other", BALL, "--set", "scheme=paoli-schatzman")
        self.assertIs(self.json("compare", "ball.h5", "same.h5")["identical"], True)
        c = self.json("compare", "ball.h5", "other.h5")
        self.assertIs(c["identical"], False)
        # one step of 1/8 at the speed 1 lies between them
        self.assertGreater(c["max_distance"], 0)
        self.assertLess(c["max_distance"], 0.1251)


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
        for what in ("series", "contacts"):
            self.assertEqual(self.table("whole.h5", "--what", what), self.table("parts.h5", "--what", what))

    def test_killed_then_resumed(self):
        process = self.start_endless()
        process.kill()
        process.communicate()
        about = self.json("info", "run.h5")
        self.assertEqual(about["status"], "unfinished")
        until = round(about["time"] + 0.1, 6)
        whole = self.hash("scene.lua", "--set", "n=12", "--until", until, "-o", "whole.h5")
        self.assertEqual(self.hash("scene.lua", "--resume", "run.h5", "--until", until), whole)
        self.assertIs(self.json("compare", "run.h5", "whole.h5")["identical"], True)


if __name__ == "__main__":
    main()
