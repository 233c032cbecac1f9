"""Running a small scene: its outcome, options and determinism."""
import json
import os

from support import Case, main

KEYS = ["status", "time", "steps", "kind", "wall_seconds", "hash", "report", "bodies", "contacts", "energy",
        "max_penetration", "solver", "stage_seconds"]
ENERGY = {"kinetic", "potential", "work_external", "dissipated_friction", "dissipated_impact", "balance_error",
          "largest_gain"}
SOLVER = {"name", "iterations_total", "contact_iterations_total", "worst_residual", "unconverged_steps"}
STAGES = {"detect", "assemble", "solve", "integrate", "record"}


class Outcome(Case):
    def test_json_has_every_key(self):
        r = self.json("run", "scene.lua")
        self.assertEqual([k for k in r if k in KEYS], KEYS)
        self.assertEqual(r["status"], "ok")
        self.assertEqual(r["kind"], "world")
        self.assertEqual((r["steps"], r["bodies"]), (200, 3))
        self.assertAlmostEqual(r["time"], 0.2, places=12)
        self.assertRegex(r["hash"], r"\A[0-9a-f]{16}\Z")
        self.assertEqual(set(r["energy"]), ENERGY)
        self.assertEqual(set(r["solver"]), SOLVER)
        self.assertEqual(set(r["stage_seconds"]), STAGES)
        self.assertEqual(r["solver"]["unconverged_steps"], 0)
        self.assertLessEqual(r["solver"]["worst_residual"], 1e-8)
        self.assertEqual(r["contacts"], 2)

    def test_discs_come_to_lie_on_the_floor(self):
        r = self.json("run", "scene.lua")
        # fallen 1 cm: one step of the velocity at impact is the most that the floor is passed by
        step = (2 * 9.81 * 0.01) ** 0.5 * 1e-3
        self.assertAlmostEqual(r["report"]["height"], 0.05, delta=step)
        self.assertLessEqual(r["max_penetration"], step)
        # two discs of 1000 kg/m^2 lost what they fell, but for what still rolls
        self.assertGreater(r["energy"]["dissipated_impact"], 0)

    def test_numbers_have_17_digits(self):
        done = self.moreau("run", "scene.lua", "--json")
        self.assertIn('"tenth":0.10000000000000001', done.stdout)

    def test_summary_for_people(self):
        text = self.moreau("run", "scene.lua", "-o", "run.h5").stdout
        for word in ("status       ok", "200 steps", "energy", "penetration", "worst residual", "wall time", "solve",
                     "report       n = 2", "tenth = 0.1\n", "run.h5"):
            self.assertIn(word, text)

    def test_quiet_says_nothing(self):
        done = self.moreau("run", "scene.lua", "--quiet")
        self.assertEqual((done.stdout, done.stderr), ("", ""))

    def test_no_output_file_unless_asked(self):
        self.moreau("run", "scene.lua", "--quiet")
        self.assertEqual(os.listdir(self.folder), ["scene.lua"])

    def test_failed_check_is_status_1_and_the_file_says_so(self):
        self.path("check.lua", "world { dim = 2, h = 1e-3, t_end = 0.01 }\n"
                               "at_end(function() check('too high', false, 'found 3') end)\n")
        r = self.json("run", "check.lua", "-o", "run.h5", expect=1)
        self.assertIn("too high", r["status"])
        self.assertEqual(r["steps"], 10)
        self.assertIn("too high", self.json("info", "run.h5")["status"])
        self.assertIn("too high", self.moreau("run", "check.lua", expect=1).stderr)

    def test_unconverged_steps_are_status_1(self):
        self.path("hard.lua", """world { dim = 2, h = 1e-3, t_end = 0.05, gravity = {0, -9.81},
              solver = { tol = 1e-14, max_iter = 1 }, record = { every = 0.01 } }
law { friction = 0.5 }
body { shape = halfplane { normal = {0, 1}, offset = 0 }, fixed = true }
for i = 0, 5 do
  body { shape = rectangle { 0.1, 0.1 }, density = 1000, position = {0.01 * (i % 2), 0.05 + 0.1 * i} }
end
""")
        r = self.json("run", "hard.lua", expect=1)
        self.assertGreater(r["solver"]["unconverged_steps"], 0)
        self.assertNotEqual(r["status"], "ok")

    def test_print_does_not_disturb_the_results(self):
        self.path("talk.lua", "print('hello there')\nworld { dim = 2, h = 1e-3, t_end = 0.01 }\n")
        done = self.moreau("run", "talk.lua", "--json")
        self.assertEqual(len(done.stdout.splitlines()), 1)
        self.assertIn("hello there", done.stderr)
        self.assertIn("hello there", json.loads(done.stdout)["messages"][0])


class Options(Case):
    def test_set(self):
        r = self.json("run", "scene.lua", "--set", "n=3", "--set", "mu=0.25", "--set", "word=a = b",
                      "--set", "slow=true")
        self.assertEqual(r["bodies"], 4)
        report = r["report"]
        self.assertEqual((report["n"], report["mu"], report["word"], report["slow"]), (3, 0.25, "a = b", True))

    def test_until_and_steps(self):
        self.assertEqual(self.json("run", "scene.lua", "--steps", "7")["steps"], 7)
        self.assertEqual(self.json("run", "scene.lua", "--steps", "0")["steps"], 0)
        self.assertEqual(self.json("run", "scene.lua", "--until", "0.05")["steps"], 50)
        self.assertEqual(self.json("run", "scene.lua", "--until", "0.3")["steps"], 300)

    def test_option_forms(self):
        self.assertEqual(self.moreau("run", "--steps=5", "--hash", "--quiet", "--", "scene.lua").stdout.strip(),
                         self.hash("scene.lua", "--steps", "5"))

    def test_seed(self):
        base = self.hash("scene.lua")
        self.assertEqual(self.hash("scene.lua", "--seed", "1"), base)
        self.assertNotEqual(self.hash("scene.lua", "--seed", "2"), base)
        self.json("run", "scene.lua", "--seed", "18446744073709551615", "--steps", "1")

    def test_hash_stands_before_the_object(self):
        lines = self.moreau("run", "scene.lua", "--json", "--hash").stdout.splitlines()
        self.assertEqual(lines[0], json.loads(lines[-1])["hash"])
        self.assertEqual(len(lines), 2)
        self.assertEqual(self.moreau("run", "scene.lua", "--hash").stdout.splitlines()[-1], lines[0])

    def test_threads_do_not_change_the_hash(self):
        hashes = {self.hash("scene.lua", "--set", "n=40", "--threads", k) for k in (1, 2, 4)}
        self.assertEqual(len(hashes), 1)
        # and the hash sees the state
        self.assertNotIn(self.hash("scene.lua", "--set", "n=40", "--steps", "199"), hashes)

    def test_recording_does_not_change_the_hash(self):
        self.assertEqual(self.hash("scene.lua", "-o", "run.h5"), self.hash("scene.lua"))


if __name__ == "__main__":
    main()
