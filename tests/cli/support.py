"""What the tests of the program share: calling it, a folder per test, a small scene."""
import csv
import io
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

MOREAU = os.environ.get("MOREAU", "moreau")
# for programs built with the address sanitizer
HERE = os.path.dirname(os.path.abspath(__file__))
os.environ.setdefault("LSAN_OPTIONS", f"print_suppressions=0:suppressions={HERE}/lsan.supp")

# discs above a floor; fast, and with enough contacts to make the order of operations matter
SCENE = """-- Discs fall on a floor.
local n = param("n", 2, "number of discs")
local mu = param("mu", 0.5, "friction")
local word = param("word", "none", "any text")
local slow = param("slow", false, "start at rest")
world { dim = 2, h = 1e-3, t_end = param("t_end", 0.2, "s"), gravity = {0, -9.81}, record = { every = 0.02 } }
law { friction = mu }
body { shape = halfplane { normal = {0, 1}, offset = 0 }, fixed = true, group = "floor" }
local first
for i = 1, n do
  local x = slow and 0 or 0.1 * (math.random() - 0.5)
  local b = body { shape = disc { radius = 0.05 }, density = 1000, group = "grain",
                   position = {0.12 * (i % 6), 0.06 + 0.11 * (i // 6)}, velocity = {x, 0} }
  first = first or b
end
observe("height", function(t) return first.position[2] end)
report("n", n)
report("mu", mu)
report("word", word)
report("slow", slow)
report("tenth", 0.1)
at_end(function() report("height", first.position[2]) end)
"""


def call(*arguments, **options):
    """Runs the program; text in, out and err, never a terminal."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    if "input" not in options:
        options["stdin"] = subprocess.DEVNULL
    return subprocess.run([MOREAU, *map(str, arguments)], text=True, timeout=60, **options)


class Case(unittest.TestCase):
    """Each test works in an empty folder that is its current one."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="moreau-cli-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.path("scene.lua", SCENE)

    def path(self, name, text=None):
        path = os.path.join(self.folder, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return path

    def moreau(self, *arguments, expect=0, **options):
        done = call(*arguments, cwd=self.folder, **options)
        self.assertEqual(done.returncode, expect, f"moreau {arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def json(self, *arguments, expect=0):
        """The object on the last line of standard output."""
        done = self.moreau(*arguments, "--json", expect=expect)
        self.assertTrue(done.stdout.endswith("\n"), done.stdout)
        value = json.loads(done.stdout.splitlines()[-1], parse_constant=self.fail)
        self.assertIsInstance(value, dict)
        return value

    def hash(self, *arguments):
        done = self.moreau("run", *arguments, "--quiet", "--hash")
        self.assertRegex(done.stdout, r"\A[0-9a-f]{16}\n\Z")
        return done.stdout.strip()

    def start_endless(self, *arguments):
        """A recorded run that ends only when told to; returns once some frames are in the file."""
        process = subprocess.Popen(
            [MOREAU, "run", "scene.lua", "--set", "n=12", "--set", "t_end=100000", "-o", "run.h5", *arguments],
            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(stop, process)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            done = call("info", "run.h5", "--json", cwd=self.folder)
            if done.returncode == 0 and json.loads(done.stdout)["frames"] >= 3:
                return process
            self.assertIsNone(process.poll(), "the run ended by itself")
            time.sleep(0.05)
        self.fail("no frames in the file after 30 s")


class PathCase(Case):
    """Runs of a point: sweeps and systems."""

    def table(self, file, *arguments):
        text = self.moreau("export", file, "--to", "csv", *arguments, "-o", "-").stdout
        rows = list(csv.reader(io.StringIO(text)))
        return rows[0], rows[1:]

    def record(self, name, text, *arguments):
        """NAME.h5 of the scene NAME.lua; what the program says about it."""
        self.path(name + ".lua", text)
        return self.json("run", name + ".lua", "-o", name + ".h5", *arguments)


def stop(process):
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
    process.communicate()


def main():
    unittest.main(verbosity=2)
