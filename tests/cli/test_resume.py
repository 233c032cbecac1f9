"""Runs that are stopped, killed and resumed; runs compared."""
import json
import os
import shutil
import signal
import subprocess
import time

from support import MOREAU, Case, call, main, stop


class Interrupt(Case):
    def interrupt(self, number):
        process = self.start_endless("--json")
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 1, err)
        return json.loads(out.splitlines()[-1]), err

    def same_as_uninterrupted(self, *resume, killed=False):
        """Goes on for a while after the last frame and compares with a run that was never stopped."""
        frame = self.json("info", "run.h5")["time"]
        until = round(frame + 0.1, 6)
        self.moreau("run", "scene.lua", "--set", "n=12", "--set", "t_end=100000", "--until", until, "-o", "whole.h5",
                    "--quiet")
        whole = self.hash("scene.lua", "--set", "n=12", "--until", until)
        resumed = self.hash(*resume, "--resume", "run.h5", "--until", until)
        self.assertEqual(resumed, whole)
        compared = self.json("compare", "run.h5", "whole.h5")
        # an interruption between two steps records one frame more; inside a step, or a kill, none
        if killed:
            self.assertIs(compared["identical"], True)
        for name in ("max_position", "max_angle", "max_velocity", "final_max_position"):
            self.assertEqual(compared[name], 0)
        self.assertGreaterEqual(compared["frames"], 5)

    def test_ctrl_c_then_resume_gives_the_same_bits(self):
        result, err = self.interrupt(signal.SIGINT)
        self.assertRegex(result["status"], r"\Ainterrupted at t = [0-9.]+ s\Z")
        self.assertIs(result["interrupted"], True)
        self.assertIn("moreau run scene.lua --resume run.h5", err)
        self.assertIn("interrupted", self.json("info", "run.h5")["status"])
        self.same_as_uninterrupted("scene.lua")

    def test_terminated_then_resumed_without_naming_the_scene(self):
        result, _ = self.interrupt(signal.SIGTERM)
        self.assertIn("interrupted", result["status"])
        os.rename(self.path("scene.lua"), self.path("kept.lua"))
        self.assertEqual(call("run", "scene.lua", cwd=self.folder).returncode, 3)
        os.rename(self.path("kept.lua"), self.path("scene.lua"))
        self.same_as_uninterrupted()

    def test_killed_then_resumed(self):
        process = self.start_endless()
        process.send_signal(signal.SIGKILL)
        process.communicate()
        about = self.json("info", "run.h5")
        self.assertEqual(about["status"], "unfinished")
        self.assertGreaterEqual(about["frames"], 3)
        self.same_as_uninterrupted("scene.lua", killed=True)

    def test_a_chunk_that_takes_long_ends_too(self):
        self.path("busy.lua", "local x = 0\nfor i = 1, 1e9 do x = x + math.sin(i) end\n"
                              "world { dim = 2, h = 1e-3, t_end = 1 }\n")
        process = subprocess.Popen([MOREAU, "run", "busy.lua", "--json"], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(stop, process)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=10)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(json.loads(out)["status"], r"busy\.lua:2: interrupted")

    def test_a_step_of_a_system_that_takes_long_ends_too(self):
        # 3e7 substeps of the stiff contact, about a minute, in every step
        self.path("stiff.lua", "system { q = {1}, u = {-1}, h = 1, t_end = 2, scheme = 'compliant',\n"
                               "         stiffness_contact = 1e13, gaps = { function(t, q) return q[1] + 9 end } }\n")
        process = subprocess.Popen([MOREAU, "run", "stiff.lua", "-o", "stiff.h5", "--json"], cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(stop, process)
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=10)
        self.assertEqual(process.returncode, 1, err)
        self.assertEqual(json.loads(out)["status"], "interrupted at t = 0 s")
        self.assertIn("interrupted inside a step; the run can be resumed from its last checkpoint", err)
        about = self.json("info", "stiff.h5")
        self.assertEqual((about["status"], about["time"]), ("interrupted", 0))

    def test_second_signal_kills(self):
        # ten thousand exact steps of a hard problem between two looks at the flag
        self.path("slow.lua", """world { dim = 2, h = 1e-3, t_end = 1, gravity = {0, -9.81},
        solver = { tol = 0, max_iter = 1000000000 } }
law { friction = 0.5 }
body { shape = halfplane { normal = {0, 1}, offset = 0 }, fixed = true }
for i = 0, 199 do
  body { shape = rectangle { 0.1, 0.1 }, density = 1000, position = {0.01 * (i % 2), 0.05 + 0.1 * i} }
end
""")
        process = subprocess.Popen([MOREAU, "run", "slow.lua"], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(stop, process)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        self.assertIsNone(process.poll(), "a single step was to take longer than this")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=10)
        self.assertEqual(process.returncode, -signal.SIGINT)


class Resume(Case):
    def test_in_pieces_like_in_one(self):
        whole = self.hash("scene.lua", "--set", "n=6", "-o", "whole.h5")
        self.moreau("run", "scene.lua", "--set", "n=6", "--until", "0.06", "-o", "parts.h5", "--quiet")
        self.moreau("run", "scene.lua", "--resume", "parts.h5", "--until", "0.14", "--quiet")
        self.assertEqual(self.hash("scene.lua", "--resume", "parts.h5"), whole)
        self.assertIs(self.json("compare", "whole.h5", "parts.h5")["identical"], True)
        about = self.json("info", "parts.h5")
        self.assertEqual((about["frames"], about["steps"], about["status"]), (11, 200, "ok"))

    def test_a_seed_given_anew_is_the_one_the_text_gets(self):
        # the seed was told in the result, while the text got that of the file
        self.path("seeded.lua", "world { dim = 2, h = 1e-2, t_end = 0.1 }\nprint(math.random())\n"
                                "body { shape = disc { radius = 0.1 }, density = 1 }\n")
        other = self.json("run", "seeded.lua", "--seed", "2")["messages"]
        mine = self.json("run", "seeded.lua", "--until", "0.05", "-o", "seeded.h5")["messages"]
        self.assertNotEqual(mine, other)
        again = self.json("run", "seeded.lua", "--resume", "seeded.h5", "--until", "0.07")
        self.assertEqual((again["seed"], again["messages"]), (1, mine))
        anew = self.json("run", "seeded.lua", "--resume", "seeded.h5", "--seed", "2")
        self.assertEqual((anew["seed"], anew["messages"]), (2, other))

    def test_sleepers_go_on_sleeping(self):
        self.path("nap.lua", """world { dim = 2, h = 5e-3, t_end = 2, gravity = {0, -9.81}, sleeping = true }
law { friction = 0.5 }
body { shape = halfplane { normal = {0, 1}, offset = 0 }, fixed = true }
for i = 0, 3 do
  body { shape = rectangle { 0.2, 0.1 }, density = 1000, position = {i // 2, 0.05 + 0.1 * (i % 2)} }
end
body { shape = disc { radius = 0.05 }, density = 1000, position = {0.02, 8} }
""")
        whole = self.hash("nap.lua", "-o", "whole.h5")
        # while they count, while all sleep, while two are awake again
        self.moreau("run", "nap.lua", "--until", "0.26", "-o", "parts.h5", "--quiet")
        counted = self.json("run", "nap.lua", "--resume", "parts.h5", "--until", "1")
        self.assertEqual(counted["asleep"], 4)
        woken = self.json("run", "nap.lua", "--resume", "parts.h5", "--until", "1.3")
        self.assertEqual(woken["asleep"], 2)
        self.assertEqual(self.hash("nap.lua", "--resume", "parts.h5"), whole)
        self.assertIs(self.json("compare", "whole.h5", "parts.h5")["identical"], True)

    def test_discs_that_grow_are_as_large_as_they_were(self):
        """The inertia of a cell under a stress goes by the sizes of its discs, which used to be those of the start."""
        self.path("grow.lua", """
world { dim = 2, h = 1e-3, t_end = 0.06, periodic = { x = {0, 1}, y = {0, 1} } }
local function grown(t) return 0.1 + t end
for i = 1, 4 do body { shape = disc { radius = grown }, mass = 1, position = {0.25 * i, 0.25 * (i * i % 4)}, group = "grain" } end
cell { stress = { xx = 100, yy = 100 } }
on_step(function(t)
  if state.solid == nil and t > 0.0405 then state.solid = measure.solid_fraction() end
end)
at_end(function() report("solid", state.solid or 0) end)
""")
        whole = self.json("run", "grow.lua", "--quiet")
        self.moreau("run", "grow.lua", "--until", "0.041", "-o", "grow.h5", "--quiet")
        resumed = self.json("run", "grow.lua", "--resume", "grow.h5", "--quiet")
        self.assertEqual(resumed["hash"], whole["hash"])
        self.assertEqual(resumed["report"], whole["report"])

    def test_another_scene_is_refused(self):
        self.moreau("run", "scene.lua", "--until", "0.06", "-o", "run.h5", "--quiet")
        self.path("other.lua", "world { dim = 2, h = 2e-3, t_end = 1 }\n"
                               "body { shape = disc { radius = 1 }, density = 1 }\n")
        done = call("run", "other.lua", "--resume", "run.h5", cwd=self.folder)
        self.assertIn(done.returncode, (2, 3), done.stderr)
        # and the file is as it was
        self.assertEqual(self.json("info", "run.h5")["frames"], 4)


# 100 steps to 0.1 s each
KINDS = {
    "world": """world { dim = 2, h = 1e-3, t_end = 0.1, gravity = {0, -9.81} }
body { shape = disc { radius = 1 }, density = 1 }
""",
    "system": """system { scheme = "moreau", q = 0, u = 1, mass = 1, h = 1e-3, t_end = 0.1,
         force = function(t, q, u) return 0 end }
""",
    "sweep": """sweep { x = {0}, h = 1e-3, t_end = 0.1,
        set = interval { center = function(t) return t end, radius = 0.01 } }
"""}


class Past(Case):
    """Ends that the file is past: going on cannot lead there."""

    def setUp(self):
        super().setUp()
        for kind, text in KINDS.items():
            self.path(kind + ".lua", text)
            self.moreau("run", kind + ".lua", "-o", kind + ".h5", "--quiet")

    def bytes(self, kind):
        with open(self.path(kind + ".h5"), "rb") as file:
            return file.read()

    def test_is_refused_and_the_file_stays(self):
        for kind in KINDS:
            for option, value in ("--until", "0.05"), ("--steps", "50"):
                before = self.bytes(kind)
                done = self.moreau("run", "--resume", kind + ".h5", option, value, expect=2)
                for word in option, "t = 0.05 s (50 steps)", "t = 0.1 s (100 steps)":
                    self.assertIn(word, done.stderr)
                self.assertEqual(self.bytes(kind), before, kind)

    def test_is_refused_for_another_file_too(self):
        for kind in KINDS:
            self.moreau("run", "--resume", kind + ".h5", "--until", "0.05", "-o", "new.h5", expect=2)
            self.assertFalse(os.path.exists(self.path("new.h5")), kind)

    def test_is_refused_when_it_is_the_scenes_own(self):
        for kind in KINDS:
            self.moreau("run", "--resume", kind + ".h5", "--until", "0.2", "--quiet")
            before = self.bytes(kind)
            done = self.moreau("run", "--resume", kind + ".h5", expect=2)
            for word in "t_end", "t = 0.1 s", "t = 0.2 s":
                self.assertIn(word, done.stderr)
            self.assertEqual(self.bytes(kind), before, kind)

    def test_at_the_end_there_is_nothing_to_do(self):
        for kind in KINDS:
            # what rounds to the same step counts as the same time
            for end in ("--until", "0.1"), ("--until", "0.0999"), ("--steps", "100"), ():
                shutil.copy(self.path(kind + ".h5"), self.path("before.h5"))
                about = self.json("info", kind + ".h5")
                self.moreau("run", "--resume", kind + ".h5", *end, "--quiet")
                self.assertIs(self.json("compare", "before.h5", kind + ".h5")["identical"], True)
                after = self.json("info", kind + ".h5")
                for key in "time", "t_end", "steps", "frames", "status":
                    self.assertEqual(after.get(key), about.get(key), f"{kind} {key}")


class Compare(Case):
    def test_different_runs(self):
        self.moreau("run", "scene.lua", "-o", "a.h5", "--quiet")
        self.moreau("run", "scene.lua", "--seed", "2", "-o", "b.h5", "--quiet")
        c = self.json("compare", "a.h5", "b.h5")
        self.assertIs(c["identical"], False)
        self.assertGreater(c["max_position"], 0)
        self.assertGreater(c["max_velocity"], 0)
        self.assertEqual((c["frames"], c["bodies"]), (11, 3))
        self.assertIn("different", self.moreau("compare", "a.h5", "b.h5").stdout)


if __name__ == "__main__":
    main()
