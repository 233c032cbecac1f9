"""Pictures of a run in 3D: named views lie as they should, angles and projections have their effect."""
import os

from support import Case, main
from test_pictures import pixels

# a blue ball at the origin, an orange one to the right (x), behind (y) and above (z) it, each by another length
BALLS = """
world { dim = 3, h = 1e-2, t_end = 0.1, record = { every = 0.05 } }
body { shape = sphere { radius = 0.3 }, density = 1, group = "blue" }
body { shape = sphere { radius = 0.3 }, density = 1, group = "orange", position = {1, 2, 3} }
"""


def middle(rows, is_wanted):
    """Middle of the pixels that are wanted, y upwards, and half their width."""
    places = [(x, -y) for y, row in enumerate(rows) for x, p in enumerate(row) if is_wanted(p)]
    wide = [x for x, _ in places]
    return [sum(p[k] for p in places) / len(places) for k in (0, 1)] + [(max(wide) - min(wide) + 1) / 2]


class SolidPictures(Case):
    def setUp(self):
        super().setUp()
        self.path("balls.lua", BALLS)
        self.moreau("run", "balls.lua", "-o", "run.h5", "--quiet")

    def balls(self, *arguments):
        """(x, y) from the blue to the orange ball in metres, and the radii in pixels."""
        self.moreau("export", "run.h5", "--to", "png", "--color", "group", "--no-chains", "--width", "400", "-o", "p.png",
                    *arguments)
        with open(self.path("p.png"), "rb") as file:
            rows = pixels(file.read())
        rows = rows[:len(rows) - 36]  # without the legend
        blue = middle(rows, lambda p: p[2] > p[0] + 60 and p[2] > 90)
        orange = middle(rows, lambda p: p[0] > p[2] + 60 and p[1] > p[2] + 40)
        scale = 0.3 / blue[2]
        return (orange[0] - blue[0]) * scale, (orange[1] - blue[1]) * scale, blue[2], orange[2]

    def check(self, seen, x, y):
        # a ball is 20 pixels or more in radius, its middle and radius are known to a pixel
        self.assertAlmostEqual(seen[0], x, delta=0.3)
        self.assertAlmostEqual(seen[1], y, delta=0.3)
        self.assertLess(abs(seen[2] - seen[3]), 1.5)

    def test_named_views(self):
        self.check(self.balls("--view", "front"), 1, 3)
        self.check(self.balls("--view", "side"), 2, 3)
        self.check(self.balls("--view", "top"), 1, 2)

    def test_angles(self):
        self.check(self.balls("--azimuth", "90", "--elevation", "0", "--orthographic"), -1, 3)
        self.check(self.balls("--view", "front", "--azimuth=180"), -2, 3)

    def test_perspective_shrinks_what_is_far(self):
        seen = self.balls("--view", "front", "--perspective")
        self.assertGreater(seen[2], 1.1 * seen[3])

    def test_film_and_drawing(self):
        self.moreau("export", "run.h5", "--to", "png", "--frame", "all", "--width", "100", "-o", "film")
        self.assertEqual(sorted(os.listdir(self.path("film"))), [f"frame-{k:05d}.png" for k in range(3)])
        text = self.moreau("export", "run.h5", "--to", "svg", "-o", "-").stdout
        self.assertIn("data:image/png;base64,", text)

    def refused(self, *arguments, saying):
        self.assertIn(saying, self.moreau("export", "run.h5", *arguments, expect=2).stderr)

    def test_what_makes_no_sense_is_refused(self):
        self.refused("--to", "png", "--view", "left", saying="iso, front, top, side")
        self.refused("--to", "png", "--azimuth", "north", saying="degrees from -360 to 360")
        self.refused("--to", "png", "--elevation", "91", saying="degrees from -90 to 90")
        self.refused("--to", "png", "--elevation", "nan", saying="degrees from -90 to 90")
        self.refused("--to", "png", "--perspective", "--orthographic", saying="exclude each other")
        self.refused("--to", "csv", "--view", "top", saying="worlds in 3D")
        self.refused("--to", "png", "--what", "series", "--view", "top", saying="worlds in 3D")


if __name__ == "__main__":
    main()
