"""Pictures of runs recorded from scenes, pixel by pixel: what is where, how large, and still where it should be still."""
import math
import os
import zlib
from collections import Counter

from support import Case, main

# two discs of groups of their own fly apart above a fixed block; the larger one has twice the radius
DISCS = """
world { dim = 2, h = 1e-2, t_end = 1, record = { every = 0.25 } }
body { shape = rectangle { 6, 0.4 }, fixed = true, position = {0, -2} }
body { shape = disc { radius = 0.5 }, density = 1, group = "small", position = {-1, 0}, velocity = {-2, 0} }
body { shape = disc { radius = 1 }, density = 1, group = "large", position = {2, 0.5}, velocity = {1, 1} }
"""
WIDTH = 400


def unfilter(kind, line, above, step=3):
    """One row of a PNG (RFC 2083, 6)."""
    for i, byte in enumerate(line):
        a = line[i - step] if i >= step else 0
        b, c = above[i], above[i - step] if i >= step else 0
        nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
        line[i] = (byte + (0, a, b, (a + b) // 2, nearest)[kind]) & 255
    return line


def pixels(data):
    """Rows of (r, g, b) of a PNG with 8 bits a channel."""
    at, body, width = 8, b"", int.from_bytes(data[16:20], "big")
    assert data[24:29] == b"\x08\x02\x00\x00\x00", data[24:29]
    while at < len(data):
        length, name = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        body += data[at + 8:at + 8 + length] if name == b"IDAT" else b""
        at += 12 + length
    body, row, rows = zlib.decompress(body), bytearray(3 * width), []
    for start in range(0, len(body), 3 * width + 1):
        row = unfilter(body[start], bytearray(body[start + 1:start + 1 + 3 * width]), row)
        rows.append([tuple(row[i:i + 3]) for i in range(0, 3 * width, 3)])
    return rows


class Blob:
    """Pixels of one colour: how many, and their middle with y upwards."""

    def __init__(self, rows, color):
        places = [(x, -y) for y, row in enumerate(rows) for x, pixel in enumerate(row) if pixel == color]
        self.area = len(places)
        self.x, self.y = (sum(p[k] for p in places) / self.area for k in (0, 1))


class Pictures(Case):
    def setUp(self):
        super().setUp()
        self.path("discs.lua", DISCS)
        self.moreau("run", "discs.lua", "-o", "run.h5", "--quiet")

    def draw(self, *arguments):
        self.moreau("export", "run.h5", "--to", "png", "--width", WIDTH, "--color", "group", *arguments)

    def read(self, *name):
        """Rows above the strip with the legend, and the size of the whole."""
        with open(self.path(os.path.join(*name)), "rb") as file:
            rows = pixels(file.read())
        return rows[:len(rows) - math.ceil(5.3 * WIDTH / 62)], (len(rows[0]), len(rows))

    def discs(self, rows):
        """The blobs of the small and the large disc: the two colours, greys apart, that are seen most."""
        seen = Counter(p for row in rows for p in row if max(p) - min(p) > 40)
        large, small = (Blob(rows, color) for color, _ in seen.most_common(2))
        return small, large

    def test_bodies_stand_where_they_are(self):
        self.draw("--frame", "0", "-o", "p.png")
        small, large = self.discs(self.read("p.png")[0])
        # outlines and the tick that shows the angle take a little of each disc
        scale = math.sqrt(large.area / math.pi)
        self.assertAlmostEqual(math.sqrt(small.area / math.pi) / scale, 0.5, delta=0.02)
        self.assertAlmostEqual((large.x - small.x) / scale, 3, delta=0.1)
        self.assertAlmostEqual((large.y - small.y) / scale, 0.5, delta=0.1)

    def test_film_does_not_jump(self):
        """Every picture used to be fitted to its own frame, so that what stands still moved."""
        self.draw("--frame", "all", "-o", "film")
        frames = [self.read("film", name) for name in sorted(os.listdir(self.path("film")))]
        self.assertEqual(len(frames), 5)
        self.assertEqual(len({size for _, size in frames}), 1)
        paths = [self.discs(rows) for rows, _ in frames]
        scale = math.sqrt(paths[0][1].area / math.pi)
        for (small, large), t in zip(paths, (0, 0.25, 0.5, 0.75, 1)):
            for blob, first, v in ((small, paths[0][0], (-2, 0)), (large, paths[0][1], (1, 1))):
                self.assertAlmostEqual(blob.area / first.area, 1, delta=0.02)
                self.assertAlmostEqual((blob.x - first.x) / scale, v[0] * t, delta=0.05)
                self.assertAlmostEqual((blob.y - first.y) / scale, v[1] * t, delta=0.05)

    def test_one_frame_is_fitted(self):
        """A single picture shows its own frame, as large as it gets."""
        self.draw("--frame", "all", "-o", "film")
        self.draw("--frame", "0", "-o", "p.png")
        alone, in_film = (self.discs(rows)[1].area for rows, _ in (self.read("p.png"), self.read("film", "frame-00000.png")))
        self.assertGreater(alone, 1.2 * in_film)

    def test_film_of_bodies_that_come_later(self):
        """A frame without bodies is fitted to nothing; it must not make the later ones small."""
        self.path("late.lua", """
world { dim = 2, h = 1e-2, t_end = 0.04, record = { every = 0.01 } }
at(0.02, function() body { shape = disc { radius = 1e-3 }, density = 1, group = "a" } end)
""")
        self.moreau("run", "late.lua", "-o", "run.h5", "--quiet")
        self.draw("--frame", "all", "-o", "film")
        rows, _ = self.read("film", "frame-00004.png")
        seen = Counter(p for row in rows for p in row if max(p) - min(p) > 40)
        self.assertGreater(seen.most_common(1)[0][1], 1000)

    def test_discs_that_grow(self):
        """Discs used to be drawn with their radius of the start, whatever it had become."""
        for name, radius in (("grown", "function(t) return 1 + t end"), ("large", "2")):
            self.path("grows.lua", f"""
world {{ dim = 2, h = 1e-2, t_end = 1, record = {{ every = 0.25 }} }}
body {{ shape = disc {{ radius = 0.5 }}, mass = 1, group = "small", position = {{-4, 0}} }}
body {{ shape = disc {{ radius = {radius} }}, mass = 1, group = "large" }}
""")
            self.moreau("run", "grows.lua", "-o", "run.h5", "--quiet")
            self.draw("-o", name + ".png")
        self.assertEqual(self.read("grown.png"), self.read("large.png"))

    def test_same_run_same_bytes(self):
        for name in ("a", "b"):
            self.draw("-o", name + ".png")
        self.assertEqual(self.read("a.png"), self.read("b.png"))


if __name__ == "__main__":
    main()
