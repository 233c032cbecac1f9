"""Servo walls, periodic cells and mesh files: closed forms, and the same bits as scenes that say the same."""
import math
import os
import struct
import tempfile
import unittest

import moreau
import numpy as np

F = np.array


def hash_of(text, **keys):
    """Of the end of a scene."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "s.lua")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return moreau.load(path, message=None, **keys).run().hash


def pressed(h=1e-3, **servo):
    """A block between a fixed wall and a wall that a servo moves; the sample is 1 m long and 0.5 m high."""
    w = moreau.World(dim=2, h=h)
    w.body(shape=moreau.Halfplane((1, 0), 0), fixed=True)
    block = w.body(shape=moreau.Rectangle(1, 0.5), mass=3, position=(0.5, 0))
    wall = w.body(shape=moreau.Rectangle(0.1, 1), mass=5, free=["x"], position=(1.05, 0))
    return w, block, w.servo(body=wall, axis="-x", **servo)


class Servos(unittest.TestCase):
    def test_contacts_bear_the_stress(self):
        w, block, s = pressed(stress=100.0, length=0.5, size=1, damping=10)
        w.run(until=0.05)
        self.assertAlmostEqual(s.stress_now, 100, delta=1e-6)
        self.assertEqual((s.mode, s.stress, s.strain_rate, s.axis), ("stress", 100.0, None, "-x"))
        self.assertAlmostEqual(s.strain, 0, delta=1e-9)
        s.stress = 200
        w.step(20)
        self.assertAlmostEqual(s.stress_now, 200, delta=1e-6)

    def test_free_wall_falls_in(self):
        # nothing in its way: the wall moves as a free body under stress x length, x = x0 - F t^2 / 2 m
        w = moreau.World(dim=2, h=1e-3)
        wall = w.body(shape=moreau.Rectangle(0.1, 1), mass=5, free=["x"], position=(1, 0))
        w.servo(body=wall, axis="-x", stress=lambda t: 10.0, length=lambda t: 0.5)
        w.run(until=0.1)
        self.assertAlmostEqual(wall.position[0], 1 - 0.5 * 5.0 / 5 * 0.01, delta=1e-12)

    def test_rate_of_strain(self):
        # v = rate x size, set before each step: size is multiplied by 1 - h rate
        w = moreau.World(dim=2, h=1e-3)
        wall = w.body(shape=moreau.Rectangle(0.1, 1), mass=5, free=["x"], position=(1, 0))
        s = w.servo(body=wall, axis="-x", strain_rate=0.5, size=1.0)
        w.step(100)
        self.assertAlmostEqual(s.size, (1 - 0.5e-3)**100, delta=1e-13)
        self.assertAlmostEqual(s.strain, -100 * math.log(1 - 0.5e-3), delta=1e-12)
        with self.assertRaisesRegex(moreau.InputError, "expected length"):
            s.stress = 1
        s.strain_rate = 0
        w.step(10)
        self.assertAlmostEqual(wall.velocity[0], 0, delta=1e-15)

    def test_largest_speed(self):
        w = moreau.World(dim=2, h=1e-3)
        wall = w.body(shape=moreau.Rectangle(0.1, 1), mass=5, free=["x"], position=(1, 0))
        w.servo(body=wall, axis="-x", stress=1e6, length=0.5, max_speed=0.25)
        w.step(5)
        self.assertAlmostEqual(wall.velocity[0], -0.25, delta=1e-9)

    def test_same_bits_as_a_scene(self):
        text = """world { dim = 2, h = 1e-3, t_end = 0.08, gravity = {0, -9.81} }
law { friction = 0.4 }
body { shape = halfplane { normal = {0, 1} }, fixed = true }
body { shape = segment { {0, -1}, {0, 2} }, fixed = true }
for i = 1, 4 do body { shape = disc { radius = 0.05 }, density = 2000, position = {0.05 + 0.1 * (i - 1), 0.05} } end
local wall = body { shape = rectangle { 0.02, 1 }, mass = 5, free = {"x"}, position = {0.41, 0.5} }
local s = servo { body = wall, axis = "-x", stress = function(t) return 100 + 10 * t end, length = 1, size = 0.4, damping = 5 }
at(0.05, function() s.strain_rate = -0.1 end)
"""
        w = moreau.World(dim=2, h=1e-3, gravity=(0, -9.81))
        w.law(friction=0.4)
        w.body(shape=moreau.Halfplane(), fixed=True)
        w.body(shape=moreau.Segment((0, -1), (0, 2)), fixed=True)
        for i in range(4):
            w.body(shape=moreau.Disc(0.05), density=2000, position=(0.05 + 0.1 * i, 0.05))
        wall = w.body(shape=moreau.Rectangle(0.02, 1), mass=5, free=["x"], position=(0.41, 0.5))
        s = w.servo(body=wall, axis="-x", stress=lambda t: 100 + 10 * t, length=1, size=0.4, damping=5)

        def turn():
            s.strain_rate = -0.1
        w.at(0.05, turn)
        w.run(until=0.08)
        self.assertEqual(w.hash, hash_of(text))

    def test_what_is_refused(self):
        w, block, s = pressed(stress=1, length=0.5)
        fixed = w.body(shape=moreau.Disc(1), fixed=True)
        loaded = w.body(shape=moreau.Disc(0.1), mass=1, applied_force=lambda t: (1, 0), position=(0, 9))
        held = w.body(shape=moreau.Disc(0.1), mass=1, free=["y"], position=(0, 5))
        good = dict(axis="x", stress=1, length=1)
        for body, keys, words in ((block, dict(axis="z", stress=1, length=1), "direction to push in"), (fixed, good, "free along the axis"),
                                  (held, good, "free along the axis"), (loaded, good, "given by a function"),
                                  (s.body, good, "a servo already"), (block, dict(axis="x", length=1), "one of stress"),
                                  (block, dict(axis="x", stress=1), "expected length"),
                                  (block, dict(axis="x", strain_rate=1), "expected size"),
                                  (block, dict(axis="x", stress=1, length=0), "> 0"),
                                  (block, dict(axis="x", stress=math.nan, length=1), "found nan"),
                                  (block, dict(axis="x", stress=1, length=1, damping=-1), ">= 0")):
            with self.assertRaisesRegex(moreau.InputError, words):
                w.servo(body=body, **keys)
        with self.assertRaises(TypeError):
            w.servo(body=block, axis="x", stress=1, area=1)
        with self.assertRaises(TypeError):
            w.servo(body="block", axis="x", stress=1, length=1)
        # a function of a servo that fails ends the step, which has not happened
        w.servo(body=block, axis="x", stress=lambda t: 1 / 0, length=1)
        with self.assertRaises(ZeroDivisionError):
            w.step()
        self.assertEqual(w.steps, 0)


class Cells(unittest.TestCase):
    def test_what_leaves_enters_again(self):
        w = moreau.World(dim=2, h=0.01, periodic={"x": (0, 1)})
        b = w.body(shape=moreau.Disc(0.1), mass=1, position=(0.95, 0), velocity=(1, 0))
        w.step(10)
        self.assertAlmostEqual(b.position[0], 0.05, delta=1e-12)
        self.assertEqual(w.cell().periodic, (True, False))
        self.assertIn("along x", repr(w.cell()))
        # through the faces: two discs that touch across x = 0 = 1 push each other, the total momentum stays 0
        w = moreau.World(dim=2, h=0.01, periodic={"x": (0, 1)})
        a = w.body(shape=moreau.Disc(0.1), mass=1, position=(0.15, 0), velocity=(-1, 0))
        b = w.body(shape=moreau.Disc(0.1), mass=1, position=(0.85, 0), velocity=(1, 0))
        w.step(10)
        np.testing.assert_allclose(a.velocity[0] + b.velocity[0], 0, atol=1e-12)
        self.assertLess(abs(a.velocity[0]), 1e-9)

    def test_simple_shear(self):
        # the edge along y leans by rate x t x its length; nothing else changes
        w = moreau.World(dim=2, h=1e-3, periodic={"x": (0, 1), "y": (0, 2)})
        w.body(shape=moreau.Disc(0.1), mass=1, position=(0.5, 1))
        c = w.cell(rate={"xy": 0.3})
        w.step(100)
        np.testing.assert_allclose(c.edges, [[1, 0.3 * 0.1 * 2], [0, 2]], atol=1e-12)
        np.testing.assert_allclose(c.rate, [[0, 0.3], [0, 0]], atol=1e-14)
        self.assertAlmostEqual(c.volume, 2, delta=1e-12)
        np.testing.assert_allclose(c.size, (1, 2), atol=1e-12)

    def test_stress_is_reached(self):
        w = moreau.World(dim=2, h=1e-3, periodic={"x": (0, 0.3), "y": (0, 0.3)})
        w.generate.random(region={"min": (0.02, 0.02), "max": (0.28, 0.28)}, count=30, radius=moreau.sizes.uniform(0.015, 0.02))
        c = w.cell(stress={"xx": 1e3, "yy": 1e3}, damping=100)
        w.run(until=0.6)
        s = c.stress
        np.testing.assert_allclose((s[0, 0], s[1, 1]), (1e3, 1e3), rtol=2e-2)
        self.assertGreater(w.measure.solid_fraction(), 0.75)

    def test_same_bits_as_a_scene(self):
        text = """world { dim = 2, h = 1e-3, t_end = 0.1, periodic = { x = {0, 0.3}, y = {0, 0.3} } }
law { friction = 0.3 }
generate.random { region = { min = {0.02, 0.02}, max = {0.28, 0.28} }, count = 30, radius = sizes.uniform {0.015, 0.02} }
cell { stress = { xx = 1e3, yy = function(t) return 1e3 * (1 + t) end }, damping = 100 }
at(0.06, function() cell { rate = { xy = 0.5 }, stress = { yy = 1e3 } } end)
"""
        w = moreau.World(dim=2, h=1e-3, periodic={"x": (0, 0.3), "y": (0, 0.3)})
        w.law(friction=0.3)
        w.generate.random(region={"min": (0.02, 0.02), "max": (0.28, 0.28)}, count=30, radius=moreau.sizes.uniform(0.015, 0.02), seed=3)
        w.cell(stress={"xx": 1e3, "yy": lambda t: 1e3 * (1 + t)}, damping=100)
        w.at(0.06, lambda: w.cell(rate={"xy": 0.5}, stress={"yy": 1e3}))
        w.run(until=0.1)
        self.assertEqual(w.hash, hash_of(text, seed=3))

    def test_what_is_refused(self):
        with self.assertRaisesRegex(moreau.InputError, "expected axes"):
            moreau.World(dim=2, h=1, periodic={"z": (0, 1)})
        with self.assertRaises(moreau.InputError):
            moreau.World(dim=2, h=1, periodic={"x": (1, 0)})
        with self.assertRaises((TypeError, moreau.InputError)):
            moreau.World(dim=2, h=1, periodic={"x": 3})
        w = moreau.World(dim=2, h=1e-3)
        with self.assertRaises(moreau.UsageError):
            w.cell(rate={"xy": 1})
        w = moreau.World(dim=2, h=1e-3, periodic={"x": (0, 1), "y": (0, 1)})
        for keys, words in (({"rate": {"xz": 1}}, "2D"), ({"rate": {"xx": 1}, "stress": {"xx": 1}}, "already")):
            with self.assertRaisesRegex(moreau.InputError, words):
                w.cell(**keys)
        with self.assertRaises((TypeError, ValueError)):
            w.cell(rate={"xx": "fast"})
        with self.assertRaises(moreau.InputError):
            w.cell(stress={"xx": math.nan})


def tetrahedron():
    p = F([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    t = F([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    return p, t


class Meshes(unittest.TestCase):
    def drop(self, mesh):
        """A ball on the mesh's tip: height of its centre after it came to rest beside or fell."""
        w = moreau.World(dim=3, h=1e-3, gravity=(0, 0, -9.81))
        w.law(friction=0.5)
        w.body(shape=mesh, fixed=True)
        b = w.body(shape=moreau.Sphere(0.1), density=1000, position=(0.2, 0.2, 1.0))
        w.run(until=0.5)
        return w.hash, b.position

    def test_files_and_arrays_are_one_shape(self):
        p, t = tetrahedron()
        with tempfile.TemporaryDirectory() as folder:
            stl, obj = os.path.join(folder, "a.STL"), os.path.join(folder, "a.obj")
            with open(stl, "wb") as file:
                file.write(bytes(80) + struct.pack("<I", len(t)))
                for tri in t:
                    file.write(struct.pack("<12fH", 0, 0, 0, *p[tri].ravel(), 0))
            with open(obj, "w") as file:
                file.writelines(f"v {x} {y} {z}\n" for x, y, z in p)
                file.writelines(f"f {a} {b} {c}\n" for a, b, c in t + 1)
            of_stl, of_obj = moreau.Mesh(stl), moreau.Mesh(file=obj)
            self.assertEqual((len(of_stl.points), len(of_stl.triangles)), (4, 4))
            # corners are numbered as the file comes to them: the same triangles all the same
            np.testing.assert_array_equal(of_obj.points[of_obj.triangles], p[t])
            np.testing.assert_array_equal(of_stl.points[of_stl.triangles], p[t])
            old = os.getcwd()
            os.chdir(folder)
            try:
                moreau.Mesh("a.obj")  # from the current folder
            finally:
                os.chdir(old)
            with self.assertRaises(moreau.IOFailure):
                moreau.Mesh(folder)
            with self.assertRaises(OSError):
                moreau.Mesh(os.path.join(folder, "nothing.stl"))
            bad = os.path.join(folder, "bad.obj")
            with open(bad, "w") as file:
                file.write("v 0 0 0\nf 1 2 3\n")
            with self.assertRaises(moreau.FileError) as e:
                moreau.Mesh(bad)
            self.assertEqual((e.exception.file, e.exception.line), (bad, 2))
        first, place = self.drop(of_stl)
        self.assertEqual(first, self.drop(moreau.Mesh(of_stl.points, of_stl.triangles))[0])
        # the ball is outside, but for the way of one step at the speed of a fall through 1 m
        n = F([1, 1, 1]) / math.sqrt(3)
        self.assertGreater(max(place @ n - 1 / math.sqrt(3), *(-place)), 0.1 - 1e-3 * math.sqrt(2 * 9.81))

    def test_what_is_refused(self):
        p, t = tetrahedron()
        for args in ((), (p,), (None, t), ("x.stl", t)):
            with self.assertRaises(TypeError):
                moreau.Mesh(*args)
        with self.assertRaises(TypeError):
            moreau.Mesh(p, t, file="x.stl")
        w = moreau.World(dim=3, h=1e-3)
        with self.assertRaises(moreau.InputError):
            w.body(shape=moreau.Mesh(p, t + 1), fixed=True)
        with self.assertRaises(moreau.InputError):
            w.body(shape=moreau.Mesh(p, t), density=1)


if __name__ == "__main__":
    unittest.main()
