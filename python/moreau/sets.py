"""Convex sets of R^n: nearest points, support functions, normal cones.

``prox(set, z)`` is the point of the set nearest to z.  All sets are done to rounding, except intersections with a
curved member (to a relative 1e-10).
"""
from __future__ import annotations

from typing import Any, Iterable, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core

Array = npt.NDArray[Any]

__all__ = ["Set", "Halfspace", "Affine", "Ball", "Box", "Polyhedron", "Coulomb", "Elliptic", "Cylinder", "Disc",
           "Translate", "Scaled", "Product", "Intersection", "Polar", "prox", "project", "Projection"]


def _vector(x: npt.ArrayLike) -> Array:
    return np.ascontiguousarray(x, dtype=float).ravel()


class Set:
    """A convex set; see the classes of this module."""

    def __init__(self, kind: str, dim: int, **fields: Any) -> None:
        self._definition: dict[str, Any] = {"kind": kind, "dim": dim, **fields}
        self._set = _core.Set(self._definition)

    def __repr__(self) -> str:
        return f"<{type(self).__name__.lower()} of R^{self.dim}>"

    @property
    def dim(self) -> int:
        return int(self._definition["dim"])

    @property
    def is_cone(self) -> bool:
        return self._set.facts()[1]

    @property
    def is_polyhedral(self) -> bool:
        return self._set.facts()[2]

    def prox(self, z: npt.ArrayLike) -> Array:
        """The point of the set nearest to z.  ``ValueError`` when the set is empty or it was not found."""
        x, info = self._set.prox(_vector(z))
        if not info["converged"]:
            raise ValueError("the set is empty" if info["empty"] else
                             f"the nearest point was not found: {info['violation']:.3g} outside after {info['iterations']} rounds")
        return np.frombuffer(x)

    def distance(self, z: npt.ArrayLike) -> float:
        return self._set.value("distance", _vector(z), None, 0.0)[0]

    def contains(self, x: npt.ArrayLike, tol: float = 1e-12) -> bool:
        """Whether the distance of x is at most tol, in the units of x."""
        return self.distance(x) <= tol

    def support(self, v: npt.ArrayLike, tol: float = 1e-12) -> float:
        """sup of v.x over the set; infinite when it is not bounded."""
        return self._set.value("support", _vector(v), None, tol)[0]

    def normal_distance(self, x: npt.ArrayLike, v: npt.ArrayLike, tol: float = 1e-12) -> float:
        """Distance of v to the normal cone at x; infinite when x is outside."""
        return self._set.value("normal_distance", _vector(x), _vector(v), tol)[0]

    def dissipation(self, T: npt.ArrayLike) -> float:
        """sup of -S.T over (1, S) in a cone of impulses; T has one number less than the cone."""
        return self._set.value("dissipation", _vector(T), None, 0.0)[0]

    def __and__(self, other: Set) -> Intersection:
        return Intersection([self, other])

    def __add__(self, by: npt.ArrayLike) -> Translate:
        return Translate(self, by)


class Halfspace(Set):
    """normal.x >= offset."""

    def __init__(self, normal: npt.ArrayLike, offset: float = 0.0) -> None:
        n = _vector(normal)
        super().__init__("halfspace", len(n), vector=n, offset=offset)


class Affine(Set):
    """rows x = rhs."""

    def __init__(self, rows: npt.ArrayLike, rhs: npt.ArrayLike | None = None) -> None:
        r = np.atleast_2d(np.ascontiguousarray(rows, dtype=float))
        super().__init__("affine", r.shape[1], rows=r, rhs=None if rhs is None else _vector(rhs))


class Ball(Set):
    """|x - center| <= radius."""

    def __init__(self, center: npt.ArrayLike, radius: float) -> None:
        c = _vector(center)
        super().__init__("ball", len(c), vector=c, radius=radius)


class Box(Set):
    """lower <= x <= upper; bounds may be infinite."""

    def __init__(self, lower: npt.ArrayLike, upper: npt.ArrayLike) -> None:
        low = _vector(lower)
        super().__init__("box", len(low), lower=low, upper=_vector(upper))


class Polyhedron(Set):
    """rows x >= offsets; a cone without offsets."""

    def __init__(self, rows: npt.ArrayLike, offsets: npt.ArrayLike | None = None) -> None:
        r = np.atleast_2d(np.ascontiguousarray(rows, dtype=float))
        super().__init__("polyhedron", r.shape[1], rows=r, rhs=None if offsets is None else _vector(offsets))


class Coulomb(Set):
    """|x_T| <= friction x_1 in R^dim; side: "self", "dual" or "polar"."""

    def __init__(self, friction: float, dim: int = 3, side: str = "self") -> None:
        super().__init__("coulomb", dim, friction=friction, side=side)


class Elliptic(Set):
    """|(x_2 / a, x_3 / b)| <= x_1 in R^3; side: "self", "dual" or "polar"."""

    def __init__(self, a: float, b: float, side: str = "self") -> None:
        super().__init__("elliptic", 3, axes=(a, b), side=side)


class Cylinder(Set):
    """|x_T| <= radius, x_1 free."""

    def __init__(self, radius: float, dim: int = 3) -> None:
        super().__init__("cylinder", dim, radius=radius)


class Disc(Set):
    """|x_T| <= radius, x_1 = height."""

    def __init__(self, radius: float, height: float = 0.0, dim: int = 3) -> None:
        super().__init__("disc", dim, radius=radius, offset=height)


class Translate(Set):
    """set + by."""

    def __init__(self, set: Set, by: npt.ArrayLike) -> None:
        super().__init__("translate", set.dim, vector=_vector(by), children=(set._definition,))


class Scaled(Set):
    """factor set."""

    def __init__(self, set: Set, factor: float) -> None:
        super().__init__("scaled", set.dim, factor=factor, children=(set._definition,))


class Product(Set):
    """Sets one after the other."""

    def __init__(self, sets: Iterable[Set]) -> None:
        list_ = list(sets)
        super().__init__("product", sum(s.dim for s in list_), children=tuple(s._definition for s in list_))


class Intersection(Set):
    """What is in all of the sets."""

    def __init__(self, sets: Iterable[Set]) -> None:
        list_ = list(sets)
        super().__init__("intersection", list_[0].dim if list_ else 0, children=tuple(s._definition for s in list_))


class Polar(Set):
    """{y : x.y <= 0 for x in the cone}."""

    def __init__(self, cone: Set) -> None:
        super().__init__("polar", cone.dim, children=(cone._definition,))


def prox(set: Set, z: npt.ArrayLike) -> Array:
    """The point of a convex set nearest to z."""
    return set.prox(z)


class Projection(NamedTuple):
    """x nearest to z in the metric with A x >= b, and multipliers: M (x - z) = A^T lam."""

    x: Array
    lam: Array
    outcome: str  #: "solved", "empty" (lam then proves it) or "undecided"
    info: dict[str, Any]


def _check_symmetric(i: Array, j: Array, a: Array, across: Array, diagonal: Array) -> None:
    """The library reads what is left of the diagonal only: entries a in rows i and columns j must stand across too."""
    size = np.sqrt(np.abs(diagonal[i])) * np.sqrt(np.abs(diagonal[j])) + np.abs(a) + np.abs(across)
    wrong = np.flatnonzero(np.abs(a - across) > 1e-10 * size)
    if len(wrong) > 0:
        k = wrong[0]
        raise ValueError(f"expected a symmetric matrix, found {a[k]:.17g} in row {i[k]}, column {j[k]} and "
                         f"{across[k]:.17g} across (counted from 0)")


def metric(M: Any, n: int) -> dict[str, Any] | None:
    """A symmetric matrix as the library takes it: a number, a diagonal, rows, or a SciPy sparse matrix, of which what is
    right of the diagonal may be left out."""
    if M is None:
        return None
    if hasattr(M, "tocsr"):
        c = M.tocsr(copy=True)
        if c.shape != (n, n):
            raise ValueError(f"found a matrix of {c.shape[0]} x {c.shape[1]}, expected {n} x {n}")
        c.sum_duplicates()
        c.sort_indices()
        given = c.tocoo()
        if np.any(given.data[given.row < given.col]):
            i, j = (c - c.T).nonzero()
            _check_symmetric(i, j, np.asarray(c[i, j]).ravel(), np.asarray(c[j, i]).ravel(), c.diagonal())
        return {"kind": "sparse", "entries": np.ascontiguousarray(c.data, dtype=float),
                "start": c.indptr.astype(np.uint64), "column": c.indices.astype(np.uint32)}
    a = np.asarray(M, dtype=float)
    if a.ndim == 0:
        a = np.full(n, float(a))
    if a.shape not in ((n,), (n, n)):
        raise ValueError(f"found a matrix of shape {a.shape}, expected a number, {n} numbers or {n} x {n}")
    if a.ndim == 2:
        i, j = np.triu_indices(n, 1)
        _check_symmetric(i, j, a[i, j], a[j, i], np.diag(a))
    return {"kind": "diagonal" if a.ndim == 1 else "dense", "entries": np.ascontiguousarray(a)}


def project(A: npt.ArrayLike, b: npt.ArrayLike, z: npt.ArrayLike, M: Any = None, equalities: int = 0) -> Projection:
    """The x with A x >= b (the first rows with = ) nearest to z in the metric M, exact, with multipliers."""
    zz = _vector(z)
    x, lam, info = _core.project(np.ascontiguousarray(A, dtype=float), _vector(b), equalities, zz, metric(M, len(zz)))
    return Projection(np.frombuffer(x), np.frombuffer(lam), info["outcome"], info)
