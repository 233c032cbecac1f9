"""Figures of the papers, reduced: pages with numbers, tables with rows, drawings that are XML, pictures that are PNG."""

import csv
import os
import random
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
import zlib

PROGRAM = os.path.abspath(sys.argv.pop(1))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPTS = os.path.join(ROOT, "scripts", "figures")
sys.path.insert(0, SCRIPTS)

import gallery  # noqa: E402
import pages  # noqa: E402
import png  # noqa: E402
import stats  # noqa: E402


class Figures(unittest.TestCase):
    def test_pages_tables_and_pictures(self):
        names = ("catching-up", "impact", "rocking")
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-B", os.path.join(SCRIPTS, "figures.py"), "--program", PROGRAM, "--small", folder]
            for name in names:
                command += ["--only", name]
            done = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            for name in names:
                with open(os.path.join(folder, name + ".md"), encoding="utf-8") as file:
                    page = file.read()
                for part in ("**Set-up.**", "**The paper.**", "**Here.**", "**Not known from the paper.**"):
                    self.assertIn(part, page)
                with open(os.path.join(folder, name + ".csv"), encoding="utf-8", newline="") as file:
                    rows = list(csv.DictReader(file))
                self.assertGreater(len(rows), 10)
                self.assertTrue(all(row["x"] == "" or float(row["x"]) == float(row["x"]) for row in rows))
                xml.etree.ElementTree.parse(os.path.join(folder, name + ".svg"))
                with open(os.path.join(folder, "images", name + ".png"), "rb") as file:
                    self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_unknown_figures_are_told(self):
        done = subprocess.run([sys.executable, "-B", os.path.join(SCRIPTS, "figures.py"), "--only", "colum"], capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("column", done.stderr)

    def test_scenes_exist(self):
        for figure in pages.FIGURES:
            self.assertTrue(os.path.exists(os.path.join(ROOT, "examples", "papers", figure.scene + ".lua")), figure.scene)


class Gallery(unittest.TestCase):
    def test_heads_of_the_examples(self):
        for name, path in gallery.scenes().items():
            title, text, _, _ = gallery.header(path)
            self.assertTrue(title and text, name)
            self.assertLess(len(title), 200, name)

    def test_sentences(self):
        self.assertEqual(gallery.sentences("One is 1.5 m. Two. Three is longer.", 20), "One is 1.5 m. Two.")
        self.assertEqual(gallery.sentences("A long one that does not end", 5), "A long one that does not end")
        self.assertEqual(gallery.sentences("As in Phys. Rev. E 7, 1 by J. Doe. More.", 9), "As in Phys. Rev. E 7, 1 by J. Doe.")

    def test_pictures_are_small(self):
        for entry in os.scandir(gallery.IMAGES):
            self.assertLessEqual(entry.stat().st_size, gallery.LARGEST, entry.name)


class Pages(unittest.TestCase):
    def test_columns_that_still_rock(self):
        report = {"drift_mm": [12.0, 9.0], "turned_degrees": [-4.0, 3.0], "fallen": 0, "impulse_error": [1e-16, 0.0, 0.0], "kinetic_energy": 0.52}
        self.assertIn("What moves at the end has 0.5 J.", pages.column({"report": report}))

    def test_nothing_has_no_sign(self):
        report = {"rise_over_depth": -0.002, "cycles_to_the_surface": None, "middle_mm_per_cycle": 0.4, "edge_mm_per_cycle": -1.0}
        text = pages.segregation({"report": dict(report, rise_over_depth=0.594)}, {"report": report})
        self.assertIn("the large disc rises by 0 %", text)
        self.assertIn("The large disc rises by 59 % of the depth of the bed.", text)


class Png(unittest.TestCase):
    def test_fewer_colours(self):
        # 40 x 30 with a gradient, by every filter of PNG
        width, height = 40, 30
        pixels = [((5 * x) % 256, (7 * y) % 256, (x * y) % 256) for y in range(height) for x in range(width)]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.png")
            self.write_filtered(path, width, height, pixels)
            self.assertEqual(png.read(path), (width, height, pixels))
            png.fewer_colours(path, 64)
            kinds = list(self.parts_of(path))
            self.assertEqual(kinds, [b"IHDR", b"PLTE", b"IDAT", b"IEND"])
            palette, rows = self.palette_of(path)
            self.assertLessEqual(len(palette), 64)
            shown = [palette[rows[y * (width + 1) + 1 + x]] for y in range(height) for x in range(width)]
            worst = max(max(abs(a - b) for a, b in zip(p, q)) for p, q in zip(pixels, shown))
            self.assertLess(worst, 80)
            mean = sum(abs(a - b) for p, q in zip(pixels, shown) for a, b in zip(p, q)) / (3 * len(pixels))
            self.assertLess(mean, 16)

    def test_as_many_colours_as_fit(self):
        # noise cannot be compressed: three bytes a pixel, one with 256 colours, log2(96) bits with 96
        most = gallery.LARGEST // 100
        noise = random.Random(1).randbytes(3 * 110 * most)
        pixels = [tuple(noise[i:i + 3]) for i in range(0, len(noise), 3)]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.png")
            for width, height, colours in ((20, most, 0), (85, most, 256), (110, most, 96)):
                self.write_filtered(path, width, height, pixels[:width * height])
                self.assertTrue(gallery.made_small(path))
                self.assertLessEqual(os.path.getsize(path), gallery.LARGEST)
                self.assertEqual(len(self.parts_of(path).get(b"PLTE", b"")), 3 * colours)

    def parts_of(self, path):
        with open(path, "rb") as file:
            return dict(png.chunks(file.read()))

    def palette_of(self, path):
        parts = self.parts_of(path)
        return [tuple(parts[b"PLTE"][i:i + 3]) for i in range(0, len(parts[b"PLTE"]), 3)], zlib.decompress(parts[b"IDAT"])

    def write_filtered(self, path, width, height, pixels):
        rows, before = b"", bytes(3 * width)
        for y in range(height):
            row = b"".join(bytes(p) for p in pixels[y * width:(y + 1) * width])
            kind = y % 5
            coded = bytes((row[i] - (png.predict(kind, row[i - 3] if i > 2 else 0, before[i], before[i - 3] if i > 2 else 0) if kind else 0)) & 255
                          for i in range(3 * width))
            rows, before = rows + bytes([kind]) + coded, row

        def chunk(kind, body):
            return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        with open(path, "wb") as file:
            file.write(png.SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows))
                       + chunk(b"IEND", b""))


class Statistics(unittest.TestCase):
    def test_mean_and_spread(self):
        self.assertEqual(stats.mean([1.0, 2.0, 6.0]), 3.0)
        self.assertAlmostEqual(stats.spread([1.0, 2.0, 6.0]), 7.0 ** 0.5)

    def test_changes_are_told(self):
        # coordination 3 with a spread of 0.1: half the step changes it by half of that, a tenth of the tolerance by twice as much
        def run(z):
            return {"report": {"coordination": z}}
        runs = {"fine-sandpile": [run(2.9), run(3.0), run(3.1)], "fine-sandpile-half": [run(3.05)], "fine-sandpile-tight": [run(3.2)]}
        kept, stats.results = stats.results, lambda case: runs[case]
        try:
            rows = stats.refined("fine-sandpile")
        finally:
            stats.results = kept
        self.assertIn("| coordination | 3 ± 0.06 | 0.1 | 3.05 | 3.2 | 2.00 |", rows)
        # 0.2 is less than twice 0.1 sqrt(1/3 + 1)
        self.assertTrue(rows[-1].endswith("Changed by more than the spread: coordination; by more than twice the error of the difference of means: nothing."))

    def pile(self, pressure):
        """A triangle of half width 2 m with a given pressure, 40 bins of 0.1 m."""
        at = [0.1 * (k + 0.5) for k in range(-20, 20)]
        return {"report": {"pressure_at": at, "pressure": [pressure(abs(x)) for x in at], "half_width": 2.0, "weight": 2000.0}}

    def test_profile_of_a_triangle(self):
        # weight 2000 N = 1000 Pa at the middle times the half width
        inner = stats.profile(self.pile(lambda x: 1000 * (1 - x / 2)), 10)
        for k, p in enumerate(inner):
            self.assertAlmostEqual(p, 1 - (k + 0.5) / 10, places=9)

    def test_a_dip_is_found_where_there_is_one(self):
        dipped = [self.pile(lambda x, s=s: 800 - (300 + s if x < 0.2 else 0)) for s in range(10)]
        inner, ring, difference, error = stats.dip(dipped)
        self.assertAlmostEqual(ring, 0.8)
        self.assertAlmostEqual(inner, 0.4955)
        self.assertAlmostEqual(difference, -0.3045)
        self.assertLess(error, 0.002)
        self.assertIn("more than twice", stats.verdict(difference, error))
        # a triangle has none, however little it scatters
        level = [self.pile(lambda x, s=s: 1000 * (1 - x / 2) + (s if x < 0.2 else 0)) for s in range(-5, 6)]
        _, _, difference, error = stats.dip(level)
        self.assertAlmostEqual(difference, 0.15)
        self.assertIn("no dip", stats.verdict(difference, error))


if __name__ == "__main__":
    unittest.main()
