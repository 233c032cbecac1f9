"""Contact problems: closed forms, random problems built from a known solution, files, worlds' own problems."""
import math
import os
import tempfile
import unittest

import moreau
import numpy as np

try:
    import scipy.sparse as sparse
except ImportError:
    sparse = None


def from_solution(dim, contacts, mu, seed):
    """A problem with known r and u: cones on both sides, drawn by projection; W = G G^T from random G."""
    rng = np.random.default_rng(seed)
    G = rng.normal(size=(dim * contacts, dim * contacts + 3))
    W = G @ G.T / contacts
    r, u = np.zeros(dim * contacts), np.zeros(dim * contacts)
    cone, polar = moreau.sets.Coulomb(mu, dim), moreau.sets.Coulomb(mu, dim, side="polar")
    for c in range(contacts):
        z = rng.normal(size=dim)
        i = slice(dim * c, dim * c + dim)
        r[i] = cone.prox(z)
        shifted = -polar.prox(z)  # u~ = u + mu |u_T| n, in the dual cone
        u[i] = shifted
        u[dim * c] -= mu * np.linalg.norm(shifted[1:])
    return W, u - W @ r, np.full(contacts, mu), r, u


class Solve(unittest.TestCase):
    def test_one_contact(self):
        # pressed straight on: r = -q / W; pressed at an angle beyond the cone: slides
        s = moreau.solve(np.diag([2.0, 4.0]), [-6.0, 0.0], [0.5])
        np.testing.assert_allclose(s.r, (3, 0), atol=1e-8)
        s = moreau.solve(np.eye(2), [-1.0, 5.0], [0.5])
        np.testing.assert_allclose(s.r, (1, -0.5), atol=1e-8)
        np.testing.assert_allclose(s.u, (0, 4.5), atol=1e-8)
        self.assertTrue(s.solved and s.residual < 1e-8 and s.residual_fclib < 1e-8)

    def test_known_solutions(self):
        for dim in (2, 3):
            for seed in range(3):
                W, q, mu, r, u = from_solution(dim, 6, 0.4, seed)
                p = moreau.Problem(W, q, mu)
                self.assertLess(p.certify(r, u).residual, 1e-12)
                s = p.solve(tol=1e-10)
                self.assertTrue(s.solved, s)
                # W is regular: u is unique only up to friction's whims, so that residuals are compared
                c = p.certify(s.r)
                self.assertLess(max(c.residual, c.residual_fclib), 1e-10)
                np.testing.assert_allclose(s.u, W @ s.r + q, atol=1e-9)

    def test_every_solver(self):
        for dim in (2, 3):
            W, q, mu, _, _ = from_solution(dim, 4, 0.3, 5)
            for name in moreau.solver_names(dim):
                s = moreau.solve(W, q, mu, name, tol=1e-6, max_iter=100000)
                self.assertTrue(s.solved, name)
                self.assertTrue(name == "auto" or s.solver == name, (name, s.solver))
        with self.assertRaisesRegex(moreau.InputError, "found lemke for a problem in 3D"):
            moreau.solve(W, q, mu, "lemke")

    @unittest.skipUnless(sparse, "SciPy is not installed")
    def test_sparse_and_full_are_the_same_problem(self):
        W, q, mu, _, _ = from_solution(3, 5, 0.4, 2)
        W[0:3, 6:12] = W[6:12, 0:3] = 0
        full = moreau.Problem(W, q, mu)
        for kind in ("csr_matrix", "csc_matrix", "coo_matrix", "bsr_matrix", "lil_matrix"):
            p = moreau.Problem(getattr(sparse, kind)(W), q, mu)
            np.testing.assert_array_equal(p.W.toarray(), W)
            self.assertEqual(repr(p), repr(full))
            np.testing.assert_array_equal(p.solve().r, full.solve().r)

    def test_no_solution_is_proved(self):
        # two contacts that push the same body together from both sides, and cannot move: W = 0
        s = moreau.solve(np.zeros((2, 2)), [-1.0, 0.0], [0.0])
        self.assertFalse(s.solved)
        self.assertTrue(s.impossible)
        proves, z = moreau.Problem(np.zeros((2, 2)), [-1.0, 0.0], [0.0]).witness()
        self.assertTrue(proves and z[0] > 0)

    def test_mistakes(self):
        for W, q, mu in ((np.eye(3), [1, 2], [0.1]), (np.eye(2), [1, 2, 3], [0.1]), (np.eye(4), [1] * 4, [0.1]),
                         (np.full((2, 2), np.nan), [0, 0], [0.1]), (np.eye(2), [0, 0], [-1])):
            with self.assertRaises(ValueError):
                moreau.solve(W, q, mu)
        with self.assertRaisesRegex(moreau.InputError, "solver"):
            moreau.solve(np.eye(2), [0, 0], [0.1], "gauss")
        with self.assertRaises(moreau.InputError):
            moreau.solve(np.eye(2), [0, 0], [0.1], tol=-1)


class Files(unittest.TestCase):
    def test_round_trip(self):
        W, q, mu, _, _ = from_solution(3, 4, 0.3, 9)
        p = moreau.Problem(W, q, mu, title="a title", description="of four contacts")
        with tempfile.TemporaryDirectory() as folder:
            a, b = os.path.join(folder, "a.hdf5"), os.path.join(folder, "b.hdf5")
            p.write(a)
            s = moreau.solve_file(a, output=b)
            self.assertTrue(s.solved)
            back = moreau.read_problem(b)
            np.testing.assert_array_equal(back.q, q)
            np.testing.assert_array_equal(back.r, s.r)
            np.testing.assert_array_equal(back.u, s.u)
            self.assertEqual(back.title, "a title")
            self.assertIsNone(moreau.read_problem(a).r)
            np.testing.assert_array_equal(back.solve().r, p.solve().r)
            with open(a, "r+b") as file:
                file.write(b"not HDF5 any more")
            with self.assertRaises(moreau.FileError):
                moreau.solve_file(a)
        with self.assertRaises(moreau.Error):
            moreau.solve_file("/no/such/file.hdf5")

    def test_problem_of_a_step(self):
        w = moreau.World(dim=2, h=1e-3, gravity=(0, -10))
        w.law(friction=0.5)
        w.body(shape=moreau.Halfplane(), fixed=True)
        b = w.body(shape=moreau.Rectangle(1, 0.5), mass=3, position=(0, 0.25))
        self.assertIsNone(w.problem())
        w.keep_problem(True)
        w.step(5)
        p = w.problem()
        self.assertEqual((p.dim, p.contacts), (2, 2))
        # the weight times h, on two corners
        np.testing.assert_allclose(p.r[::2], 3 * 10 * 1e-3 / 2, rtol=1e-6)
        self.assertLess(p.certify(p.r).residual, 1e-8)
        self.assertAlmostEqual(b.velocity[1], 0, delta=1e-12)


if __name__ == "__main__":
    unittest.main()
