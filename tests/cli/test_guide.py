"""docs/guide/first-steps.md: its scenes and commands, run in the order of the page, and what it says of them."""
import csv
import importlib.util
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import unittest
import xml.etree.ElementTree

from support import MOREAU, Case, call, main

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
PACKAGE = importlib.util.find_spec("moreau") is not None


def blocks(page):
    """(language, text, name of the file the prose before it names, whether it is added to that file) of every block."""
    with open(os.path.join(ROOT, "docs/guide", page), encoding="utf-8") as file:
        pieces = re.split(r"^```(\w*)\n(.*?)^```$", file.read(), flags=re.M | re.S)
    for prose, language, text in zip(pieces[::3], pieces[1::3], pieces[2::3]):
        said = prose.strip().rpartition("\n")[2]
        names = re.findall(r"`([\w.-]+\.(?:lua|py))`:$", said)
        yield language, text, names[0] if names else None, " end of " in said


class Page(Case):
    """Follows the page; what the commands print is in self.out, by command."""

    def setUp(self):
        super().setUp()
        # the reader's build folder, and this interpreter
        os.mkdir(self.path("build"))
        os.symlink(os.path.abspath(shutil.which(MOREAU)), self.path("build/moreau"))
        self.environment = dict(os.environ, PATH=self.path("build") + os.pathsep + os.environ["PATH"])
        self.path("build/python3", f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -B "$@"\n')
        os.chmod(self.path("build/python3"), 0o755)
        self.out = {}

    def follow(self, python):
        for language, text, name, added in blocks("first-steps.md"):
            if language == "sh":
                for line in text.splitlines():
                    self.command(line, python)
                continue
            self.assertIsNotNone(name, "no file is named for\n" + text)
            self.assertEqual(os.path.exists(self.path(name)), added, name)
            with open(self.path(name), "a", encoding="utf-8") as file:
                file.write(text)

    def command(self, line, python):
        words = shlex.split(line)
        if words[0] == "make":
            with open(os.path.join(ROOT, "Makefile"), encoding="utf-8") as file:
                rules = set(re.findall(r"^([a-z-]+):", file.read(), re.M))
            self.assertLessEqual(set(words[1:]), rules, line)
            return
        if words[:2] == ["moreau", "view"]:
            # it would wait for Ctrl-C: there is such a command and such a file
            self.moreau("view", "--help")
            self.moreau("info", *words[2:])
            return
        if words[0] == "python3" and not python:
            return
        done = subprocess.run(["bash", "-euc", line], cwd=self.folder, env=self.environment, text=True, timeout=60,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 0, f"{line}\n{done.stdout}\n{done.stderr}")
        self.out[line] = done.stdout
        if "-o" in words:
            self.assertGreater(os.path.getsize(self.path(words[words.index("-o") + 1])), 0, line)

    def said(self, beginning):
        """What the last command that begins like this printed."""
        return [out for line, out in self.out.items() if line.startswith(beginning)][-1]

    def rows(self, name):
        with open(self.path(name), encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def widths(self, mu):
        return [float(row["width"]) for row in self.rows("heaps.csv") if row["mu"] == mu]


class FirstSteps(Page):
    def test_every_command(self):
        self.follow(python=False)
        self.assertGreaterEqual(len(self.out), 15)
        self.look()
        self.parameters()
        self.measures()
        self.sweep()
        self.paraview()

    def look(self):
        with open(self.path("heap.png"), "rb") as heap, open(self.path("falling.png"), "rb") as falling:
            pictures = heap.read(), falling.read()
        self.assertNotEqual(*pictures)
        self.assertTrue(all(picture.startswith(b"\x89PNG") for picture in pictures))
        # a frame every 0.02 s
        table = self.moreau("export", "collapse.h5", "--to", "csv", "--frame", "15", "-o", "-").stdout.splitlines()
        self.assertAlmostEqual(float(table[1].split(",")[0]), 0.3, delta=5e-4)
        for word in "status       ok", "penetration", "solver":
            self.assertIn("\n" + word, "\n" + self.said("moreau run collapse.lua -o"))

    def parameters(self):
        for word in "mu", "0.5", "friction coefficient", "number of grains":
            self.assertIn(word, self.said("moreau run collapse.lua --help"))
        for name, count in ("slippery.h5", 31), ("few.h5", 16), ("collapse.h5", 31):
            frame = self.moreau("export", name, "--to", "csv", "--frame", "last", "-o", "-").stdout.splitlines()
            self.assertEqual(len(frame) - 1, count, name)
        self.assertEqual(call("run", "collapse.lua", "--set", "no=1", cwd=self.folder).returncode, 2)

    def measures(self):
        self.assertRegex(self.said("moreau run collapse.lua -o"), r"report +width")
        series = self.rows("series.csv")
        self.assertEqual(list(series[0]), ["t", "width", "load"])
        # nothing bears at first, more than the weight in the fall, the weight at the end
        loads = [float(row["load"]) for row in series]
        self.assertEqual(loads[0], 0)
        self.assertGreater(max(loads), 1.2)
        self.assertAlmostEqual(loads[-1], 1, delta=0.01)
        self.assertGreater(float(series[-1]["width"]), 1.5 * float(series[0]["width"]))

    def sweep(self):
        self.assertIn("15 runs: 3 done, 12 kept, 0 failed", self.said("moreau sweep-params"))
        rows = self.rows("heaps.csv")
        self.assertEqual([row["status"] for row in rows], ["ok"] * 15)
        for row in rows:
            self.assertAlmostEqual(float(row["load"]), 1, delta=0.01)
        # over 40 seeds 1.12 m, 0.72 m and 0.69 m, scatter 0.18 m, 0.10 m and 0.12 m: with five, over four errors apart
        for mu in "0.4", "0.8":
            self.assertGreater(statistics.mean(self.widths("0.2")), statistics.mean(self.widths(mu)), mu)

    def paraview(self):
        xml.etree.ElementTree.parse(self.path("collapse.xdmf"))
        for name in "bodies", "contacts":
            sets = xml.etree.ElementTree.parse(self.path(f"collapse-vtk/{name}.pvd")).iter("DataSet")
            files = [one.get("file") for one in sets]
            self.assertEqual(len(files), 101)
            for file in files:
                self.assertTrue(os.path.exists(self.path("collapse-vtk/" + file)), file)


@unittest.skipUnless(PACKAGE, "the package moreau is not there")
@unittest.skipIf(os.environ.get("MOREAU_SANITIZED"), "long in a sanitized build, and nothing in it is new to it")
class InPython(Page):
    def test_python(self):
        self.follow(python=True)
        said = self.said("python3 ")
        for mu in "0.2", "0.4", "0.8":
            mean, scatter = statistics.mean(self.widths(mu)), statistics.stdev(self.widths(mu))
            self.assertIn(f"friction {mu}: width {mean:.2f} m, scatter {scatter:.2f} m, 5 runs", said)
        widest = max(float(row["width"]) for row in self.rows("series.csv"))
        self.assertAlmostEqual(float(re.search(r"widest (\S+) m", said)[1]), widest, delta=1e-12)
        with open(self.path("last.png"), "rb") as file:
            self.assertEqual(file.read(4), b"\x89PNG")


if __name__ == "__main__":
    main()
