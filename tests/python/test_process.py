"""Systems and sweeps against closed forms; functions with exact derivatives; exceptions."""
import math
import unittest

import moreau
import numpy as np
from moreau import moving, sets
from moreau.dual import variables


class Duals(unittest.TestCase):
    CASES = [(lambda x: x * x - 3 / x + 2**x, lambda x: 2 * x + 3 / x**2 + math.log(2) * 2**x),
             (lambda x: moreau.sin(x) * moreau.exp(-x), lambda x: math.exp(-x) * (math.cos(x) - math.sin(x))),
             (lambda x: moreau.sqrt(1 + x**3), lambda x: 1.5 * x**2 / math.sqrt(1 + x**3)),
             (lambda x: np.arctan2(x, 2.0), lambda x: 2 / (4 + x * x)),
             (lambda x: np.cos(x) / (1 + abs(x)), lambda x: -math.sin(x) / (1 + x) - math.cos(x) / (1 + x)**2),
             (lambda x: moreau.tanh(x) + moreau.log(x) + moreau.atan(x),
              lambda x: 1 - math.tanh(x)**2 + 1 / x + 1 / (1 + x * x)),
             (lambda x: (x % 0.5) ** 2, lambda x: 2 * (x % 0.5)),
             (lambda x: moreau.asin(x / 3) - moreau.acos(x / 3) + moreau.sinh(x) - moreau.cosh(x) + moreau.tan(x / 9),
              lambda x: 2 / math.sqrt(9 - x * x) + math.cosh(x) - math.sinh(x) + (1 + math.tan(x / 9)**2) / 9),
             (lambda x: x**x, lambda x: x**x * (1 + math.log(x)))]

    def test_derivatives(self):
        for i, (f, d) in enumerate(self.CASES):
            for x in (0.3, 0.7, 1.9):
                value, rate = moreau.derivative(f, x)
                self.assertAlmostEqual(value, float(f(x)), delta=1e-13 * (1 + abs(value)), msg=i)
                self.assertAlmostEqual(rate, d(x), delta=1e-12 * (1 + abs(rate)), msg=i)

    def test_vectors(self):
        x = np.array([0.3, -1.2, 2.0])
        A = np.array([[2.0, 1, 0], [1, 3, 1], [0, 1, 4]])
        t, X = variables(0.5, x)
        y = X @ (A @ X) + t * X[0]
        np.testing.assert_allclose(y.d, [x[0], *(2 * A @ x + [0.5, 0, 0])], rtol=1e-14)
        n = np.sqrt((X * X).sum())
        np.testing.assert_allclose(n.d[1:], x / np.linalg.norm(x), rtol=1e-14)

    def test_kinks_and_plain_numbers(self):
        self.assertEqual(moreau.derivative(abs, 0.0), (0.0, 1.0))
        self.assertEqual(moreau.derivative(lambda t: max(t, 1.0), 2.0), (2.0, 1.0))
        with self.assertRaisesRegex(TypeError, "moreau.sin"):
            moreau.derivative(math.sin, 1.0)
        with self.assertRaises(TypeError):
            hash(moreau.Dual(1.0))


class Systems(unittest.TestCase):
    def test_paoli_schatzman_reverses_in_two_steps(self):
        # P01 3a: q0 = 1, v0 = -1, e = 0.3, K = R+: after the impact the velocity is e exactly
        h, e = 0.01, 0.3
        s = moreau.System(q=[1], u=[-1], h=h, scheme="paoli-schatzman", gaps=[lambda t, q: q[0]], restitution=e)
        p = s.run(2)
        np.testing.assert_allclose(np.diff(p.q[-20:, 0]) / h, e, rtol=1e-10)
        hit = p.t[np.argmax(np.diff(p.q[:, 0]) > 0)]
        self.assertTrue(1 - (1 - e) / (1 + e) * h - h < hit <= 1 + 2 * e * h / (1 + e) + h)
        self.assertEqual([x.type for x in p.events], ["contact", "impact", "release"])
        self.assertEqual(len(p), 201)

    def test_event_driven_bounces(self):
        # times of impact of a ball with restitution r dropped from 1: t1 (1 + 2 r + 2 r^2 + ...)
        g, r = 9.81, 0.5
        s = moreau.System(q=[1.0], u=[0.0], h=0.01, scheme="event-driven", force=lambda t, q: [-g],
                          gaps=[lambda t, q: q[0]], restitution=r)
        s.run(1.0)
        t1 = math.sqrt(2 / g)
        impacts = [e.t for e in s.events if e.type == "impact"]
        np.testing.assert_allclose(impacts[:2], [t1, t1 * (1 + 2 * r)], rtol=1e-9)
        self.assertEqual(s.info.impacts, len(impacts))

    def test_pendulum_as_a_gap(self):
        # a bead inside a circle: g = 1 - |q|, derivatives through the norm; slides down and keeps its energy
        s = moreau.System(q=[1.0, 0.0], u=[0.0, 0.0], h=1e-3, scheme="moreau", force=lambda t, q, u: np.array([0, -1.0]),
                          potential=lambda t, q: q[1], gaps=[lambda t, q: 1 - np.sqrt(q @ q)])
        p = s.run(1.0)
        self.assertLess(abs(s.energy.balance_error), 1e-9)
        self.assertAlmostEqual(np.linalg.norm(p.q[-1]), 1, delta=5e-3)
        self.assertEqual(p.outcome, "reached")

    def test_derivatives_given_by_hand(self):
        # the same system three ways: duals, by hand, and with a rate
        def run(gap):
            s = moreau.System(q=[0.5], u=[0.0], h=1e-2, scheme="moreau", gaps=[gap])
            return s.run(1.0).q

        a = run(lambda t, q: q[0] - t)
        b = run(moreau.Gap(lambda t, q: q[0] - t, lambda t, q: [1.0], lambda t, q: -1.0))
        np.testing.assert_array_equal(a, b)
        # swept by the wall
        self.assertAlmostEqual(a[-1, 0], 1.0, delta=2e-2)

    def test_matrices(self):
        # an oscillator of two masses between three springs: modes 1 and sqrt(3)
        for K in ([[2, -1], [-1, 2]], "sparse"):
            if K == "sparse":
                try:
                    from scipy.sparse import csr_matrix
                except ImportError:
                    continue
                K = csr_matrix([[2.0, -1], [-1, 2]])
            s = moreau.System(q=[1, 1], u=[0, 0], h=1e-3, scheme="moreau-jean", mass=[1, 1], stiffness=K)
            p = s.run(2.0)
            np.testing.assert_allclose(p.q[-1], math.cos(2.0), atol=1e-6)
        # only what is left of the diagonal is read: of a matrix that is not symmetric that would be another one
        bad = [np.array([[2.0, 5], [-1, 2]]), np.array([[2.0, -1], [0, 2]])]
        try:
            from scipy import sparse
            bad += [sparse.csr_matrix(M) for M in bad] + [sparse.triu([[2.0, -1], [-1, 2]])]
            below = sparse.tril([[2.0, -1], [-1, 2]])  # what is right of the diagonal may be left out
            s = moreau.System(q=[1, 1], u=[0, 0], h=1e-3, scheme="moreau-jean", stiffness=below)
            np.testing.assert_allclose(s.run(2.0).q[-1], math.cos(2.0), atol=1e-6)
        except ImportError:
            pass
        for M in bad:
            for key in ("mass", "stiffness", "damping"):
                with self.assertRaisesRegex(ValueError, "expected a symmetric matrix"):
                    moreau.System(q=[1, 1], u=[0, 0], h=1e-3, scheme="moreau-jean", **{key: M})
            with self.assertRaisesRegex(ValueError, "expected a symmetric matrix"):
                moreau.project([[1, 0]], [1], (0, 0), M=M)
        s = moreau.System(q=[1.0], u=[0.0], h=1e-3, scheme="moreau-jean", mass=lambda t, q: [[2.0]],
                          force=lambda t, q, u: [-2.0 * moreau.sin(q[0])], theta=0.5)
        t = s.run(1.0)
        self.assertEqual(len(t), 1001)

    def test_friction_and_restitution_functions(self):
        # a particle on a table: it slides to rest after v^2/(2 mu g)
        s = moreau.System(q=[0, 0], u=[1, 0], h=1e-3, scheme="moreau", force=lambda t, q: [0, -10.0],
                          gaps=[lambda t, q: q[1]], friction=0.5, tangents=[lambda t, q: (1.0, 0.0)],
                          restitution=lambda t, q: 0.0)
        s.run(0.5)
        self.assertAlmostEqual(s.q[0], 1 / (2 * 0.5 * 10), delta=1e-3)
        s = moreau.System(q=[1], u=[-1], h=0.01, scheme="mabrouk", gaps=[lambda t, q: q[0]], dissipation_index=1 / 3)
        self.assertAlmostEqual(s.run(2).u[-1, 0], 0.5, delta=1e-12)

    def test_mistakes(self):
        ball = dict(q=[1], u=[-1], h=0.01, scheme="moreau", gaps=[lambda t, q: q[0]])
        with self.assertRaisesRegex(moreau.InputError, "scheme"):
            moreau.System(**{**ball, "scheme": "euler"})
        with self.assertRaisesRegex(TypeError, "force: expected 1 number, found None"):
            moreau.System(**ball, force=lambda t, q: None).step()
        with self.assertRaises(ValueError):
            moreau.System(**ball, restitution=[0.1, 0.2])
        with self.assertRaises(moreau.InputError):
            moreau.System(**{**ball, "q": [-1]})
        with self.assertRaisesRegex(ZeroDivisionError, "zero"):
            moreau.System(**{**ball, "gaps": [lambda t, q: q[0] + 1 / (1 if t < 0.05 else 0)]}).run(1)
        with self.assertRaisesRegex(TypeError, "no key 'tehta'"):
            moreau.System(**ball, tehta=1)


class Sweeps(unittest.TestCase):
    def test_tractrix(self):
        # SPEC B5: tan(theta/2) = e^{-t}, u = a + (-cos theta, sin theta)
        t = 2.0
        theta = 2 * math.atan(math.exp(-t))
        exact = np.array([t - math.cos(theta), math.sin(theta)])
        disc = moving.Ball(center=lambda t: (t, 0), radius=1)
        error = [np.linalg.norm(moreau.Sweep(x=(0, 1), h=h, set=disc).run(t).x[-1] - exact) for h in (0.02, 0.01)]
        self.assertLess(error[1], 0.01)
        self.assertAlmostEqual(error[0] / error[1], 2, delta=0.2)  # first order
        fine = moreau.Sweep(x=(0, 1), h=0.01, set=disc, method="event-driven").run(t)
        np.testing.assert_allclose(fine.x[-1], exact, atol=1e-8)

    def test_play(self):
        # an interval of radius 1 whose centre goes to 3 and back to 1.02: the point ends at the border, 2
        s = moreau.Sweep(x=0.0, h=0.01, set=moving.Interval(lambda t: 3 - 3 * abs(t - 1), 1))
        p = s.run(1.66)
        self.assertAlmostEqual(p.x[100, 0], 2, delta=1e-12)
        self.assertAlmostEqual(p.x[-1, 0], 2, delta=1e-12)
        self.assertAlmostEqual(s.info.path_length, 2, delta=1e-12)

    def test_kinds_of_sets_agree(self):
        # a half-space that moves, in five ways
        sets_ = [moving.Halfspace((1.0, 0.0), lambda t: t), moving.Polyhedron([[1.0, 0.0]], [lambda t: t]),
                 moving.Gaps(lambda t, x: x[0] - t, linear=True), moving.Translate(moving.Halfspace((1.0, 0.0)), lambda t: (t, 0)),
                 moving.Translate(sets.Halfspace((1.0, 0.0)), lambda t: (t, 0.0)),
                 moving.Intersection([moving.Halfspace((1.0, 0.0), lambda t: t), moving.Ball((0, 0), 9)])]
        for s in sets_:
            x = moreau.Sweep(x=(0.5, 3.0), h=0.01, set=s).run(1).x[-1]
            np.testing.assert_allclose(x, (1, 3), atol=1e-12, err_msg=type(s).__name__)
        field = moreau.Sweep(x=(0.5, 3.0), h=0.01, set=sets_[0], field=lambda t, x: (0, 2 * t)).run(1)
        np.testing.assert_allclose(field.x[-1], (1, 4), atol=2e-2)
        discs = moreau.Sweep(x=(0, 0, 1.0, 0), h=0.01, set=moving.Discs(0.5), field=lambda t, x: (1, 0, 0, 0)).run(1)
        # the one pushes the other: each at half the speed
        np.testing.assert_allclose(discs.x[-1], (0.5, 0, 1.5, 0), atol=1e-9)

    def test_an_empty_set_ends_the_run(self):
        s = moreau.Sweep(x=(0.0,), h=0.1, set=moving.Interval(0.0, lambda t: 0.55 - t))
        p = s.run(2)
        self.assertNotEqual(p.outcome, "reached")
        self.assertLess(p.t[-1], 0.61)
        with self.assertRaises(moreau.Error):
            s.step()

    def test_mistakes(self):
        with self.assertRaises(ValueError):
            moreau.Sweep(x=(0, 0), h=0.1, set=moving.Ball((0, 0, 0), 1))
        with self.assertRaises(TypeError):
            moreau.Sweep(x=(0, 0), h=0.1, set=1)
        with self.assertRaises(moreau.InputError):
            moreau.Sweep(x=(0, 0), h=-0.1, set=moving.Ball((0, 0), 1))
        with self.assertRaises(NameError):
            moreau.Sweep(x=(0, 0), h=0.1, set=moving.Ball(lambda t: (t, nothing), 1))  # noqa: F821


class Convex(unittest.TestCase):
    def test_known_points(self):
        np.testing.assert_allclose(moreau.prox(sets.Ball((1, 0), 2), (5, 0)), (3, 0))
        np.testing.assert_allclose(sets.Box((0, 0), (1, np.inf)).prox((-1, 7)), (0, 7))
        np.testing.assert_allclose(sets.Halfspace((0, 2), 2).prox((3, 0)), (3, 1))
        np.testing.assert_allclose(sets.Affine([[1, 1]], [2]).prox((0, 0)), (1, 1))
        np.testing.assert_allclose(sets.Polyhedron([[1, 0], [0, 1]], [0, 0]).prox((-1, 2)), (0, 2))
        np.testing.assert_allclose(sets.Disc(1, height=2).prox((0, 3, 4)), (2, 0.6, 0.8))
        np.testing.assert_allclose(sets.Cylinder(1).prox((7, 3, 4)), (7, 0.6, 0.8))
        np.testing.assert_allclose((sets.Ball((0, 0), 1) + (3, 0)).prox((0, 0)), (2, 0))
        np.testing.assert_allclose((sets.Ball((0, 0), 1) & sets.Halfspace((1, 0), 0)).prox((-3, 0)), (0, 0), atol=1e-9)
        np.testing.assert_allclose(sets.Product([sets.Ball((0, 0), 1), sets.Box([0], [1])]).prox((3, 4, 5)), (0.6, 0.8, 1))
        np.testing.assert_allclose(sets.Scaled(sets.Ball((1, 0), 1), -2).prox((0, 0)), (0, 0))
        self.assertEqual(sets.Ball((0, 0), 2).support((3, 4)), 10)
        self.assertEqual(sets.Halfspace((1, 0), 0).support((1, 0)), math.inf)
        self.assertEqual(sets.Ball((0, 0), 1).distance((3, 4)), 4)
        self.assertAlmostEqual(sets.Ball((0, 0), 1).normal_distance((1, 0), (3, 4)), 4)
        self.assertAlmostEqual(sets.Coulomb(0.5).dissipation((3, 4)), 2.5)
        self.assertTrue(sets.Ball((0, 0), 1).contains((1, 0)) and not sets.Ball((0, 0), 1).contains((1.1, 0)))

    def test_cones_split_space(self):
        # M99 (4)(5): z = x + y, x in the cone, y in its polar, x.y = 0
        rng = np.random.default_rng(1)
        for cone, polar in ((sets.Coulomb(0.7), sets.Coulomb(0.7, side="polar")),
                            (sets.Elliptic(0.4, 0.9), sets.Polar(sets.Elliptic(0.4, 0.9))),
                            (sets.Polyhedron(rng.normal(size=(4, 3))), None)):
            other = polar or sets.Polar(cone)
            self.assertTrue(cone.is_cone)
            for z in rng.normal(size=(20, 3)):
                x, y = cone.prox(z), other.prox(z)
                np.testing.assert_allclose(x + y, z, atol=1e-12)
                self.assertAlmostEqual(x @ y, 0, delta=1e-12)

    def test_projection_in_a_metric(self):
        M = np.array([[2.0, 0.5], [0.5, 1.0]])
        p = moreau.project([[1, 0], [0, 1]], [1, -5], (0, 0), M)
        np.testing.assert_allclose(M @ p.x, [[1, 0], [0, 1]] @ p.lam, atol=1e-13)
        np.testing.assert_allclose(p.x, (1, -0.5), atol=1e-13)
        empty = moreau.project([[1], [-1]], [1, 1], [0])
        self.assertEqual(empty.outcome, "empty")
        with self.assertRaisesRegex(ValueError, "empty"):
            sets.Polyhedron([[1], [-1]], [1, 1]).prox([0])
        with self.assertRaises(moreau.InputError):
            moreau.project([[1.0]], [0], [0], [[-1.0]])


if __name__ == "__main__":
    unittest.main()
