"""`moreau bench CASE`: this library alone, and beside other programs where their drivers were built."""
import csv
import glob
import os

from support import MOREAU, Case, main

TINY = ("--n", "12", "--settle", "4", "--steps", "6")
DRIVERS = os.path.join(os.path.dirname(os.path.realpath(MOREAU)), "bench", "peers")


class BenchPeers(Case):
    def setUp(self):
        super().setUp()
        os.environ["MOREAU_PEERS"] = os.path.join(self.folder, "drivers")
        self.addCleanup(os.environ.pop, "MOREAU_PEERS", None)
        os.mkdir(self.path("drivers"))

    def driver(self, name, text):
        path = self.path(f"drivers/peer_{name}", "#!/bin/sh\n" + text)
        os.chmod(path, 0o755)

    def test_list(self):
        names = self.json("bench")["cases"]
        self.assertEqual(names, ["A", "B", "stack", "pyramid", "slope-stick", "slope-slide", "drop", "collapse"])
        self.assertRegex(self.moreau("bench").stdout, r"(?m)^A +discs dropped")

    def test_ours_alone(self):
        result = self.json("bench", "A", "B", *TINY)
        self.assertEqual(result["status"], "ok")
        self.assertEqual([(t["case"], t["bodies"], t["settle"], t["steps"]) for t in result["cases"]],
                         [("A", 12, 4, 6), ("B", 12, 4, 6)])
        for table in result["cases"]:
            self.assertEqual([r["setting"] for r in table["rows"]], ["1e-4-projected", "1e-4", "50-sweeps"])
            for row in table["rows"]:
                self.assertEqual((row["program"], row["trouble"], row["lost"]), ("moreau", "", 0))
                self.assertGreater(row["ms_per_step"], 0)
                self.assertIsNone(row["times_ours"])
                self.assertEqual([s["stage"] for s in row["stages"]], ["detect", "assemble", "solve", "integrate"])
                self.assertAlmostEqual(sum(s["share"] for s in row["stages"]), 1, places=9)

    def test_slope(self):
        # mu = 0.35 < tan 20 degrees: half a t^2 with a = g (sin - mu cos), and a step's worth of error at most
        row = self.json("bench", "slope-slide", "--steps", "100")["cases"][0]["rows"][0]
        self.assertLess(abs(row["distance_error"]), 1.1 * 1e-3 / 0.1)
        row = self.json("bench", "slope-stick", "--steps", "100")["cases"][0]["rows"][0]
        self.assertLess(abs(row["creep"]), 1e-10)

    def test_files(self):
        self.moreau("bench", "A", *TINY, "-o", "kept")
        [path] = glob.glob(self.path("kept/*/A-12.csv"))
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([r["program"] for r in rows], ["moreau"] * 3)
        self.assertTrue(all(float(r["ms_per_step"]) > 0 and r["bodies"] == "12" for r in rows))
        with open(path[:-3] + "svg", encoding="utf-8") as file:
            self.assertIn("<svg", file.read())
        # nowhere to keep anything: nothing is kept
        self.moreau("bench", "slope-stick", "--steps", "5")
        self.assertFalse(os.path.exists(self.path("bench")))
        os.makedirs(self.path("bench/results"))
        self.moreau("bench", "slope-stick", "--steps", "5")
        self.assertEqual(len(glob.glob(self.path("bench/results/*/slope-stick-1.csv"))), 1)

    def test_no_driver(self):
        done = self.moreau("bench", "A", *TINY, "--against", "ode", expect=1)
        self.assertIn("run `make bench-peers`", done.stderr)
        result = self.json("bench", "A", *TINY, "--against", "ode", expect=1)
        self.assertIn("not every program", result["status"])
        self.assertEqual(len(result["cases"][0]["rows"]), 3)

    def test_driver_that_fails(self):
        for text, words in (("echo fast; [ $1 = --list ] || { echo 'no luck' >&2; exit 1; }", "no luck"),
                            ("echo fast", "does not begin with"), ("[ $1 = --list ] && echo fast || kill -9 $$", "stopped")):
            self.driver("ode", text)
            rows = self.json("bench", "A", *TINY, "--against", "ode", expect=1)["cases"][0]["rows"]
            self.assertEqual((rows[-1]["program"], rows[-1]["setting"]), ("ode", "fast"))
            self.assertIn(words, rows[-1]["trouble"])
        # one that knows no such scenes is no failure
        self.driver("ode", "exit 0")
        self.assertEqual(len(self.json("bench", "A", *TINY, "--against", "ode")["cases"][0]["rows"]), 3)

    def test_driver_that_runs(self):
        # a program that leaves every body where it was, in a millisecond a step
        self.driver("lammps", """[ $1 = --list ] && { echo still; exit; }
n=$(sed -n 's/^bodies //p' $2)
states() { echo $1; sed -n '/^bodies/,/^end/p' $2 | sed '1d;$d' | awk '{print $1,$2,$3,$4,$5,$6,$7,0,0,0,0,0,0}'; }
{ echo "moreau-result 1"; echo "program lammps"; echo "version 0"; echo "setting $1"; echo "run_seconds 0.006"
  echo "seconds 6"; for i in 1 2 3 4 5 6; do echo 0.001; done; states start $2; states state $2; echo end; } > $3
""")
        row = self.json("bench", "A", *TINY, "--against", "lammps")["cases"][0]["rows"][-1]
        self.assertEqual((row["trouble"], row["setting"]), ("", "still"))
        self.assertAlmostEqual(row["ms_per_step"], 1, places=12)
        self.assertAlmostEqual(row["cost_per_second"], 1, places=12)
        self.assertEqual((row["drift"], row["overlap_max_percent"], row["residual"]), (0, 0, None))

    def test_real_drivers(self):
        os.environ["MOREAU_PEERS"] = DRIVERS
        names = [n for n, driver in (("bullet", "bullet64"), ("ode", "ode"), ("box2d", "box2d"), ("mujoco", "mujoco"),
                                     ("lammps", "lammps")) if os.access(f"{DRIVERS}/peer_{driver}", os.X_OK)]
        if not names:
            self.skipTest("no drivers; `make bench-peers` builds them")
        result = self.json("bench", "A", "--n", "30", "--settle", "400", "--steps", "5", "--against", ",".join(names))
        rows = result["cases"][0]["rows"]
        self.assertEqual(sorted({r["program"] for r in rows}), sorted(names + ["moreau"]))
        for row in rows:
            self.assertEqual((row["trouble"], row["lost"]), ("", 0), row)
            self.assertTrue(20 < row["contacts"] < 80, row)
            # an impact at v leaves up to v h = 0.5 r here; impulses that are read wrongly give a residual of about 1
            self.assertLess(row["overlap_max_percent"], 50)
            self.assertLess(row["residual_law"] or 0, 0.2, row)

    def test_wrong_usage(self):
        for arguments, words in ((["D"], "nothing to measure called 'D'"), (["A", "schemes"], "nothing to measure called"),
                                 (["A", "--against", "bulet"], "did you mean 'bullet'?"), (["A", "--n", "0"], "--n"),
                                 (["A", "--against", "ode,siconos"], "bench solvers --against siconos"),
                                 (["A", "--n", "10,x"], "--n"), (["A", "--steps", "0"], "--steps"),
                                 (["schemes", "--against", "ode"], "schemes are not compared"),
                                 (["--against", "ode"], "what to measure")):
            done = self.moreau("bench", *arguments, expect=2)
            self.assertEqual(done.stdout, "")
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    main()
