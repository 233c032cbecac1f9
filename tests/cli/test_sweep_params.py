"""`moreau sweep-params`: combinations, the table, going on, interruption, failures; and the commands of its guide."""
import csv
import json
import math
import os
import re
import shlex
import signal
import subprocess
import time

from support import MOREAU, Case, call, main, stop

GUIDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/guide/sweeping-parameters.md")

# y after a step of falling from rest, exactly: -g h (the velocity at its end) times h/2
FALL = """local g = param("g", 10)
local word = param("word", "a")
local mode = param("mode", "well")
world { dim = 2, h = 0.1, t_end = 0.1, gravity = {0, -g} }
local b = body { shape = disc { radius = 1 }, mass = 1, velocity = {math.random(), 0} }
if mode == "error" then error("no such mode") end
at_end(function()
  report("v", b.velocity)
  report("double", 2 * g)
  report("word", word)
  report("big", g > 15)
  report("odd", 0 / 0)
  if g > 15 then report("only", { { 1, 2 }, { 3, 4 } }) end
  check("mode", mode ~= "fails")
end)
"""
# never ends by itself
ENDLESS = """local n = param("n", 1)
world { dim = 2, h = 1e-3, t_end = n > 1 and 1e6 or 1e-3 }
body { shape = disc { radius = 1 }, mass = 1 }
at_end(function() report("n", n) end)
"""


class Sweep(Case):
    def setUp(self):
        super().setUp()
        self.path("fall.lua", FALL)

    def sweep(self, *arguments, **options):
        return self.moreau("sweep-params", *arguments, **options)

    def read(self, name="t.csv"):
        with open(self.path(name), encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def text(self, name="t.csv"):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def test_every_combination_once(self):
        done = self.sweep("fall.lua", "--set", "g=10:20:3", "--set", "word=a,b", "--seeds", "1..2", "-o", "t.csv")
        self.assertIn("12 runs: 12 done, 0 kept, 0 failed", done.stdout)
        rows = self.read()
        self.assertEqual([(r["g"], r["word"], r["seed"]) for r in rows],
                         [(g, w, s) for g in ("10", "15", "20") for w in "ab" for s in "12"])
        self.assertEqual(list(rows[0]), ["g", "word", "seed", "status", "scene", "v[1]", "v[2]", "double", "big",
                                         "only[1][1]", "only[1][2]", "only[2][1]", "only[2][2]", "odd"])
        for row in rows:
            self.assertEqual(row["status"], "ok")
            self.assertAlmostEqual(float(row["v[2]"]), -0.1 * float(row["g"]), delta=1e-12)
            self.assertEqual(float(row["double"]), 2 * float(row["g"]))
            self.assertEqual(row["big"], "1" if row["g"] == "20" else "0")
            self.assertEqual(row["odd"], "")
            self.assertEqual(row["only[2][1]"], "3" if row["g"] == "20" else "")
        self.assertEqual(len({row["v[1]"] for row in rows}), 2, "the seed alone decides")

    def test_reports_under_names_of_parameters(self):
        """No two columns have one name: what is reported as `g` stands beside the parameter, in JSON too."""
        self.path("g.lua", "local g = param('g', 1)\nworld { dim = 2, h = 0.1, t_end = 0.1 }\n"
                           "at_end(function() report('g', 2 * g) report('seed', 7) end)")
        for again in range(2):
            self.sweep("g.lua", "--set", "g=10,20", "-o", "t.csv")
            self.assertEqual(self.text().splitlines()[0], "g,seed,status,scene,report.g,report.seed")
            self.assertEqual([(r["g"], r["report.g"], r["seed"], r["report.seed"]) for r in self.read()],
                             [("10", "20", "1", "7"), ("20", "40", "1", "7")])
        rows = json.loads(self.sweep("g.lua", "--set", "g=10", "--json").stdout.splitlines()[-1])["rows"]
        self.assertEqual([(r["g"], r["report.g"], r["report.seed"]) for r in rows], [(10, 20, 7)])
        # a table of two columns with one name goes on with two names
        self.path("t.csv", self.text().replace("report.", ""))
        self.sweep("g.lua", "--set", "g=10,20,30", "-o", "t.csv")
        self.assertEqual([(r["g"], r["report.g"]) for r in self.read()], [("10", "20"), ("20", "40"), ("30", "60")])

    def test_the_same_numbers_as_run(self):
        self.sweep("fall.lua", "--set", "g=0.1:0.7:4", "--seeds", "7", "-o", "t.csv", "-j", "1")
        for row in self.read():
            report = self.json("run", "fall.lua", "--set", "g=" + row["g"], "--seed", "7")["report"]
            self.assertEqual([float(row["v[1]"]), float(row["v[2]"])], report["v"])
        self.assertEqual([row["g"] for row in self.read()][-1], "0.7")

    def test_the_table_does_not_depend_on_j(self):
        for j in "1", "4":
            self.sweep("fall.lua", "--set", "g=1:20:8", "-j", j, "-o", f"{j}.csv")
        with open(self.path("1.csv"), "rb") as one, open(self.path("4.csv"), "rb") as four:
            self.assertEqual(one.read(), four.read())

    def test_goes_on(self):
        self.sweep("fall.lua", "--set", "g=1,2,3", "-o", "t.csv")
        first = self.read()
        again = json.loads(self.sweep("fall.lua", "--set", "g=3,1,2,30", "-o", "t.csv", "--json").stdout)
        self.assertEqual((again["runs"], again["done"], again["kept"], again["failed"]), (4, 1, 3, 0))
        self.assertEqual(again["status"], "ok")
        self.assertEqual([row["g"] for row in self.read()], ["3", "1", "2", "30"])
        for old in first:
            new = next(row for row in self.read() if row["g"] == old["g"])
            self.assertEqual({k: new[k] for k in old}, old)
        # rows are believed, not computed again
        text = self.text().replace("\n2,1,ok", "\n2,1,mine")
        self.path("t.csv", text)
        self.sweep("fall.lua", "--set", "g=3,1,2,30", "-o", "t.csv", expect=1)
        self.assertEqual([row["status"] for row in self.read()], ["ok", "ok", "mine", "ok"])
        # another text: new rows, old ones below
        self.path("fall.lua", FALL + "-- changed\n")
        done = self.sweep("fall.lua", "--set", "g=2", "-o", "t.csv")
        self.assertIn("1 runs: 1 done, 0 kept", done.stdout)
        self.assertEqual([(row["g"], row["status"]) for row in self.read()],
                         [("2", "ok"), ("3", "ok"), ("1", "ok"), ("2", "mine"), ("30", "ok")])
        # as do other bounds of the run
        done = self.sweep("fall.lua", "--set", "g=2", "--steps", "0", "-o", "t.csv")
        self.assertIn("1 done, 0 kept", done.stdout)

    def test_a_line_that_was_cut_off_is_run_again(self):
        self.sweep("fall.lua", "--set", "g=1,2", "-o", "t.csv")
        text = self.text()
        self.path("t.csv", text[:-10])
        done = self.sweep("fall.lua", "--set", "g=1,2", "-o", "t.csv")
        self.assertIn("1 done, 1 kept", done.stdout)
        self.assertEqual(self.text(), text)

    def test_failures_are_rows(self):
        done = self.sweep("fall.lua", "--set", "mode=well,fails,error", "-o", "t.csv", expect=1)
        self.assertIn("2 of 3 runs failed", done.stderr)
        rows = self.read()
        self.assertEqual([row["status"] for row in rows][:2], ["ok", "check failed: mode"])
        self.assertIn("no such mode", rows[2]["status"])
        self.assertEqual(rows[1]["double"], "20")
        self.assertEqual(rows[2]["double"], "")
        done = self.sweep("fall.lua", "--set", "mode=well,fails,error", "-o", "t.csv", expect=1)
        self.assertIn("0 done, 3 kept, 2 failed", done.stdout)

    def test_standard_output_and_json(self):
        rows = list(csv.DictReader(self.sweep("fall.lua", "--set", "g=1,2").stdout.splitlines()))
        dash = self.sweep("fall.lua", "--set", "g=1,2", "-o", "-").stdout
        self.assertEqual(list(csv.DictReader(dash.splitlines())), rows)
        self.assertNotIn("-", os.listdir(self.folder))
        self.assertEqual([row["double"] for row in rows], ["2", "4"])
        value = json.loads(self.sweep("fall.lua", "--set", "g=1,2", "--json").stdout)
        self.assertEqual([row["double"] for row in value["rows"]], [2, 4])
        self.assertEqual([row["seed"] for row in value["rows"]], [1, 1])
        self.assertRegex(value["rows"][0]["scene"], r"\A[0-9a-f]{16}\Z")
        self.assertEqual(os.listdir(self.folder).count("t.csv"), 0)

    def test_words_that_need_quotes(self):
        self.sweep("fall.lua", "--set", 'word=say "a",b c', "-o", "t.csv")
        self.assertEqual([row["word"] for row in self.read()], ['say "a"', "b c"])
        self.assertIn("0 done, 2 kept", self.sweep("fall.lua", "--set", 'word=say "a",b c', "-o", "t.csv").stdout)

    def test_an_example_and_no_parameters(self):
        rows = list(csv.DictReader(self.sweep("bouncing-ball", "--seeds", "1,2").stdout.splitlines()))
        self.assertEqual([row["seed"] for row in rows], ["1", "2"])


class Interruption(Case):
    def setUp(self):
        super().setUp()
        self.path("endless.lua", ENDLESS)

    def children(self, pid):
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(word) for word in file.read().split()]

    def lines(self):
        if not os.path.exists(self.path("t.csv")):
            return 0
        with open(self.path("t.csv"), encoding="utf-8") as file:
            return len(file.readlines())

    def start(self, rows):
        """One run that ends, others that do not; returns when the table has the first."""
        process = subprocess.Popen(
            [MOREAU, "sweep-params", "endless.lua", "--set", "n=1,2,3", "-j", "2", "-o", "t.csv"], cwd=self.folder,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(stop, process)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            if self.lines() > rows and len(self.children(process.pid)) == 2:
                return process
            time.sleep(0.05)
        self.fail("no row after 30 s")

    def test_ctrl_c_keeps_rows_and_leaves_nobody_behind(self):
        for number in signal.SIGINT, signal.SIGTERM:
            process = self.start(1)
            runs = self.children(process.pid)
            process.send_signal(number)
            out, err = process.communicate(timeout=30)
            self.assertEqual(process.returncode, 1, out + err)
            self.assertIn("interrupted: 1 of 3 runs are done", err)
            for pid in runs:
                self.assertFalse(os.path.exists(f"/proc/{pid}"), "a run goes on")
            with open(self.path("t.csv"), encoding="utf-8") as file:
                self.assertEqual([row["n"] for row in csv.DictReader(file)], ["1"])

    def test_killed_runs_are_rows_and_tried_again(self):
        process = self.start(1)
        for pid in self.children(process.pid):
            os.kill(pid, signal.SIGKILL)
        out, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 1, out + err)
        with open(self.path("t.csv"), encoding="utf-8") as file:
            self.assertEqual([row["status"] for row in csv.DictReader(file)],
                             ["ok", "killed by signal 9", "killed by signal 9"])
        process = self.start(1)
        self.assertEqual(len(self.children(process.pid)), 2)


class Mistakes(Case):
    def refused(self, *arguments, saying, code=2):
        done = self.moreau("sweep-params", *arguments, expect=code)
        self.assertIn(saying, done.stderr)

    def test_usage(self):
        self.refused(saying="one scene")
        self.refused("scene.lua", "other.lua", saying="one scene")
        self.refused("scene.lua", "--set", "mu", saying="expected NAME=v1,v2")
        self.refused("scene.lua", "--set", "mu=1", "--set", "mu=2", saying="given twice")
        self.refused("scene.lua", "--set", "mu=1,,2", saying="value 2 of 'mu' is empty")
        self.refused("scene.lua", "--set", "mu=", saying="is empty")
        for values in ("0:1:0", "0:1:-3", "0:1:2.5", "0:1:1e9"):
            self.refused("scene.lua", "--set", "mu=" + values, saying="FROM:TO:COUNT with a whole COUNT")
        self.refused("scene.lua", "--set", "mu=1,2,1", saying="value 1 twice")
        self.refused("scene.lua", "--seeds", "4,4", saying="value 4 twice")
        self.refused("scene.lua", "--set", "mu=1,nan", saying="mu=nan: expected a number")
        self.refused("scene.lua", "--set", "mu=0:1:99999999999", saying="COUNT")
        self.refused("scene.lua", "--set", "mu=0:1:1000000", "--set", "n=1:9:1000", saying="more than")
        self.refused("scene.lua", "--set", "m=1", saying="no parameter 'm'")
        self.refused("scene.lua", "--set", "slwo=1", saying="no parameter 'slwo'; did you mean 'slow'?")
        self.refused("scene.lua", "--set", "mu=1,a", saying="mu=a: expected a number")
        self.refused("scene.lua", "--set", "slow=yes", saying="expected a boolean")
        self.refused("scene.lua", "--seeds", "5..2", saying="FIRST..LAST")
        self.refused("scene.lua", "--seeds", "-1", saying="--seeds")
        self.refused("scene.lua", "--seeds", "1,x", saying="--seeds")
        self.refused("scene.lua", "-j", "0", saying="-j")
        self.refused("scene.lua", "--until", "x", saying="--until")
        self.refused("scene.lua", "--steps", "1.5", saying="--steps")
        self.refused("scene.lua", "-o", "scene.lua", saying="the scene itself")

    def test_tables_that_are_no_files(self):
        os.mkfifo(self.path("pipe"))
        for name in ("pipe", "/dev/full"):
            self.refused("scene.lua", "-o", name, saying="not a regular file", code=4)

    def test_files(self):
        self.refused("nothing.lua", saying="No such file", code=call("run", "nothing.lua").returncode)
        self.path("broken.lua", "world {")
        self.refused("broken.lua", saying="broken.lua:1", code=3)
        self.path("t.csv", "a,b\n1,2\n")
        self.refused("scene.lua", "--set", "mu=1", "-o", "t.csv", saying="t.csv:1: the table has other columns", code=3)
        self.path("t.csv", "mu,seed,status,scene\n1,2\n")
        self.refused("scene.lua", "--set", "mu=1", "-o", "t.csv", saying="t.csv:2: found 2 cells", code=3)
        self.refused("scene.lua", "--set", "mu=1", "-o", "none/t.csv", saying="none/t.csv", code=4)


class Guide(Case):
    def test_every_command_of_the_guide(self):
        with open(GUIDE, encoding="utf-8") as file:
            text = file.read()
        blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S)
        self.path("block.lua", next(body for kind, body in blocks if kind == "lua"))
        commands = [line for kind, body in blocks if kind == "" for line in body.splitlines() if line.startswith("moreau ")]
        self.assertGreaterEqual(len(commands), 4)
        for line in commands:
            self.moreau(*shlex.split(line)[1:])
        # what the guide shows of the table; v = (g sin a - mu g cos a) t, x = v t/2
        with open(self.path("block.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 15)
        self.assertIn(",".join(rows[0]), text)
        slope, shown = math.radians(10), next(line for line in text.splitlines() if line.startswith("0.1,10,1,ok,"))
        speed = 9.81 * 0.5 * (math.sin(slope) - 0.1 * math.cos(slope))
        self.assertAlmostEqual(float(rows[0]["velocity[1]"]), speed, delta=1e-6)
        self.assertAlmostEqual(float(rows[0]["way"]), speed * 0.25, delta=1e-3 * speed)
        for seen in rows[0]["scene"], rows[0]["way"][:6] + "…", rows[0]["velocity[1]"][:6] + "…":
            self.assertIn(seen, shown)
        self.assertEqual(sum(row["slides"] == "1" for row in rows if row["slope"] == "10"), 1)
        self.assertEqual(sum(row["slides"] == "1" for row in rows if row["slope"] == "20"), 3)


if __name__ == "__main__":
    main()
