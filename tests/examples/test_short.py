"""test_short.py MOREAU SCENE: a shipped scene that is ended early ends well or with checks that fail, never with an error."""
import subprocess
import sys
import unittest


class Short(unittest.TestCase):
    def run_until(self, *end):
        done = subprocess.run([moreau, "run", scene, "--quiet", *end], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        if done.returncode == 1:
            self.assertIn("check failed", done.stderr)

    def test_two_steps(self):
        self.run_until("--steps", "2")

    def test_no_step(self):
        # less than half a step of any of them
        self.run_until("--until", "1e-9")


if __name__ == "__main__":
    moreau, scene = sys.argv[1:]
    unittest.main(argv=sys.argv[:1], verbosity=2)
