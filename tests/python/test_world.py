"""Worlds against closed forms: flight, sliding, bouncing, moving walls, loads, joints, measures."""
import math
import unittest

import moreau
import numpy as np


class Flight(unittest.TestCase):
    def test_uniform_gravity_is_exact(self):
        # the midpoint scheme is exact in uniform gravity (M99 8.3, Remark 1): only rounding is left
        w = moreau.World(dim=2, h=0.01, gravity=(0, -9.81))
        b = w.body(shape=moreau.Disc(0.1), density=1, position=(1, 5), velocity=(2, 3), spin=0.5)
        w.step(50)
        t = 0.5
        np.testing.assert_allclose(b.position, (1 + 2 * t, 5 + 3 * t - 9.81 * t * t / 2), rtol=1e-14)
        np.testing.assert_allclose(b.velocity, (2, 3 - 9.81 * t), rtol=1e-14)
        self.assertAlmostEqual(b.angle, 0.25, delta=1e-15)
        self.assertAlmostEqual(w.time, t, delta=1e-15)
        self.assertEqual((w.steps, len(w), w.dim, w.h), (50, 1, 2, 0.01))

    def test_state_can_be_set(self):
        w = moreau.World(dim=3, h=0.01)
        b = w.body(shape=moreau.Box(1, 2, 3), density=2, name="block", group="g")
        b.position, b.velocity, b.spin = (1, 2, 3), (4, 5, 6), (0, 0, 1)
        w.step(10)
        np.testing.assert_allclose(b.position, (1.4, 2.5, 3.6), rtol=1e-14)
        # a turn about a principal axis goes on for ever: angle 0.1 about z
        np.testing.assert_allclose(np.abs(b.orientation), (math.cos(0.05), 0, 0, math.sin(0.05)), atol=1e-12)
        self.assertAlmostEqual(b.mass, 12)
        self.assertEqual((b.kind, b.name, b.group), ("dynamic", "block", "g"))
        with self.assertRaises(AttributeError):
            b.angle
        # spins that are held are zero to rounding only, which keeps nobody from setting the rest
        held = w.body(shape=moreau.Box(1, 2, 3), density=2, free=["x", "y", "z", "wz"], spin=(0, 0, 2),
                      orientation=(0.9, 0.1, 0.2, 0.3), position=(9, 9, 9))
        w.step(10)
        held.position, held.applied_force = (20, 0, 0), (1, 0, 0)
        np.testing.assert_allclose(held.spin, (0, 0, 2), atol=1e-14)
        ball = w.body(shape=moreau.Sphere(1), density=2, position=(-20, 0, 0))
        ball.orientation = (0, 1, 0, 0)
        np.testing.assert_array_equal(ball.orientation, (0, 1, 0, 0))
        with self.assertRaisesRegex(moreau.UsageError, "not of this world"):
            moreau.World(dim=3, h=0.01).remove(b)
        b.remove()
        self.assertFalse(b.exists)
        with self.assertRaises(moreau.UsageError):
            b.position

    def test_loads(self):
        w = moreau.World(dim=2, h=1e-3)
        a = w.body(shape=moreau.Disc(1), mass=2, applied_force=(4, 0))
        b = w.body(shape=moreau.Disc(1), mass=2, position=(0, 5), applied_force=lambda t: (6 * t, 0),
                   applied_torque=lambda t: 1)
        w.run(until=1)
        np.testing.assert_allclose(a.velocity, (2, 0), rtol=1e-12)
        # integral of 3 t; the load is taken at the middle of steps, exact for what is linear in t
        np.testing.assert_allclose(b.velocity, (1.5, 0), rtol=1e-9)
        np.testing.assert_allclose(b.spin, 1.0, rtol=1e-12)  # inertia 1/2 m r^2 = 1
        a.applied_force = (0, 0)
        w.step()
        np.testing.assert_allclose(a.velocity, (2, 0), rtol=1e-12)
        # a function that forgets to return is no load of 0
        w.body(shape=moreau.Disc(1), mass=2, position=(0, 9), applied_force=lambda t: None)
        with self.assertRaisesRegex(TypeError, "expected 2 numbers, found None"):
            w.step()


class Contact(unittest.TestCase):
    def test_block_slides_to_rest(self):
        # v = v0 - mu g t until it stops after v0^2 / (2 mu g)
        mu, g, v0, h = 0.3, 9.81, 1.0, 1e-3
        w = moreau.World(dim=2, h=h, gravity=(0, -g))
        w.law(friction=mu)
        w.body(shape=moreau.Halfplane(), fixed=True)
        b = w.body(shape=moreau.Rectangle(0.2, 0.1), density=100, position=(0, 0.05), velocity=(v0, 0))
        w.run(until=1)
        self.assertLess(np.abs(b.velocity).max(), 1e-9)
        # a step's error in the time of stopping
        self.assertAlmostEqual(b.position[0], v0**2 / (2 * mu * g), delta=v0 * h)
        # the weight rests on the two corners, and none of the numbers is made up by the wrapper
        c = w.contacts
        self.assertEqual(len(c), 2)
        self.assertAlmostEqual(c.force[:, 0].sum(), b.mass * g, delta=1e-6 * b.mass * g)
        np.testing.assert_allclose(b.force, (0, b.mass * g), atol=1e-6 * b.mass * g)
        # normals point toward body 1, the ground
        np.testing.assert_allclose(c.normal, [(0, -1), (0, -1)])
        self.assertEqual((list(c.body1), list(c.body2)), ([1, 1], [2, 2]))
        self.assertLess(w.certificate.residual, 1e-8)
        e = w.energy
        self.assertAlmostEqual(e.dissipated_friction + e.dissipated_impact, 0.5 * b.mass * v0**2, delta=1e-6)
        self.assertAlmostEqual(e.balance_error, 0, delta=1e-9)
        self.assertTrue(w.converged)

    def test_restitution_and_pairs_of_groups(self):
        w = moreau.World(dim=2, h=1e-3)
        w.law(between=("ball", "wall"), restitution=0.5)
        w.law(friction=0.2)  # afterwards: the pair takes the friction over, and keeps its restitution
        w.body(shape=moreau.Segment((-1, 0), (1, 0)), fixed=True, group="wall")
        b = w.body(shape=moreau.Disc(0.1), mass=1, position=(0, 0.2), velocity=(0, -1), group="ball")
        w.run(until=0.2)
        np.testing.assert_allclose(b.velocity, (0, 0.5), rtol=1e-12)
        self.assertEqual(w.law_dict(0)["friction"], 0.2)
        # a pair is one pair, in whichever order it is named: what was said last holds, also after a new default law
        w.law(between=("wall", "ball"), restitution=0.25)
        w.law(between=("ball", "wall"), restitution=0.75)
        w.law(friction=0.1)
        b.position, b.velocity = (0, 0.2), (0, -1)
        w.run(steps=200)
        np.testing.assert_allclose(b.velocity, (0, 0.75), rtol=1e-12)
        with self.assertRaisesRegex(TypeError, "no key 'frction'"):
            w.law(frction=1)
        with self.assertRaisesRegex(moreau.InputError, "restitution"):
            w.law(restitution=2)

    def test_a_belt_carries_what_lies_on_it(self):
        # the wall stands still in place and moves in its own plane: friction brings the block to its speed
        w = moreau.World(dim=2, h=1e-3, gravity=(0, -10))
        w.law(friction=0.5)
        w.body(shape=moreau.Halfplane(), motion=lambda t: {"x": 0.3 * t})
        b = w.body(shape=moreau.Rectangle(0.2, 0.1), mass=1, position=(0, 0.05))
        w.run(until=0.5)
        np.testing.assert_allclose(b.velocity, (0.3, 0), atol=1e-8)

    def test_a_press_without_room_is_told(self):
        # two plates close on a disc: no velocity keeps both at bay, in none of 20 steps
        w = moreau.World(dim=2, h=1e-3, gravity=(0, 0), solver={"tol": 1e-4})
        w.body(shape=moreau.Halfplane(normal=(0, 1)), motion=lambda t: {"y": 0.2 * t})
        w.body(shape=moreau.Halfplane(normal=(0, -1), offset=-0.2), motion=lambda t: {"y": -0.2 * t})
        w.body(shape=moreau.Disc(0.1), density=1000, position=(0, 0.1))
        w.step(20)
        self.assertEqual(w.info.unheld_steps + w.info.unconverged_steps, 20)
        self.assertAlmostEqual(w.info.unheld_time, 1e-3, delta=1e-15)
        self.assertEqual((w.info.asleep, w.info.joints_apart, w.info.apart_time), (0, 0, 0))

    def test_a_motion_that_leaps_is_told(self):
        # a stair of 0.02 m every 0.05 s, in the steps that end at 0.05 s and 0.1 s; and the same as a ramp
        for step, motion in ((0.02, lambda t: {"x": 0.02 * int((t.value + 1e-9) / 0.05)}), (0, lambda t: {"x": 0.4 * t})):
            w = moreau.World(dim=2, h=1e-3)
            w.body(shape=moreau.Rectangle(1, 0.1), motion=motion)
            w.step(120)
            self.assertAlmostEqual(w.info.leap, step, delta=1e-15)
            self.assertAlmostEqual(w.info.leap_time, 0.05 if step else 0, delta=1e-12)

    def test_free_and_collides_with(self):
        w = moreau.World(dim=2, h=1e-3, gravity=(0, -10))
        w.body(shape=moreau.Halfplane(), fixed=True, group="floor")
        a = w.body(shape=moreau.Disc(0.1), mass=1, position=(0, 1), free=["x"])
        b = w.body(shape=moreau.Disc(0.1), mass=1, position=(1, 0.1), collides_with=["nothing"])
        w.step(100)
        self.assertEqual(a.position[1], 1)
        self.assertAlmostEqual(b.position[1], 0.1 - 0.05, delta=1e-12)
        with self.assertRaises(ValueError):
            w.body(shape=moreau.Disc(1), mass=1, free=["z"])

    def test_force_distribution(self):
        # three discs of weight 10 upon each other: forces 30, 20 and 10
        w = moreau.World(dim=2, h=1e-3, gravity=(0, -10), solver={"tol": 1e-12})
        w.law(friction=0.5)
        w.body(shape=moreau.Halfplane(), fixed=True)
        for i in range(3):
            w.body(shape=moreau.Disc(0.5), mass=1, position=(0, 0.5 + i))
        w.step(20)
        d = w.measure.force_distribution(bins=2, max=1.2)
        np.testing.assert_allclose((d.count, d.mean, d.largest, d.mean_tangential), (3, 20, 30, 0), atol=1e-8)
        np.testing.assert_allclose(d.x, (0.3, 0.9), rtol=1e-15)
        np.testing.assert_allclose(d.density, (1 / 1.8, 1 / 1.8), rtol=1e-12)
        self.assertAlmostEqual(d.beyond, 1 / 3, delta=1e-12)
        lowest = w.measure.force_distribution(region={"min": (-1, -0.1), "max": (1, 0.5)})
        self.assertEqual((lowest.count, len(lowest.x)), (1, 20))
        self.assertAlmostEqual(lowest.mean, 30, delta=1e-8)
        for wrong in ({"bins": 0}, {"max": 0}, {"max": float("inf")}, {"bins": 10**9}):
            with self.assertRaises(ValueError):
                w.measure.force_distribution(**wrong)
        # of a tensor turned by 30 degrees
        c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
        Q = np.array(((c, -s), (s, c)))
        values, axes = w.measure.principal(Q @ np.diag((5, 2)) @ Q.T)
        np.testing.assert_allclose(values, (5, 2), rtol=1e-14)
        np.testing.assert_allclose(abs(axes @ Q), np.eye(2), atol=1e-14)

    def test_measures(self):
        w = moreau.World(dim=2, h=1e-3, gravity=(0, -10))
        w.body(shape=moreau.Halfplane(), fixed=True)
        bodies = [w.body(shape=moreau.Rectangle(1, 1), density=1, position=(0, 0.5 + i)) for i in range(3)]
        w.step(20)
        m = w.measure
        self.assertAlmostEqual(m.solid_fraction(((-0.5, 0.2), (0.5, 1.2))), 1, delta=1e-9)
        self.assertAlmostEqual(m.solid_fraction(((-1, 0), (1, 1))), 0.5, delta=1e-9)
        # as in scenes
        self.assertEqual(m.solid_fraction({"min": (-1, 0), "max": (1, 1)}), m.solid_fraction(((-1, 0), (1, 1))))
        self.assertAlmostEqual(m.void_ratio({"min": (-1, 0), "max": (1, 1)}), 1, delta=1e-9)
        # a column 3 high and 1 wide in the box around it: sigma_yy of each is the mean of the forces at its faces
        np.testing.assert_allclose(m.stress({"min": (-0.5, 0), "max": (0.5, 3)})[1, 1], (25 + 15 + 5) / 3, atol=1e-6)
        # all contacts push upward
        np.testing.assert_allclose(m.fabric(), ((0, 0), (0, 1)), atol=1e-9)
        for wrong, error in (({"min": (0, 0)}, ValueError), ({"min": (0, 0), "max": (1, 1), "x": 1}, ValueError),
                             (((0, 0),), TypeError), (3, TypeError), (((0, 0), (1,)), ValueError)):
            with self.assertRaises(error):
                m.stress(wrong)
        # the upper two weigh upon the lowest
        np.testing.assert_allclose(m.resultant((0, 1), (0, 1)), (0, -20), atol=1e-6)
        np.testing.assert_allclose(m.force_on(bodies[0]), (0, 10), atol=1e-6)
        self.assertEqual(m.contact_count(), 6)
        self.assertLess(m.max_penetration(), 1e-9)
        self.assertAlmostEqual(m.potential_energy(), 10 * (0.5 + 1.5 + 2.5), delta=1e-6)
        self.assertEqual(m.stress().shape, (2, 2))
        e = w.equilibrium()
        self.assertEqual(e.outcome, "possible")
        self.assertAlmostEqual(e.force[e.id1 == 1][:, 0].sum(), 30, delta=1e-6)


class Functions(unittest.TestCase):
    def test_motion_has_exact_derivatives(self):
        w = moreau.World(dim=2, h=1e-3)
        b = w.body(shape=moreau.Disc(0.1), position=(7, 8), motion=lambda t: {"x": moreau.sin(3 * t), "angle": t**2})
        w.step(100)
        t = 0.1
        np.testing.assert_allclose(w.q[0], (math.sin(0.3), 8, t * t), rtol=1e-13)
        np.testing.assert_allclose(w.u[0], (3 * math.cos(0.3), 0, 2 * t), rtol=1e-13)
        self.assertEqual(b.kind, "moved")

    def test_given_derivatives(self):
        w = moreau.World(dim=2, h=1e-3)
        w.body(shape=moreau.Disc(0.1), motion=(lambda t: {"x": math.sin(t)}, lambda t: {"x": math.cos(t)}))
        w.step(100)
        np.testing.assert_allclose(w.u[0], (math.cos(0.1), 0, 0), rtol=1e-13)

    def test_rotation_in_space(self):
        # a precession: the spin from the rotation vector against differences of the quaternion, w = 2 q' q^-1
        def rotation(t):
            return (0.9 * moreau.cos(t), 0.9 * moreau.sin(t), 0.4 * t)

        w = moreau.World(dim=3, h=1e-4)
        b = w.body(shape=moreau.Box(1, 1, 1), motion=lambda t: {"rotation": rotation(t)})
        quats, spins = [], []
        for _ in range(3):
            w.step()
            quats.append(b.orientation)
            spins.append(b.spin)
        dq = (quats[2] - quats[0]) / 2e-4
        q = quats[1]
        spin = 2 * np.array([-dq[0] * q[1] + dq[1] * q[0] - dq[2] * q[3] + dq[3] * q[2],
                             -dq[0] * q[2] + dq[1] * q[3] + dq[2] * q[0] - dq[3] * q[1],
                             -dq[0] * q[3] - dq[1] * q[2] + dq[2] * q[1] + dq[3] * q[0]])
        # differences are good to h^2
        np.testing.assert_allclose(spins[1], spin, atol=1e-6)

    def test_orientation_in_space(self):
        # turned about an axis at the rate 3, in the place of the body's own orientation; its length does not matter
        n, rate = np.array((2, -1, 2)) / 3, 3.0

        def orientation(t):
            return [(1 + t * t) * c for c in (moreau.cos(rate / 2 * t), *(moreau.sin(rate / 2 * t) * k for k in n))]

        w = moreau.World(dim=3, h=1e-2)
        b = w.body(shape=moreau.Box(1, 1, 1), orientation=(0, 1, 0, 0), motion=lambda t: {"x": t, "orientation": orientation(t)})
        w.step(30)
        np.testing.assert_allclose(b.orientation, (math.cos(0.45), *(math.sin(0.45) * n)), atol=1e-14)
        np.testing.assert_allclose(b.spin, rate * n, atol=1e-13)
        np.testing.assert_allclose(b.position, (0.3, 0, 0), atol=1e-15)
        for wrong, error in (({"orientation": (1, 0, 0)}, TypeError), ({"orientation": (0, 0, 0, 0)}, ValueError),
                             ({"orientation": (1, 0, 0, 0), "rotation": (0, 0, 1)}, TypeError)):
            with self.assertRaises(error):
                w.body(shape=moreau.Box(1, 1, 1), motion=lambda t: wrong)
                w.step()

    def test_radius_of_time(self):
        w = moreau.World(dim=2, h=1e-3)
        w.body(shape=moreau.Halfplane(), fixed=True)
        b = w.body(shape=moreau.Disc(lambda t: 0.1 + 0.05 * t), mass=1, position=(0, 0.1))
        w.run(until=1)
        # the disc grows from the ground up
        self.assertAlmostEqual(b.position[1], 0.15, delta=1e-3)

    def test_math_functions_are_refused_with_a_hint(self):
        w = moreau.World(dim=2)
        with self.assertRaisesRegex(TypeError, "moreau.sin"):
            w.body(shape=moreau.Disc(0.1), motion=lambda t: {"x": math.sin(t)})
            w.step()

    def test_exceptions_come_through(self):
        class Mine(Exception):
            pass

        def load(t):
            if t > 0.005:
                raise Mine("enough")
            return (0, 0)

        w = moreau.World(dim=2, h=1e-3)
        w.body(shape=moreau.Disc(0.1), mass=1, applied_force=load)
        with self.assertRaisesRegex(Mine, "enough"):
            w.step(100)
        self.assertTrue(0 < w.steps < 10)
        with self.assertRaises(Mine):
            w.step()

    def test_a_world_cannot_be_used_inside_its_step(self):
        w = moreau.World(dim=2, h=1e-3)
        w.body(shape=moreau.Disc(0.1), mass=1, applied_force=lambda t: (w.step(), 0))
        with self.assertRaisesRegex(moreau.UsageError, "in a step"):
            w.step()


class Joints(unittest.TestCase):
    def test_pendulum_has_its_period(self):
        # a point mass on a distance joint: 2 pi sqrt(l/g) (1 + a^2/16) for amplitude a
        g, a = 9.81, 0.1
        w = moreau.World(dim=2, h=1e-3, gravity=(0, -g))
        b = w.body(shape=moreau.Disc(0.01), mass=1, position=(math.sin(a), -math.cos(a)))
        j = w.joint(kind="distance", bodies=[b], at=(b.position, (0, 0)))
        crossings, x = [], b.position[0]
        for _ in range(4000):
            w.step()
            y = b.position[0]
            if x > 0 >= y or x < 0 <= y:
                crossings.append(w.time - 1e-3 * y / (y - x))
            x = y
        period = 2 * (crossings[2] - crossings[0]) / 2
        self.assertAlmostEqual(period, 2 * math.pi / math.sqrt(g) * (1 + a * a / 16), delta=2e-4)
        self.assertAlmostEqual(j.value, 1, delta=1e-6)
        self.assertEqual(j.bodies, (b,))

    def test_motor_and_spring(self):
        w = moreau.World(dim=2, h=1e-3)
        a = w.body(shape=moreau.Disc(0.1), mass=1)
        j = w.joint(kind="hinge", bodies=[a], at=(0, 0), motor={"speed": 3.0})
        w.step(10)
        self.assertAlmostEqual(a.spin, 3, delta=1e-9)
        j.drive(-1.0)
        w.step(10)
        self.assertAlmostEqual(j.rate, -1, delta=1e-9)
        b = w.body(shape=moreau.Disc(0.1), mass=1, position=(5, 0))
        w.joint(kind="spring", bodies=[b], at=((5, 0), (3, 0)), length=1, stiffness=1)
        w.run(until=math.pi)
        # half a period of cos: from 2 to 0 about its rest at 1
        self.assertAlmostEqual(b.position[0], 3, delta=2e-2)
        j.remove()
        self.assertFalse(j.exists)


class Running(unittest.TestCase):
    def world(self):
        w = moreau.World(dim=2, h=0.1)
        w.body(shape=moreau.Disc(0.1), mass=1, velocity=(1, 0))
        return w

    def test_order_of_callbacks(self):
        w, said = self.world(), []
        w.on_step(lambda t: said.append(("step", round(t, 3))))
        w.at(0.15, lambda: said.append("at"))
        w.stop_when(lambda t: t > 0.35)
        w.run(until=1)
        self.assertEqual(said, [("step", 0), ("step", 0.1), "at", ("step", 0.2), ("step", 0.3)])
        self.assertEqual(w.steps, 4)
        w.run(steps=0)
        self.assertEqual(w.steps, 4)
        with self.assertRaises(TypeError):
            w.run()

    def test_results_do_not_depend_on_threads(self):
        hashes = set()
        for threads in (1, 3):
            w = moreau.World(dim=2, h=1e-3, gravity=(0, -9.81), threads=threads)
            w.law(friction=0.4)
            w.body(shape=moreau.Halfplane(), fixed=True)
            for i in range(60):
                w.body(shape=moreau.Disc(0.05), density=2600, position=(0.11 * (i % 6) + 0.003 * i, 0.06 + 0.11 * (i // 6)))
            w.step(200)
            hashes.add(w.hash)
        self.assertEqual(len(hashes), 1)

    def test_shapes(self):
        tetra = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
        for dim, shape, volume in ((2, moreau.Disc(2), 4 * math.pi), (2, moreau.Rectangle(2, 3), 6),
                                   (2, moreau.Polygon([(0, 0), (2, 0), (0, 1)]), 1),
                                   (2, moreau.Compound([moreau.Disc(1), {"shape": moreau.Disc(1), "position": (5, 0)}]), 2 * math.pi),
                                   (3, moreau.Sphere(1), 4 / 3 * math.pi), (3, moreau.Box(1, 2, 3), 6),
                                   (3, moreau.Cylinder(1, 2), 2 * math.pi), (3, moreau.Capsule(1, 2), 2 * math.pi + 4 / 3 * math.pi),
                                   (3, moreau.Convex(tetra), 1 / 6)):
            w = moreau.World(dim=dim)
            b = w.body(shape=shape, density=2)
            self.assertAlmostEqual(b.mass, 2 * volume, delta=1e-9, msg=repr(shape))
            self.assertAlmostEqual(w.area[0], volume, delta=1e-9)
        w = moreau.World(dim=3, h=1e-3, gravity=(0, 0, -10))
        w.body(shape=moreau.Mesh([(-5, -5, 0), (5, -5, 0), (5, 5, 0), (-5, 5, 0)], [(0, 1, 2), (0, 2, 3)]), fixed=True)
        w.body(shape=moreau.Plane(offset=-3), fixed=True)
        b = w.body(shape=moreau.Sphere(0.5), density=1, position=(0.3, 0.2, 0.6))
        w.run(until=0.5)
        self.assertAlmostEqual(b.position[2], 0.5, delta=2e-3)
        # the message gave a number, "shape kind 0"
        for dim, shape, name in ((3, moreau.Disc(1), "a disc"), (2, moreau.Sphere(1), "a sphere"), (2, moreau.Plane(), "a plane")):
            with self.assertRaisesRegex(moreau.InputError, f"found {name}, expected .* in {dim}D"):
                moreau.World(dim=dim).body(shape=shape, density=1)


if __name__ == "__main__":
    unittest.main()
