"""Run files from Python: recording, reading, data frames, pictures, figures."""
import os
import subprocess
import tempfile
import unittest
from xml.etree import ElementTree

import moreau
import numpy as np

try:
    import pandas
except ImportError:
    pandas = None
try:
    import matplotlib.pyplot as plt
    from moreau import plot
except ImportError:
    plt = None


def drop(n=12):
    w = moreau.World(dim=2, h=1e-3, gravity=(0, -9.81))
    w.law(friction=0.5)
    w.body(shape=moreau.Halfplane(), fixed=True, group="floor", name="ground")
    for i in range(n):
        w.body(shape=moreau.Disc(0.05), density=2600, position=(0.02 * (i % 3), 0.06 + 0.11 * i))
    return w


class Recorded(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "drop.h5")
        cls.world = drop()
        cls.world.observe("top", lambda t: cls.world.position[1:, 1].max())
        with cls.world.record(cls.path, every=0.05, series=0.01):
            cls.world.run(until=0.5)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_frames(self):
        run = moreau.read(self.path)
        self.assertEqual((run.kind, run.status, run.dim, run.h, len(run)), ("world", "ok", 2, 1e-3, 11))
        np.testing.assert_allclose(run.times, np.arange(11) * 0.05, atol=1e-12)
        last = run[-1]
        np.testing.assert_array_equal(last.q, self.world.q)
        np.testing.assert_array_equal(last.u, self.world.u)
        np.testing.assert_array_equal(last.contacts.impulse, self.world.contacts.impulse)
        self.assertEqual(last.energy, self.world.energy)
        self.assertEqual(sum(1 for _ in run), 11)
        self.assertEqual(run.at(0.21).index, 4)
        self.assertEqual(run.bodies[0]["name"], "ground")
        np.testing.assert_allclose(last.radius[1:], 0.05)
        with self.assertRaises(IndexError):
            run[11]
        with self.assertRaises(moreau.UsageError):
            run.path

    def test_series(self):
        run = moreau.read(self.path)
        s = run.series
        self.assertEqual(len(s.t), 51)
        self.assertEqual(s["top"][-1], self.world.position[1:, 1].max())
        self.assertIn("kinetic", " ".join(s))
        with self.assertRaisesRegex(KeyError, "nothing"):
            s["nothing"]
        steps = run.solver_steps
        self.assertEqual(len(steps.step), 500)
        self.assertEqual(steps.contacts[-1], len(self.world.contacts))
        self.assertLess(steps.residual.max(), 1e-8)

    @unittest.skipUnless(pandas, "pandas is not installed")
    def test_data_frames(self):
        run = moreau.read(self.path)
        d = run.to_pandas()
        self.assertEqual(d.shape, (11 * 13, 6))
        self.assertEqual(d.loc[(run.times[-1], 5), "y"], self.world.handle(5).position[1])
        self.assertEqual(list(run.series.to_pandas().columns), list(run.series))
        c = run[-1].contacts.to_pandas()
        self.assertEqual(list(c.columns), ["body1", "body2", "px", "py", "nx", "ny", "gap", "impulse_n", "impulse_t1", "status"])

    def test_compare_and_export(self):
        a, b = moreau.read(self.path), moreau.read(self.path)
        self.assertTrue(a.compare(b).identical)
        out = os.path.join(self.folder.name, "bodies.csv")
        a.export(out)
        rows = np.genfromtxt(out, delimiter=",", names=True)
        self.assertEqual(len(rows), 11 * 13)
        self.assertEqual(rows["y"][-1], self.world.q[-1, 1])

    def test_pictures(self):
        run = moreau.read(self.path)
        for picture in (run[3].draw(width=300), run.draw(color="group", chains=False, width=300), run.draw_series(width=300),
                        self.world.draw(width=300), run.draw(view=((0, 0), (1, 1)), width=300)):
            self.assertEqual(picture._repr_png_()[:8], b"\x89PNG\r\n\x1a\n")
            self.assertTrue(ElementTree.fromstring(picture._repr_svg_()).tag.endswith("svg"))
        # the picture of a world is of the moment it was taken
        w = drop(3)
        p = w.draw(width=300)
        first = p.render("svg")
        w.step(100)
        self.assertEqual(p.render("svg"), first)
        self.assertNotEqual(w.draw(width=300).render("svg"), first)
        name = os.path.join(self.folder.name, "a.svg")
        p.save(name)
        with open(name, "rb") as file:
            self.assertEqual(file.read(), first)
        with self.assertRaises(ValueError):
            p.save("a.pdf")
        with self.assertRaises(moreau.InputError):
            w.draw(width=0).render()
        with self.assertRaises(TypeError):
            w.draw(colour="speed").render()

    @unittest.skipUnless(plt, "matplotlib is not installed")
    def test_figures(self):
        run = moreau.read(self.path)
        ax = plot.series(run)
        self.assertEqual([line.get_label() for line in ax.get_lines()], ["top"])
        c = self.world.contacts
        ax = plot.fabric(c)
        # a density over all directions
        self.assertAlmostEqual(sum(p.get_height() * p.get_width() for p in ax.patches), 1)
        plot.fabric(c, of_forces=True)
        plot.forces(c)
        ax = plot.performance_profile({"a": [1.0, 2.0, np.inf], "b": [2.0, 2.0, 5.0]})
        # b solves all, within twice the best
        self.assertEqual(ax.get_lines()[1].get_ydata()[-1], 1)
        self.assertEqual(ax.get_lines()[1].get_xdata()[-1], 2)
        self.assertAlmostEqual(ax.get_lines()[0].get_ydata()[-1], 2 / 3)
        plt.close("all")

    def test_the_program_reads_it(self):
        # the program brings its own sanitizer
        plain = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        done = subprocess.run([os.environ.get("MOREAU", "moreau"), "info", self.path], capture_output=True, text=True,
                              env=plain)
        self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipIf("LD_PRELOAD" in os.environ, "the program brings its own sanitizer")
    def test_the_viewer_or_a_reason(self):
        run = moreau.read(self.path)
        os.environ["MOREAU_PROGRAM"] = os.environ.get("MOREAU", "moreau")
        try:
            page = run.view()
        except moreau.UsageError as e:
            self.assertIn("make viewer", str(e))
        else:
            self.assertIn("<iframe", page._repr_html_())


class Interrupted(unittest.TestCase):
    def test_a_recording_that_fails_is_complete(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.h5")
            w = drop(2)
            w.on_step(lambda t: 1 / 0 if t > 0.1 else None)
            with self.assertRaises(ZeroDivisionError):
                with w.record(path, every=0.02):
                    w.run(until=1)
            run = moreau.read(path)
            self.assertIn("ZeroDivisionError", run.status)
            self.assertAlmostEqual(run.times[-1], 0.101, delta=1.5e-3)
            np.testing.assert_array_equal(run[-1].q, w.q)
            with self.assertRaisesRegex(moreau.UsageError, "not being recorded"):
                w.record_frame("{}")

    def test_sweeps_and_systems(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "t.h5")
            o = moreau.load("tractrix", output=path, message=None).run()
            run = moreau.read(path)
            self.assertEqual(run.kind, "sweep")
            np.testing.assert_array_equal(run.path.x[-1], o.q)
            self.assertIsNone(run.path.u)
            self.assertGreater(len(run.draw(width=200).render()), 1000)
            with self.assertRaises(moreau.UsageError):
                run[0]

    def test_bad_files(self):
        with self.assertRaises(moreau.Error):
            moreau.read("/no/such/run.h5")
        with tempfile.NamedTemporaryFile(suffix=".h5") as file:
            file.write(b"nonsense")
            file.flush()
            with self.assertRaises(moreau.FileError):
                moreau.read(file.name)
        w = drop(1)
        with self.assertRaises(moreau.Error):
            w.record("/no/such/folder/a.h5")


if __name__ == "__main__":
    unittest.main()
