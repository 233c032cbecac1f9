"""Arrays over the library's memory: live, read-only, never over memory that is gone."""
import ctypes
import gc
import sys
import unittest
import weakref

import moreau
import numpy as np


def pile(n=30):
    w = moreau.World(dim=2, h=1e-3, gravity=(0, -9.81))
    w.law(friction=0.5)
    w.body(shape=moreau.Halfplane(), fixed=True)
    for i in range(n):
        w.body(shape=moreau.Disc(0.05), density=2600, position=(0.11 * (i % 6) + 0.001 * i, 0.06 + 0.11 * (i // 6)))
    return w


class Bodies(unittest.TestCase):
    def test_no_copy_and_live(self):
        w = pile()
        q = w.q
        where = q.__array_interface__["data"][0]
        before = q.copy()
        w.step(200)
        self.assertFalse(np.array_equal(q, before))
        np.testing.assert_array_equal(q[5], w.body_get(6)["position"] + (w.body_get(6)["angle"],))
        # the library's promise: steps do not move these arrays
        self.assertEqual(w.q.__array_interface__["data"][0], where)
        for name in ("position", "velocity", "u", "force", "load", "mass", "ids", "area", "inertia"):
            a, b = getattr(w, name), getattr(w, name)
            self.assertTrue(np.shares_memory(a, b), name)
            self.assertFalse(a.flags.writeable, name)
            self.assertEqual(len(a), 31, name)
        with self.assertRaises(ValueError):
            q[0, 0] = 1
        with self.assertRaises(ValueError):
            q.flags.writeable = True

    def test_bodies_cannot_come_or_go_while_lent(self):
        w = pile()
        q = w.q
        for change in (lambda: w.body(shape=moreau.Disc(1), density=1, position=(9, 9)), lambda: w.body_remove(3),
                       lambda: w.joint(kind="fixed", bodies=[w.handle(2)]), w.equilibrium):
            with self.assertRaisesRegex(BufferError, "1 array still shows"):
                change()
        part = q[2:4, 0]  # a slice holds on as well
        del q
        with self.assertRaises(BufferError):
            w.body_remove(3)
        kept = part.copy()
        del part
        w.body_remove(3)
        self.assertEqual(len(w.q), 30)
        self.assertEqual(len(kept), 2)

    def test_arrays_keep_the_world(self):
        w = pile(5)
        w.step(10)
        gone = weakref.ref(w)
        q = w.q
        expected = q.copy()
        del w
        gc.collect()
        self.assertIsNotNone(gone())
        np.testing.assert_array_equal(q, expected)
        del q
        gc.collect()
        self.assertIsNone(gone())

    def test_views_are_found_anew(self):
        # a view object taken before bodies came shows what is there when an array is made of it
        w = pile(2)
        view = w.bodies("id")
        w.body(shape=moreau.Disc(1), density=1, position=(9, 9))
        self.assertEqual(list(np.asarray(view)), [1, 2, 3, 4])
        self.assertEqual(bytes(memoryview(view)), np.arange(1, 5, dtype=np.uint32).tobytes())
        # nobody gets to write
        with self.assertRaises((TypeError, BufferError)):
            (ctypes.c_char * 4).from_buffer(view)

    def test_references(self):
        w = pile(3)
        before = sys.getrefcount(w)
        for _ in range(300):
            w.q
            w.contacts
            w.info
            with self.assertRaises(AttributeError):
                w.bodies("nothing")
        self.assertEqual(sys.getrefcount(w), before)
        a = w.q
        self.assertEqual(sys.getrefcount(w), before + 1)
        del a
        self.assertEqual(sys.getrefcount(w), before)

    def test_empty(self):
        w = moreau.World(dim=3)
        self.assertEqual((w.q.shape, w.u.shape, w.contacts.impulse.shape), ((0, 7), (0, 6), (0, 3)))
        self.assertEqual(w.ids.dtype, np.uint32)


class ContactArrays(unittest.TestCase):
    def test_copies_stay(self):
        w = pile()
        w.step(300)
        c = w.contacts
        gap, n = c.gap.copy(), len(c)
        w.step(50)
        np.testing.assert_array_equal(c.gap, gap)
        self.assertGreater(n, 20)
        self.assertEqual(len(c.table()), n)
        self.assertEqual(set(c.status) <= {"open", "stick", "slide"}, True)
        np.testing.assert_allclose(np.einsum("ci,ci->c", c.normal, c.normal), 1)
        np.testing.assert_allclose(np.einsum("ci,ci->c", c.normal, c.tangent), 0, atol=1e-15)
        # Coulomb's law holds of what is shown
        self.assertLess((np.abs(c.impulse[:, 1]) - 0.5 * c.impulse[:, 0]).max(), 1e-8)
        self.assertAlmostEqual(np.trace(c.fabric()), 1)
        self.assertAlmostEqual(np.trace(c.fabric(of_forces=True)), 1)

    def test_table_is_that_of_the_export(self):
        # tangents were missing, and in space there were none
        import csv
        import os
        import tempfile
        for dim in (2, 3):
            up = np.eye(dim)[-1]
            w = moreau.World(dim=dim, h=1e-3, gravity=3 * np.eye(dim)[0] - 10 * up)
            w.law(friction=0.2)
            w.body(shape=moreau.Halfplane() if dim == 2 else moreau.Plane(), fixed=True)
            b = w.body(shape=moreau.Rectangle(0.2, 0.1) if dim == 2 else moreau.Box(0.2, 0.3, 0.1), mass=3, position=0.05 * up)
            with tempfile.TemporaryDirectory() as folder:
                run, table = os.path.join(folder, "run.h5"), os.path.join(folder, "table.csv")
                with w.record(run):
                    w.run(until=0.01)
                with moreau.read(run) as r:
                    r.export(table, what="contacts", first=len(r) - 1)
                with open(table) as file:
                    rows = list(csv.DictReader(file))
            c = w.contacts
            self.assertEqual(list(c.table().dtype.names), [k for k in rows[0] if k != "t"])
            for name in c.table().dtype.names[:-1]:
                np.testing.assert_array_equal(c.table()[name], [float(r[name]) for r in rows], name)
            axes = [c.normal, c.tangent] + ([np.cross(c.normal, c.tangent)] if dim == 3 else [])
            given = -sum(c.force[:, k:k + 1] * axis for k, axis in enumerate(axes)).sum(axis=0)
            np.testing.assert_allclose(given, b.force, atol=1e-9)

    def test_views_hold_off_steps(self):
        w = pile()
        w.step(300)
        c = w.contact_views()
        np.testing.assert_array_equal(c.gap, w.contacts.gap)
        ids = c.body2.copy()
        # a body that goes takes its contacts out of the list, and others move up in it
        for change in (w.step, w.handle(int(ids[0])).remove):
            with self.assertRaisesRegex(BufferError, "contacts"):
                change()
        np.testing.assert_array_equal(c.body2, ids)
        del c
        w.step()
        w.handle(int(ids[0])).remove()
        self.assertNotIn(ids[0], w.contact_views().body2)

    def test_impulses_balance_momentum(self):
        # what the floor gives and the weight takes in a step is the change of momentum, to rounding
        w = pile()
        w.step(200)
        before = w.mass @ w.velocity
        w.step()
        c = w.contacts
        floor = c.body1 == 1
        # on body 1, along normal and tangent; the bodies get the opposite
        given = -(c.impulse[floor, :1] * c.normal[floor] + c.impulse[floor, 1:] * c.tangent[floor]).sum(axis=0)
        self.assertGreater(given[1], 0)
        weight = w.mass.sum() * np.array([0, -9.81])
        np.testing.assert_allclose(w.mass @ w.velocity - before, given + w.h * weight, atol=1e-12 * w.mass.sum())


class Frames(unittest.TestCase):
    def test_frames_and_runs_outlive_their_owners(self):
        import os
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.h5")
            w = pile(4)
            w.step(5)
            w.save(path)
            run = moreau.read(path)
            times, q = run.times, run.frame(0).q
            with self.assertRaisesRegex(BufferError, "run file"):
                run.close()
            core = run._run
            del run
            gc.collect()
            np.testing.assert_array_equal(q, w.q)
            self.assertEqual(times[0], w.time)
            del times
            core.close()
            core.close()
            with self.assertRaises(moreau.UsageError):
                core.info()
            np.testing.assert_array_equal(q, w.q)
            self.assertEqual(q[0, 0], w.q[0, 0])


if __name__ == "__main__":
    unittest.main()
