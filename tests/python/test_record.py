"""Recording worlds, systems and sweeps from Python: the files of the command line, to the bit; going on from them."""
import _thread
import json
import os
import signal
import subprocess
import threading
import unittest

import moreau
import numpy as np
from folder import InFolder
from moreau import moving

MOREAU = os.environ.get("MOREAU")


class Recorded(InFolder):
    def scene(self, text, output, **keys):
        with open("s.lua", "w", encoding="utf-8") as file:
            file.write(text)
        return moreau.load("s.lua", message=None, output=output, **keys).run()

    def program(self, *args):
        if MOREAU is None:
            self.skipTest("the program was not named by MOREAU")
        # the program has the sanitizer's runtime in itself
        rest = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
        return subprocess.run([MOREAU, *args], check=True, capture_output=True, text=True, env=rest).stdout


def ball():
    s = moreau.System(q=[1], u=[0], h=0.01, scheme="moreau", force=lambda t, q: [-9.81], gaps=[lambda t, q: q[0]], restitution=0.5,
                      potential=lambda t, q: 9.81 * q[0])
    s.observe("height", lambda t: s.q[0])
    return s


BALL = """local p = system { q = {1}, u = {0}, h = 0.01, t_end = 1.5, scheme = "moreau", force = function(t, q) return {-9.81} end,
  gaps = { function(t, q) return q[1] end }, restitution = 0.5, potential = function(t, q) return 9.81 * q[1] end, record = { every = 0.05, series = 0.03 } }
observe("height", function(t) return p.q[1] end)"""


class Paths(Recorded):
    def same_runs(self, a, b):
        a, b = moreau.read(a), moreau.read(b)
        c = a.compare(b)
        self.assertTrue(c.identical, c)
        self.assertEqual(len(a), len(b))
        for name in a.series:
            np.testing.assert_array_equal(a.series[name], b.series[name])
        np.testing.assert_array_equal(a.series.t, b.series.t)
        self.assertEqual([(e.t, e.type, e.size) for e in a.events], [(e.t, e.type, e.size) for e in b.events])
        return a

    def test_system_as_the_scene_records_it(self):
        self.scene(BALL, "lua.h5")
        s = ball()
        with s.record("py.h5", every=0.05, series=0.03):
            path = s.run(1.5)
        self.assertEqual(len(path), 151)
        run = self.same_runs("lua.h5", "py.h5")
        self.assertEqual((run.kind, run.info.solver, run.info.status), ("system", "moreau", "ok"))
        self.assertGreater(len(run.events), 0)
        # and without one the path is the same
        np.testing.assert_array_equal(path.q, ball().run(1.5).q)

    def test_sweeps_and_discs(self):
        self.scene("""sweep { x = {0, 1}, h = 0.01, t_end = 1, set = ball { center = function(t) return {2 * t, 0} end, radius = 1 } }""", "lua.h5")
        p = moreau.Sweep(x=(0, 1), h=0.01, set=moving.Ball(center=lambda t: (2 * t, 0), radius=1))
        with p.record("py.h5") as r:
            p.run(0.3)
            p.step(20)
            p.run(1)
            r.close(report={"length": np.float64(p.info.path_length)})
        run = self.same_runs("lua.h5", "py.h5")
        self.assertEqual(run.kind, "sweep")
        self.assertAlmostEqual(moreau.read("py.h5").report["length"], p.info.path_length)
        # discs: what touches what
        self.scene("""sweep { x = {0, 0, 0.9, 0.1}, h = 0.1, t_end = 1, set = discs { radius = 0.5, count = 2, walls = {{-2, -0.6, 3, -0.6}} },
                      field = function(t, x) return {0.3, -0.2, -0.3, -0.2} end }""", "lua.h5")
        p = moreau.Sweep(x=(0, 0, 0.9, 0.1), h=0.1, set=moving.Discs(radius=0.5, count=2, walls=[(-2, -0.6, 3, -0.6)]),
                         field=lambda t, x: (0.3, -0.2, -0.3, -0.2))
        with p.record("py.h5"):
            p.run(1)
        self.same_runs("lua.h5", "py.h5")

    def test_going_on(self):
        whole = ball()
        whole.run(1.5)
        s = ball()
        with s.record("cut.h5", every=0.05, series=0.03):
            s.state["seen"] = [1, 2]
            s.run(0.7)
        t = ball()
        with t.record("cut.h5", every=0.05, series=0.03, resume=True):
            self.assertEqual((t.info.steps, t.state), (70, {"seen": [1, 2]}))
            t.run(1.5)
        self.assertEqual(t.hash, whole.hash)
        self.assertEqual([e.t for e in t.events], [e.t for e in whole.events])
        self.assertEqual(len(moreau.read("cut.h5")), 1 + 30)
        # without recording
        t = ball()
        t.resume("cut.h5")
        self.assertEqual((t.info.steps, t.hash), (150, whole.hash))
        other = moreau.System(q=[1], u=[0], h=0.02, scheme="moreau")
        with self.assertRaisesRegex(moreau.InputError, "h is 0.02 here"):
            other.resume("cut.h5")
        with self.assertRaisesRegex(moreau.InputError, "kind is 'sweep' here"):
            moreau.Sweep(x=[0], h=0.01, set=moving.Ball((0,), 1)).resume("cut.h5")

    def test_the_program_reads_them(self):
        s = ball()
        with s.record("py.h5", every=0.05):
            s.run(1)
        self.assertIn("system", self.program("info", "py.h5"))
        self.program("export", "py.h5", "--to", "png", "-o", "p.png")
        self.assertGreater(os.path.getsize("p.png"), 1000)


def pile(**keys):
    w = moreau.World(dim=2, h=1e-3, gravity=(0, -9.81), **keys)
    w.law(friction=0.4)
    w.body(shape=moreau.Halfplane(), fixed=True, group="floor")
    for i in range(6):
        w.body(shape=moreau.Rectangle(0.1, 0.05), density=1000, position=(0.004 * i, 0.05 + 0.07 * i))
    return w


class Worlds(Recorded):
    def test_as_the_scene_records_it(self):
        text = """world { dim = 2, h = 1e-3, t_end = 0.1, gravity = {0, -9.81}, record = { every = 0.02, series = 0.01 } }
law { friction = 0.4 }
body { shape = halfplane { normal = {0, 1} }, fixed = true, group = "floor" }
for i = 0, 5 do body { shape = rectangle { 0.1, 0.05 }, density = 1000, position = {0.004 * i, 0.05 + 0.07 * i} } end
observe("n", function(t) return measure.contact_count() end)"""
        self.scene(text, "lua.h5")
        w = pile()
        w.observe("n", lambda t: w.measure.contact_count())
        with w.record("py.h5", every=0.02, series=0.01):
            w.run(until=0.1)
        a, b = moreau.read("lua.h5"), moreau.read("py.h5")
        self.assertTrue(a.compare(b).identical)
        self.assertEqual(list(a.series), list(b.series))
        for name in a.series:
            np.testing.assert_array_equal(a.series[name], b.series[name])
        self.assertIn("world", self.program("info", "py.h5"))
        self.program("export", "py.h5", "--to", "png", "-o", "p.png")
        self.assertGreater(os.path.getsize("p.png"), 1000)

    def changed(self, w):
        """Things that happen on the way: bodies come and go, a law and a servo change."""
        wall = w.body(shape=moreau.Rectangle(0.02, 0.5), mass=2, free=["x"], position=(-0.3, 0.25))
        s = w.servo(body=wall, axis="x", stress=5, length=0.5, size=0.3)

        def first():
            w.state["extra"] = w.body(shape=moreau.Disc(0.02), density=900, position=(0.3, 0.3), group="late").id
            w.body(shape=moreau.Disc(0.02), density=900, position=(0.5, 0.3)).remove()
            w.law(between=("late", "floor"), friction=0.9)
            s.strain_rate = 0.05
        w.at(0.03, first)
        w.at(0.08, lambda: w.body(shape=moreau.Disc(0.03), density=500, position=(-0.1, 0.9)))
        return w

    def test_going_on(self):
        whole = self.changed(pile(sleeping=True))
        whole.run(until=0.15)
        w = self.changed(pile(sleeping=True))
        with w.record("cut.h5", every=0.01):
            w.run(until=0.06)
        again = self.changed(pile(sleeping=True))
        with again.record("cut.h5", every=0.01, resume=True):
            self.assertEqual(again.steps, 60)
            self.assertEqual(again.handle(again.state["extra"]).group, "late")
            self.assertEqual(again._servos[0].strain_rate, 0.05)
            again.run(until=0.15)
        self.assertEqual(again.hash, whole.hash)
        self.assertEqual(list(again.ids), list(whole.ids))
        run = moreau.read("cut.h5")
        np.testing.assert_allclose(run.times, np.arange(16) * 0.01, atol=1e-12)
        other = moreau.World(dim=2, h=1e-3, gravity=(0, -9.81))
        with self.assertRaisesRegex(moreau.InputError, "other servos"):
            other.resume("cut.h5")
        other.servo(body=other.body(shape=moreau.Rectangle(1, 1), mass=1), axis="x", stress=1, length=1)
        with self.assertRaisesRegex(moreau.InputError, "body 1 is dynamic here and fixed in the file"):
            other.resume("cut.h5")
        self.assertEqual(len(other), 1)
        view = w.q
        with self.assertRaises(BufferError):
            w.resume("cut.h5")
        del view

    def test_cells_go_on(self):
        def made():
            w = moreau.World(dim=2, h=1e-3, periodic={"x": (0, 0.3), "y": (0, 0.3)})
            w.generate.random(region={"min": (0.02, 0.02), "max": (0.28, 0.28)}, count=20, radius=0.02)
            w.cell(stress={"xx": 1e3, "yy": 1e3}, damping=50)
            w.at(0.03, lambda: w.cell(rate={"xy": 2.0}, stress={"yy": 1e3}))
            return w
        whole, w, again = made(), made(), made()
        whole.run(until=0.1)
        with w.record("cell.h5", every=0.01):
            w.run(until=0.05)
        frame = moreau.read("cell.h5")[-1]
        np.testing.assert_array_equal(frame.cell_edges, w.cell().edges)
        again.resume("cell.h5")
        again.run(until=0.1)
        self.assertEqual(again.hash, whole.hash)

    def test_after_an_interruption_it_simply_goes_on(self):
        whole = pile()
        whole.run(until=0.2)
        w = pile()
        steps = []

        def look(t):
            steps.append(w.steps)
            if len(steps) == 77:
                os.kill(os.getpid(), signal.SIGINT)
        w.on_step(look)
        with w.record("run.h5", every=0.02) as r:
            with self.assertRaises(KeyboardInterrupt):
                w.run(until=0.2)
            self.assertLess(w.steps, 200)
            # all of it is in the file already
            self.assertEqual(moreau.read("run.h5").times[-1], w.time)
            w.run(until=0.2)
        self.assertEqual((w.steps, w.hash), (200, whole.hash))
        # none skipped and none twice, but for the one in which it came
        self.assertEqual(sorted(set(steps)), list(range(200)))

    def test_systems_go_on_after_an_interruption(self):
        s = ball()
        timer = threading.Timer(0.2, _thread.interrupt_main)
        timer.start()
        with s.record("run.h5", every=1):
            with self.assertRaises(KeyboardInterrupt):
                s.run(1e6)
            timer.join()
            n = s.info.steps
            self.assertGreater(n, 0)
            self.assertEqual(moreau.read("run.h5")._run.info()["steps"], n)
            s.step(10)
        t = ball()
        t.step(n + 10)
        self.assertEqual(s.hash, t.hash)

    def test_a_lua_run_is_no_python_run(self):
        self.scene("world { dim = 2, h = 1e-3, t_end = 0.01 } body { shape = disc { radius = 1 }, mass = 1 } state.x = 1", "lua.h5")
        w = moreau.World(dim=2, h=1e-3)
        w.body(shape=moreau.Disc(1), mass=1)
        with self.assertRaisesRegex(moreau.InputError, "not recorded from Python"):
            w.resume("lua.h5")
        with open("junk.h5", "wb") as file:
            file.write(b"junk")
        with self.assertRaises(moreau.FileError):
            w.resume("junk.h5")


if __name__ == "__main__":
    unittest.main()
