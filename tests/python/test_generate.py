"""Generators from Python: the same bodies as scenes make, their fields, and rain."""
import math
import os
import tempfile
import unittest

import moreau
import numpy as np
from moreau import sizes
from test_loading import hash_of


class SameBits(unittest.TestCase):
    def same(self, dim, lua, make, seed=5):
        gravity = (0, -9.81) if dim == 2 else (0, 0, -9.81)
        text = f"world {{ dim = {dim}, h = 1e-3, t_end = 0.005, gravity = {{{', '.join(map(str, gravity))}}} }} law {{ friction = 0.5 }} {lua}"
        w = moreau.World(dim=dim, h=1e-3, gravity=gravity)
        w.law(friction=0.5)
        bodies = make(w.generate)
        self.assertGreater(len(bodies), 1)
        self.assertTrue(all(b.exists for b in bodies))
        w.step(5)
        self.assertEqual(w.hash, hash_of(text, seed=seed))
        return w, bodies

    def test_lattice(self):
        self.same(2, 'generate.lattice { kind = "square", counts = {3, 4}, radius = 0.1, jitter = 0.5, spacing = 0.3, angle = "random", group = "g" }',
                  lambda g: g.lattice(kind="square", counts=(3, 4), radius=0.1, jitter=0.5, spacing=0.3, angle="random", group="g", seed=5))
        w, b = self.same(3, "generate.lattice { region = { center = {0, 0, 0}, radius = 1 }, radius = 0.2, velocity = {1, 0, 0} }",
                         lambda g: g.lattice(region={"center": (0, 0, 0), "radius": 1}, radius=0.2, velocity=(1, 0, 0)))
        self.assertAlmostEqual(b.spacing, 0.4)
        self.assertTrue((np.linalg.norm(b.position - (0.005, 0, 0), axis=1) < 0.8 + 0.005).all())

    def test_random_shapes(self):
        w, b = self.same(2, """generate.random { region = { points = {{0, 0}, {2, 0}, {1, 2}} }, count = 12, gap = 0.01, name = "n",
                               shape = compound { { shape = rectangle {0.1, 0.05} }, { shape = disc { radius = 0.04 }, position = {0.05, 0.01}, angle = 0.3 } } }""",
                         lambda g: g.random(region={"points": [(0, 0), (2, 0), (1, 2)]}, count=12, gap=0.01, name="n", seed=5,
                                            shape=moreau.Compound([moreau.Rectangle(0.1, 0.05),
                                                                   {"shape": moreau.Disc(0.04), "position": (0.05, 0.01), "angle": 0.3}])))
        self.assertEqual(b[3].name, "n 4")
        self.same(3, "generate.random { region = { min = {0, 0, 0}, max = {1, 1, 1} }, count = 9, shape = capsule { radius = 0.05, height = 0.1 }, orientation = 'random' }",
                  lambda g: g.random(region={"min": (0, 0, 0), "max": (1, 1, 1)}, count=9, shape=moreau.Capsule(0.05, 0.1), orientation="random", seed=5))

    def test_compressed_and_functions_of_the_number(self):
        w, b = self.same(2, "generate.compressed { count = 20, radius = function(i) return 0.01 + 0.001 * (i % 3) end }",
                         lambda g: g.compressed(count=20, radius=lambda i: 0.01 + 0.001 * (i % 3), seed=5))
        # a force for every freedom of what carries load, and of the two walls, unless there are crystals
        self.assertEqual(b.contacts, 2 * (20 - b.rattlers) + 2)
        with self.assertRaisesRegex(TypeError, "needs count"):
            moreau.World(dim=2, h=1).generate.lattice(region={"min": (0, 0), "max": (1, 1)}, radius=lambda i: 0.1)

    def test_polygons(self):
        for dim in (2, 3):
            w, b = self.same(dim, f"generate.polygons {{ region = {{ min = {{{', '.join('0' * dim)}}}, max = {{{', '.join('1' * dim)}}} }}, count = 8, relax = 1 }}",
                             lambda g: g.polygons(region={"min": (0,) * dim, "max": (1,) * dim}, count=8, relax=1, seed=5))
            self.assertAlmostEqual(w.area.sum(), 1, delta=1e-12)

    def test_masonry(self):
        w, b = self.same(3, "generate.wall { bricks = 3, courses = 2 } generate.arch { voussoirs = 5, position = {0, 5, 0} }",
                         lambda g: (g.wall(bricks=3, courses=2), g.arch(voussoirs=5, position=(0, 5, 0)))[1])
        self.assertEqual([s.kind for s in b.supports], ["fixed", "fixed"])
        # the list is the scene's: supports are beside it
        self.assertEqual(([x.kind for x in b], b.supports[0].group), (["dynamic"] * 5, "default"))
        w, b = self.same(3, "generate.dome { courses = 2, blocks = 6 }", lambda g: g.dome(courses=2, blocks=6))
        self.assertEqual((len(b), [len(r) for r in b.rings], len(b.supports)), (13, [6, 6], 6))
        self.assertEqual(b.keystone.kind, "dynamic")
        w, b = self.same(3, "generate.column { drums = 3, capital = { radius = 0.7, height = 0.2 }, sides = 8 }",
                         lambda g: g.column(drums=3, capital={"radius": 0.7, "height": 0.2}, sides=8))
        self.assertAlmostEqual(b.capital.position[2], 3 * 0.5 + 0.1, delta=1e-3)
        with self.assertRaisesRegex(AttributeError, "no field 'courses'"):
            b.courses

    def test_into_a_world_that_runs(self):
        # groups go by name, whatever their numbers; energy that bodies bring is work
        w = moreau.World(dim=2, h=1e-3, gravity=(0, -9.81))
        w.law(between=("a", "b"), friction=0.1)
        w.body(shape=moreau.Disc(0.1), density=1, group="b", position=(0, 5))
        w.step(3)
        g = w.generate.lattice(counts=(2, 2), radius=0.1, group="grain", collides_with=["b"], position=(0, 1), velocity=(1, 2))
        w.step(3)
        self.assertEqual([x.group for x in g], ["grain"] * 4)
        self.assertAlmostEqual(w.energy.balance_error, 0, delta=1e-10)
        view = w.position
        with self.assertRaises(BufferError):
            w.generate.lattice(counts=(2, 2), radius=0.1)
        del view

    def test_what_is_refused(self):
        g = moreau.World(dim=2, h=1e-3).generate
        region = {"min": (0, 0), "max": (1, 1)}
        for call in (lambda: g.random(region=region, radius=0.1), lambda: g.random(region=region, count=10**9, radius=0.1),
                     lambda: g.random(region=region, count=3, radius=math.nan), lambda: g.random(region={"min": 3}, count=3, radius=0.1),
                     lambda: g.lattice(counts=(2, 2), radius=0.1, nosuch=3), lambda: g.lattice(counts=(2, 2), radius=0.1, group='"] = 3, x = {'*40),
                     lambda: g.column(drums=3), lambda: g.random(region=region, count=3, radius=sizes.uniform(2, 1)),
                     lambda: g.random(region=region, count=3, radius=0.1, density=-1)):
            with self.assertRaises(ValueError):
                call()
        for call in (lambda: g.lattice(counts=(2, 2), radius=0.1, motion=lambda t: {}), lambda: g.lattice(counts=(2, 2), radius=object()),
                     lambda: g.nosuch()):
            with self.assertRaises((TypeError, AttributeError)):
                call()
        self.assertEqual(len(g._world), 0)
        # texts cannot leave their quotes
        b = g.lattice(counts=(1, 2), radius=0.1, name='a"} error("x") --\\\né')
        self.assertEqual(b[1].name, 'a"} error("x") --\\\né 2')


class Sizes(unittest.TestCase):
    def test_draws(self):
        # within their bounds, with the mean of the distribution to five standard errors
        n = 4000
        for d, low, high, mean, sd in ((sizes.uniform(1, 2), 1, 2, 1.5, 12**-0.5), (sizes.normal(5, 0.5), 3.5, 6.5, 5, 0.5),
                                       (sizes.bidisperse(1, 3, share=0.25), 1, 3, 2.5, 0.87), (sizes.table([(1, 1), (2, 3)]), 1, 2, 1.75, 0.44)):
            x = d.draw(n, seed=2)
            self.assertTrue(low <= x.min() and x.max() <= high, d)
            self.assertAlmostEqual(x.mean(), mean, delta=5 * sd / math.sqrt(n), msg=repr(d))
            np.testing.assert_array_equal(x, d.draw(n, seed=2))
        self.assertAlmostEqual(np.median(sizes.lognormal(2, 0.3).draw(n)), 2, delta=5 * 1.26 * 0.6 / math.sqrt(n))


class Rain(unittest.TestCase):
    def world(self):
        w = moreau.World(dim=2, h=1e-3, gravity=(0, -9.81))
        w.law(friction=0.5)
        w.body(shape=moreau.Halfplane(), fixed=True)
        return w, w.generate.rain(count=12, position=(0, 0.5), rate=100, radius=sizes.uniform(0.01, 0.02), scatter=0.05, speed=1,
                                  name="drop", group="rain", start=0.01)

    def test_bodies_come_when_due(self):
        w, r = self.world()
        w.run(until=0.01)
        self.assertEqual(len(r), 0)
        w.run(until=0.0105 + 0.001)
        self.assertEqual((len(r), r[0].name, r[0].group), (1, "drop 1", "rain"))
        w.run(until=0.4)
        self.assertEqual(len(r), 12)
        self.assertEqual(len(w), 13)
        # no deeper than the way of a step at the speed of the fall
        self.assertLess(w.info.max_penetration, 1e-3 * math.sqrt(1 + 2 * 9.81 * 0.5))

    def test_a_covered_source_stops(self):
        w = moreau.World(dim=2, h=1e-3)  # no gravity, no speed: the first stays where it is
        r = w.generate.rain(count=5, position=(0, 0), interval=0, radius=0.1)
        w.step(5)
        self.assertEqual(len(r), 1)
        r[0].position = (1, 0)
        w.step()
        self.assertEqual(len(r), 2)

    def test_shapes_and_resuming(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "r.h5")
            w, r = self.world()
            with w.record(path, every=0.01):
                w.run(until=0.06)
            w.run(until=0.15)
            again, rain = self.world()
            again.resume(path)
            self.assertEqual(len(rain), 5)  # due at 0.01, ... 0.05; that of 0.06 comes with the next step
            again.run(until=0.15)
            self.assertEqual(again.hash, w.hash)
        w = moreau.World(dim=3, h=1e-3, gravity=(0, 0, -9.81))
        r = w.generate.rain(count=4, position=(0, 0, 1), interval=0.1, radius=0.1, scatter=0.1,
                            shape=lambda r, i: moreau.Box(r, r, r * i / 4))
        w.run(until=0.5)
        self.assertAlmostEqual(r[3].mass / r[0].mass, 4, delta=1e-12)

    def test_what_is_refused(self):
        g = moreau.World(dim=2, h=1e-3).generate
        for keys in ({}, {"interval": 1, "rate": 1}, {"interval": math.nan}, {"rate": 1, "direction": (0, 0)}, {"rate": 1, "position": (1, 2, 3)}):
            with self.assertRaises(ValueError):
                g.rain(**{"count": 3, "position": (0, 0), "radius": 0.1, **keys})
        with self.assertRaises(TypeError):
            g.rain(count=3, position=(0, 0), radius=0.1, rate=1, velocity=(1, 0))


if __name__ == "__main__":
    unittest.main()
