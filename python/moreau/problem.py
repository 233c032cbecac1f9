"""Frictional contact problems: given W, q and mu, find r and u = W r + q with Coulomb's law at every contact.

Component 0 of each contact is normal.  FCLIB files hold such problems.
"""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from . import _core

Path = Union[str, "os.PathLike[str]"]
Array = npt.NDArray[Any]

__all__ = ["Problem", "Solution", "Residual", "solve", "solve_file", "read_problem"]


class Residual(NamedTuple):
    """How well r solves a problem, recomputed from W, q and mu."""

    residual: float  #: unit-free
    residual_fclib: float  #: as other programs report it; mixes units
    complementarity: float
    cone_violation_force: float
    cone_violation_velocity: float
    bipotential_gap: float
    balance: float


@dataclass(frozen=True)
class Solution:
    """The answer to a problem; ``solved`` says whether both residuals reached the tolerance."""

    r: Array = field(repr=False)  #: impulses, N s, [dim contacts]
    u: Array = field(repr=False)  #: velocities, m/s, u = W r + q
    solved: bool
    iterations: int
    seconds: float
    solver: str
    story: str  #: what was done: "nlgs 40 (3e-5), newton 3 (4e-14)"
    certificate: Residual = field(repr=False)
    impossible: bool  #: proved to have no solution

    @property
    def residual(self) -> float:
        return self.certificate.residual

    @property
    def residual_fclib(self) -> float:
        return self.certificate.residual_fclib


def _blocks(W: Any, dim: int, n: int) -> tuple[Array, Array, Array]:
    """W as blocks by rows of contacts: start, column, values."""
    if hasattr(W, "tobsr"):
        if W.shape != (n, n):
            raise ValueError(f"W: found {W.shape[0]} x {W.shape[1]}, expected {n} x {n}")
        b = W.tocsr().tobsr(blocksize=(dim, dim))
        b.sum_duplicates()
        b.sort_indices()
        return b.indptr.astype(np.uint64), b.indices.astype(np.uint32), np.ascontiguousarray(b.data, dtype=float)
    full = np.asarray(W, dtype=float)
    if full.shape != (n, n):
        raise ValueError(f"W: found an array of shape {full.shape}, expected {n} x {n}")
    m = n // dim
    tiles = full.reshape(m, dim, m, dim).transpose(0, 2, 1, 3)
    rows, columns = np.nonzero(np.any(tiles != 0, axis=(2, 3)))
    start = np.searchsorted(rows, np.arange(m + 1)).astype(np.uint64)
    return start, columns.astype(np.uint32), np.ascontiguousarray(tiles[rows, columns])


class Problem:
    """A contact problem.  W: a SciPy sparse or a full matrix; q: m/s; mu: friction of each contact, >= 0.

    r and u hold a known answer where there is one (of a file, or of a world's step).
    """

    def __init__(self, W: Any, q: npt.ArrayLike, mu: npt.ArrayLike, title: str = "", description: str = "") -> None:
        qq = np.ascontiguousarray(q, dtype=float).ravel()
        mm = np.ascontiguousarray(mu, dtype=float).ravel()
        if len(mm) == 0 or len(qq) % len(mm) or len(qq) // len(mm) not in (2, 3):
            raise ValueError(f"found {len(qq)} numbers in q and {len(mm)} in mu, expected two or three for each contact")
        dim = len(qq) // len(mm)
        start, column, values = _blocks(W, dim, len(qq))
        self._d: dict[str, Any] = {"dim": dim, "contacts": len(mm), "start": start, "column": column, "W": values,
                                   "q": qq, "mu": mm}
        self.title, self.description = title, description
        self.r: Array | None = None
        self.u: Array | None = None

    @classmethod
    def _of_dict(cls, d: dict[str, Any]) -> Problem:
        p = cls.__new__(cls)
        kinds = {"start": np.uint64, "column": np.uint32, "W": float, "q": float, "mu": float}
        p._d = {"dim": d["dim"], "contacts": d["contacts"], **{k: np.frombuffer(d[k], dtype=t) for k, t in kinds.items()}}
        p.title, p.description = d.get("title", ""), d.get("description", "")
        p.r = np.frombuffer(d["r"]) if d.get("r") is not None else None
        p.u = np.frombuffer(d["u"]) if d.get("u") is not None else None
        return p

    def __repr__(self) -> str:
        return f"<{self.dim}D problem of {self.contacts} contacts, {len(self._d['column'])} blocks>"

    @property
    def dim(self) -> int:
        return int(self._d["dim"])

    @property
    def contacts(self) -> int:
        return int(self._d["contacts"])

    @property
    def q(self) -> Array:
        return np.asarray(self._d["q"])

    @property
    def mu(self) -> Array:
        return np.asarray(self._d["mu"])

    @property
    def W(self) -> Any:
        """As a scipy.sparse.bsr_matrix."""
        from scipy.sparse import bsr_matrix
        d, n = self.dim, self.dim * self.contacts
        return bsr_matrix((self._d["W"].reshape(-1, d, d), self._d["column"].astype(np.int64),
                           self._d["start"].astype(np.int64)), shape=(n, n))

    def solve(self, solver: str = "auto", *, tol: float = 1e-8, max_iter: int = 10000, max_seconds: float = 0.0,
              start: npt.ArrayLike | None = None) -> Solution:
        """Solves the problem; see :func:`moreau.solve`."""
        s = None if start is None else np.ascontiguousarray(start, dtype=float)
        a = _core.solve(self._d, solver, {"tol": tol, "max_iter": max_iter, "max_seconds": max_seconds}, s)
        a["certificate"] = Residual(**a["certificate"])
        a["r"], a["u"] = np.frombuffer(a["r"]), np.frombuffer(a["u"])
        return Solution(**a)

    def certify(self, r: npt.ArrayLike, u: npt.ArrayLike | None = None) -> Residual:
        """How well r (and u, if given) solves the problem."""
        rr = np.ascontiguousarray(r, dtype=float)
        uu = None if u is None else np.ascontiguousarray(u, dtype=float)
        return Residual(**_core.certify(self._d, rr, uu))

    def witness(self) -> tuple[bool, Array]:
        """Whether there is a proof that the problem has no solution, and the proof: weights z >= 0 of the contacts
        for which no impulse changes z.u_N < 0."""
        proves, z = _core.witness(self._d)
        return proves, np.frombuffer(z)

    def write(self, path: Path, solution: Solution | None = None) -> None:
        """Writes an FCLIB file, with the solution if given."""
        r, u = (None, None) if solution is None else (solution.r, solution.u)
        _core.problem_write(path, self._d, self.title, self.description, r, u)


def read_problem(path: Path) -> Problem:
    """The problem of an FCLIB file, local or global (then W = H^T M^-1 H is formed)."""
    return Problem._of_dict(_core.problem_read(path))


def solve(W: Any, q: npt.ArrayLike, mu: npt.ArrayLike, solver: str = "auto", *, tol: float = 1e-8,
          max_iter: int = 10000, max_seconds: float = 0.0, start: npt.ArrayLike | None = None) -> Solution:
    """Solves a contact problem: u = W r + q, Coulomb's law at every contact.

    W : SciPy sparse or full, [n, n].  q : [n], m/s.  mu : [contacts]; n is 2 or 3 times that.
    solver : one of ``moreau.solver_names(dim)``.  tol : on both residuals.  max_seconds : 0 for no bound.
    start : r to begin with.  Ctrl-C stops it.
    """
    return Problem(W, q, mu).solve(solver, tol=tol, max_iter=max_iter, max_seconds=max_seconds, start=start)


def solve_file(path: Path, solver: str = "auto", *, output: Path | None = None, tol: float = 1e-8,
               max_iter: int = 10000, max_seconds: float = 0.0) -> Solution:
    """Solves the problem of an FCLIB file; with ``output`` writes problem and solution there."""
    p = read_problem(path)
    s = p.solve(solver, tol=tol, max_iter=max_iter, max_seconds=max_seconds)
    if output is not None:
        p.write(output, s)
    return s
