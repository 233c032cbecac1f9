"""What `info` and `export` make of a run file."""
import csv
import io
import os
import xml.etree.ElementTree

from support import Case, main

BODIES = "t,body,x,y,angle,vx,vy,spin".split(",")
CONTACTS = "t,body1,body2,px,py,nx,ny,tx,ty,gap,impulse_n,impulse_t1,status".split(",")
PNG = b"\x89PNG\r\n\x1a\n"


class Export(Case):
    def setUp(self):
        super().setUp()
        self.moreau("run", "scene.lua", "-o", "run.h5", "--quiet")

    def table(self, *arguments):
        text = self.moreau("export", "run.h5", "--to", "csv", *arguments, "-o", "-").stdout
        rows = list(csv.reader(io.StringIO(text)))
        return rows[0], rows[1:]

    def refused(self, *arguments, saying):
        done = self.moreau("export", "run.h5", *arguments, expect=2)
        self.assertIn(saying, done.stderr)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def test_bodies(self):
        columns, rows = self.table()
        self.assertEqual(columns, BODIES)
        self.assertEqual(len(rows), 3 * 11)
        self.assertEqual(sorted({row[1] for row in rows}), ["1", "2", "3"])
        self.assertEqual(float(rows[0][0]), 0)
        self.assertAlmostEqual(float(rows[-1][0]), 0.2, places=12)
        # the last height is the reported one, to the last bit
        height = self.json("info", "run.h5")["report"]["height"]
        self.assertEqual([float(r[3]) for r in rows if r[1] == "2"][-1], height)

    def test_contacts(self):
        columns, rows = self.table("--what", "contacts", "--frame", "last")
        self.assertEqual(columns, CONTACTS)
        self.assertEqual(len(rows), 2)
        for row in rows:
            value = dict(zip(columns, row))
            self.assertEqual((value["body1"], value["body2"] in "23"), ("1", True))
            # the normal points toward body 1, the floor
            self.assertEqual((float(value["nx"]), float(value["ny"])), (0, -1))
            self.assertEqual((float(value["tx"]), float(value["ty"])), (1, 0))
            self.assertIn(value["status"], ("stick", "slide", "open"))
            # the floor bears the disc's weight: m g h
            self.assertAlmostEqual(float(value["impulse_n"]), 1000 * 3.141592653589793 * 0.05**2 * 9.81e-3, places=6)

    def test_series(self):
        columns, rows = self.table("--what", "series")
        # nothing but what was observed; the energies have a table of their own
        self.assertEqual(columns, ["t", "height"])
        self.assertEqual(len(rows), 11)
        self.assertEqual(float(rows[0][-1]), 0.06)

    def test_energy(self):
        columns, rows = self.table("--what", "energy")
        self.assertEqual(columns, "t,kinetic,potential,work_external,dissipated_friction,dissipated_impact,"
                                  "balance_error".split(","))
        self.assertEqual(len(rows), 11)
        mass = 1000 * 3.141592653589793 * 0.05**2
        self.assertAlmostEqual(float(rows[0][2]), 2 * mass * 9.81 * 0.06, places=9)

    def test_frames(self):
        for frame, time in (("0", 0), ("3", 0.06), ("-1", 0.2), ("last", 0.2), ("-11", 0)):
            _, rows = self.table("--frame", frame)
            self.assertEqual(len(rows), 3)
            self.assertAlmostEqual(float(rows[0][0]), time, places=12)
        self.assertEqual(len(self.table("--frame", "all")[1]), 33)
        for frame in ("11", "-12"):
            self.refused("--to", "csv", "--frame", frame, saying="frames 0 to 10")
        self.refused("--to", "csv", "--frame", "1x", saying="--frame")

    def test_places_beside_the_run(self):
        self.assertIn("run-bodies.csv", self.moreau("export", "run.h5", "--to", "csv").stdout)
        self.assertEqual(self.json("export", "run.h5", "--to", "csv", "--what", "series")["written"], "run-series.csv")
        self.moreau("export", "run.h5", "--to", "png")
        self.moreau("export", "run.h5", "--to", "png", "--what", "contacts")
        self.moreau("export", "run.h5", "--to", "svg", "--what", "series")
        self.moreau("export", "run.h5", "--to", "xdmf")
        self.moreau("export", "run.h5", "--to", "vtk")
        there = set(os.listdir(self.folder))
        self.assertLessEqual({"run-bodies.csv", "run-series.csv", "run.png", "run-contacts.png", "run-series.svg",
                              "run.xdmf", "run-vtk"}, there)
        self.assertTrue(self.read("run.png").startswith(PNG))
        self.assertTrue(self.read("run-contacts.png").startswith(PNG))
        xml.etree.ElementTree.fromstring(self.read("run-series.svg"))
        xml.etree.ElementTree.fromstring(self.read("run.xdmf"))

    def test_vtk_files_are_xml(self):
        self.moreau("export", "run.h5", "--to", "vtk", "--frame", "2", "-o", "out")
        names = os.listdir(self.path("out"))
        self.assertTrue(any(name.endswith(".vtu") for name in names), names)
        self.assertTrue(any(name.endswith(".pvd") for name in names), names)
        for name in names:
            xml.etree.ElementTree.parse(self.path(os.path.join("out", name)))

    def test_png_width_and_colours(self):
        seen = set()
        for color in ("speed", "group", "stress"):
            self.moreau("export", "run.h5", "--to", "png", "--frame", "5", "--width", "300", "--color", color,
                        "-o", "p.png")
            data = self.read("p.png")
            self.assertEqual(int.from_bytes(data[16:20], "big"), 300)
            seen.add(data)
        self.assertEqual(len(seen), 3)

    def test_all_frames_make_a_folder(self):
        self.moreau("export", "run.h5", "--to", "png", "--frame", "all", "--width", "100", "-o", "pictures")
        names = sorted(os.listdir(self.path("pictures")))
        self.assertEqual(names, [f"frame-{k:05d}.png" for k in range(11)])

    def test_svg_on_standard_output(self):
        text = self.moreau("export", "run.h5", "--to", "svg", "-o", "-").stdout
        xml.etree.ElementTree.fromstring(text.encode())

    def test_what_makes_no_sense_is_refused(self):
        before = self.read("run.h5")
        self.refused("--to", "csv", "-o", "run.h5", saying="the run file itself")
        self.refused("--to", "csv", "--width", "10", saying="--width")
        self.refused("--to", "csv", "--color", "group", saying="--color")
        self.refused("--to", "vtk", "--what", "series", saying="series")
        self.refused("--to", "csv", "--what", "series", "--frame", "1", saying="--frame")
        self.refused("--to", "csv", "--what", "energy", "--frame", "1", saying="--frame")
        self.refused("--to", "png", "--what", "energy", saying="--to csv")
        self.refused("--to", "png", "--width", "9001", saying="16 to 9000")
        self.refused("--to", "csv", "-o", "-", "--json", saying="JSON")
        self.refused("--to", "vtk", "-o", "-", saying="standard output")
        self.refused("--to", "png", "--frame", "all", "-o", "-", saying="folder")
        self.refused("--to", "png", "--what", "contacts", "--no-chains", saying="--no-chains")
        self.assertEqual(self.read("run.h5"), before)


class Info(Case):
    def test_info(self):
        self.moreau("run", "scene.lua", "--set", "n=3", "--set", "word=x y", "--seed", "7", "-o", "run.h5", "--quiet")
        about = self.json("info", "run.h5")
        self.assertEqual((about["status"], about["kind"], about["scene"], about["seed"]), ("ok", "world", "scene", 7))
        self.assertEqual((about["parameters"]["n"], about["parameters"]["word"]), (3, "x y"))
        self.assertEqual((about["frames"], about["steps"], about["dim"]), (11, 200, 2))
        self.assertEqual(about["bodies"]["count"], 4)
        self.assertEqual(about["bodies"]["kinds"], {"dynamic": 3, "fixed": 1, "moved": 0})
        self.assertEqual((about["bodies"]["groups"]["grain"], about["bodies"]["groups"]["floor"]), (3, 1))
        self.assertEqual(about["contacts"], 3)
        self.assertEqual(about["solver"]["steps"], 200)
        self.assertIn("height", about["series"])
        self.assertEqual(about["report"]["tenth"], 0.1)
        text = self.moreau("info", "run.h5").stdout
        for word in ("scene, seed 7", "word = x y", "3 dynamic, 1 fixed", "grain 3", "height", "median",
                     "tenth = 0.1\n"):
            self.assertIn(word, text)


if __name__ == "__main__":
    main()
