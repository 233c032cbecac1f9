"""`moreau bench solvers`: contact problems by this library, and beside workers of other programs."""
import csv
import glob
import os

from support import Case, main

SCENE = """
world{ dim=2, h=1e-3, t_end=0.003, gravity={0,-9.81} }
law{ friction=0.5 }
body{ shape=halfplane{normal={0,1}, offset=0}, fixed=true }
for i = 1, 12 do body{ shape=disc{radius=0.01}, density=2500, position={0.02 * i, 0.01} } end
"""  # 12 contacts with the ground, 11 with neighbours

# answers as worker.h says: half a second for every solve, or what its name asks for
WORKER = """#!/bin/sh
[ "$1" = --list ] && { printf 'good\\nbad\\nslow\\ndead\\n'; exit; }
echo "problem 2 23"
while read name tol asked limit budget; do
  case $name in
    good) echo "0.5 1e-12 1e-12 7 3 story";;
    bad) echo "0.1 1e-3 1e-3 7 1 missed it";;
    slow) kill -PROF $$;;
    dead) exit 3;;
  esac
done
"""


class BenchSolvers(Case):
    def setUp(self):
        super().setUp()
        os.environ["MOREAU_PEERS"] = os.path.join(self.folder, "drivers")
        self.addCleanup(os.environ.pop, "MOREAU_PEERS", None)
        self.addCleanup(os.environ.pop, "MOREAU_FCLIB", None)
        os.environ.pop("MOREAU_FCLIB", None)
        os.mkdir(self.path("drivers"))
        self.moreau("run", self.path("s.lua", SCENE), "--quiet", "--dump-problems", self.path("p"))

    def worker(self):
        os.chmod(self.path("drivers/solvers_siconos", WORKER), 0o755)

    def test_ours_alone(self):
        result = self.json("bench", "solvers", "--problems", "p", "--tol", "1e-10")
        self.assertEqual((result["status"], result["solved"], result["total"]), ("ok", 3, 3))
        for entry in result["problems"]:
            [row] = entry["rows"]
            self.assertEqual((entry["contacts"], entry["dimension"], row["program"], row["solver"], row["status"]),
                             (23, 2, "moreau", "auto", "solved"))
            self.assertLessEqual(row["residual_fclib"], 1e-10)
            self.assertGreater(row["seconds"], 0)
            self.assertIsNone(entry["times_ours"])
        os.environ["MOREAU_FCLIB"] = self.path("p")
        self.assertIn("solved: 3 of 3", self.moreau("bench", "solvers", "--quick").stdout)

    def test_beside_another(self):
        self.worker()
        result = self.json("bench", "solvers", "--problems", "p", "--against", "siconos", "-o", "kept")
        self.assertEqual(result["status"], "ok")
        for entry in result["problems"]:
            self.assertEqual([(r["solver"], r["status"]) for r in entry["rows"]],
                             [("auto", "solved"), ("good", "solved"), ("bad", "missed"), ("slow", "time"), ("dead", "crash")])
            self.assertEqual(entry["best"], "good")
            # times below 20 us count as that
            self.assertAlmostEqual(entry["times_ours"] * max(entry["rows"][0]["seconds"], 20e-6), 0.5, places=12)
        product = 1
        for entry in result["problems"]:
            product *= entry["times_ours"]
        self.assertEqual((result["compared"], result["faster"]), (3, 3))
        self.assertAlmostEqual(result["mean_times"] / product ** (1 / 3), 1, places=12)
        [path] = glob.glob(self.path("kept/*/solvers-1e-08.csv"))
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 15)
        with open(path[:-3] + "svg", encoding="utf-8") as file:
            self.assertIn("<svg", file.read())

    def test_one_solve(self):
        # a solve too long to be repeated is judged as any other
        [problem] = glob.glob(self.path("p/*3.hdf5"))
        for budget in ("0", "0.01"):
            lines = self.moreau("bench", "worker", problem, input=f"auto 1e-10 1e-10 10 {budget}\n").stdout.splitlines()
            self.assertEqual(lines[0], "problem 2 23")
            _, residual, residual_fclib, _, runs = lines[1].split()[:5]
            self.assertLessEqual(float(residual), 1e-10)
            self.assertLessEqual(float(residual_fclib), 1e-10)
            self.assertEqual(int(runs) > 1, budget != "0")

    def test_bad_files(self):
        self.path("p/a.hdf5", "no problem at all")
        done = self.moreau("bench", "solvers", "--problems", "p")
        self.assertIn("a.hdf5", done.stdout)
        self.assertIn("solved: 3 of 3", done.stdout)
        os.mkdir(self.path("empty"))
        self.assertIn("found no *.hdf5", self.moreau("bench", "solvers", "--problems", "empty", expect=3).stderr)
        self.moreau("bench", "solvers", "--problems", "nowhere", expect=4)

    def test_wrong_usage(self):
        for arguments, words in (([], "--problems"), (["--problems", "p", "--against", "ode"], "siconos alone"),
                                 (["--problems", "p", "--tol", "0"], "--tol"), (["A"], "alone"),
                                 (["--n", "5"], "neither sizes")):
            self.assertIn(words, self.moreau("bench", "solvers", *arguments, expect=2).stderr)
        self.assertIn("make bench-solvers", self.moreau("bench", "solvers", "--problems", "p", "--against", "siconos",
                                                         expect=1).stderr)


if __name__ == "__main__":
    main()
