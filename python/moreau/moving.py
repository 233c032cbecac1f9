"""Moving sets of sweeping processes, with the words of scenes.

Every entry may be a number, numbers, or a function of t that gives them (also for single numbers of a list);
derivatives are exact (:mod:`moreau.dual`).
"""
from __future__ import annotations

from typing import Any, Callable, Iterable, Sequence, Union

import numpy as np
import numpy.typing as npt

from .dual import Dual, gradient, parts, variables
from .sets import Set

Array = npt.NDArray[Any]
Entry = Any
GapFunction = Callable[[Any, Any], Any]

__all__ = ["Moving", "Ball", "Interval", "Halfspace", "Polyhedron", "Gaps", "Gap", "Discs", "Convex", "Translate",
           "Intersection"]


def _is_timed(entry: Entry) -> bool:
    if callable(entry):
        return True
    return isinstance(entry, (list, tuple)) and any(_is_timed(e) for e in entry)


def _evaluate(entry: Entry, t: Any) -> list[Any]:
    """The numbers of an entry at t, flat."""
    value = entry(t) if callable(entry) else entry
    if isinstance(value, np.ndarray):
        return list(value.ravel())
    if isinstance(value, (list, tuple)):
        return [x for e in value for x in _evaluate(e, t)]
    return [value]


def _timed(entry: Entry, count: int | None, name: str) -> tuple[Any, int]:
    """As the library takes it: constant numbers, or t -> numbers and rates; and how many there are."""
    numbers = _evaluate(entry, Dual(0.0, 1.0) if _is_timed(entry) else 0.0)
    if count is not None and len(numbers) == 1:
        spread = count
    else:
        spread = 1
    n = len(numbers) * spread
    if count is not None and n != count:
        raise ValueError(f"{name}: expected {count} numbers, found {n}")
    if not _is_timed(entry):
        return np.repeat(np.array(numbers, dtype=float), spread), n

    def function(t: float) -> Array:
        pairs = [parts(x) for x in _evaluate(entry, Dual(t, 1.0))]
        if len(pairs) * spread != n:
            raise ValueError(f"{name}: expected {n} numbers, found {len(pairs)} at t = {t:g}")
        return np.repeat(np.array(pairs, dtype=float), spread, axis=0).T.ravel()

    return function, n


class Moving:
    """A moving set; see the classes of this module."""

    def _definition(self, n: int) -> dict[str, Any]:
        raise NotImplementedError


class Ball(Moving):
    """|x - center| <= radius."""

    def __init__(self, center: Entry, radius: Entry) -> None:
        self.center, self.radius = center, radius

    def _definition(self, n: int) -> dict[str, Any]:
        return {"kind": "ball", "dim": n, "a": _timed(self.center, n, "center")[0], "b": _timed(self.radius, 1, "radius")[0]}


class Interval(Moving):
    """|x_i - center_i| <= radius_i; one number stands for all coordinates."""

    def __init__(self, center: Entry, radius: Entry) -> None:
        self.center, self.radius = center, radius

    def _definition(self, n: int) -> dict[str, Any]:
        return {"kind": "box", "dim": n, "a": _timed(self.center, n, "center")[0], "b": _timed(self.radius, n, "radius")[0]}


class Polyhedron(Moving):
    """rows x >= offsets."""

    def __init__(self, rows: Entry, offsets: Entry) -> None:
        self.rows, self.offsets = rows, offsets

    def _definition(self, n: int) -> dict[str, Any]:
        rows, count = _timed(self.rows, None, "rows")
        if count % n:
            raise ValueError(f"rows: expected {n} numbers for each row, found {count} in all")
        m = count // n
        return {"kind": "polyhedron", "dim": n, "rows": m, "a": rows, "b": _timed(self.offsets, m, "offsets")[0]}


class Halfspace(Polyhedron):
    """normal.x >= offset."""

    def __init__(self, normal: Entry, offset: Entry = 0.0) -> None:
        super().__init__(normal, offset)


class Gap:
    """A gap with its derivatives given: value(t, x), gradient(t, x) -> n numbers, rate(t, x) (0 if left out)."""

    def __init__(self, value: GapFunction, gradient: GapFunction, rate: GapFunction | None = None) -> None:
        self.value, self.gradient, self.rate = value, gradient, rate


def gap_caller(gaps: Sequence[Union[GapFunction, Gap]]) -> Callable[[float, bytes, int], Array]:
    """t, x, whether derivatives are wanted -> gaps, then gradients and rates."""

    def value(f: GapFunction | Gap, t: float, x: Array) -> float:
        return float(f.value(t, x) if isinstance(f, Gap) else f(t, x))

    def whole(f: GapFunction | Gap, t: float, x: Array, duals: list[Any]) -> tuple[float, Array, float]:
        if isinstance(f, Gap):
            g = np.asarray(f.gradient(t, x), dtype=float)
            if g.shape != x.shape:
                raise ValueError(f"gradient: expected {len(x)} numbers, found an array of shape {g.shape}")
            return float(f.value(t, x)), g, float(f.rate(t, x)) if f.rate else 0.0
        if not duals:
            duals.extend(variables(t, x))
        v, d = gradient(f(duals[0], duals[1]), len(x) + 1)
        return v, d[1:], float(d[0])

    def function(t: float, point: bytes, wanted: int) -> Array:
        x = np.frombuffer(point)
        if not wanted:
            return np.array([value(f, t, x) for f in gaps])
        duals: list[Any] = []
        rows = [whole(f, t, x, duals) for f in gaps]
        return np.concatenate([[r[0] for r in rows], np.concatenate([r[1] for r in rows]), [r[2] for r in rows]])

    return function


class Gaps(Moving):
    """Where every function(t, x) is >= 0.  ``Gap`` gives derivatives by hand; ``linear`` says that all gaps are linear
    in x at every t."""

    def __init__(self, *functions: GapFunction | Gap, linear: bool = False) -> None:
        self.functions, self.linear = functions, linear

    def _definition(self, n: int) -> dict[str, Any]:
        return {"kind": "gaps", "dim": n, "rows": len(self.functions), "gaps": gap_caller(self.functions),
                "linear": self.linear}


class Discs(Moving):
    """Discs in the plane with centres x = (x1, y1, x2, ...) that overlap neither each other nor walls (rows x1, y1, x2,
    y2, m).  radius: m, one for all or one for each.  count: how many there are, if it is to be checked."""

    def __init__(self, radius: npt.ArrayLike, walls: npt.ArrayLike | None = None, count: int | None = None) -> None:
        self.radius = np.asarray(radius, dtype=float)
        self.count = count
        self.walls = None if walls is None else np.ascontiguousarray(walls, dtype=float)

    def _definition(self, n: int) -> dict[str, Any]:
        if self.count is not None and n != 2 * self.count:
            raise ValueError(f"discs: {self.count} of them have {2 * self.count} coordinates, x has {n}")
        r = np.ascontiguousarray(np.broadcast_to(self.radius, (n // 2,)))
        return {"kind": "discs", "dim": n, "radius": r, "walls": self.walls}


class Convex(Moving):
    """A convex set of :mod:`moreau.sets` that stands still; move it with Translate."""

    def __init__(self, set: Set) -> None:
        self.set = set

    def _definition(self, n: int) -> dict[str, Any]:
        return {"kind": "convex", "dim": n, "convex": self.set._definition}


class Translate(Moving):
    """The set moved by numbers or a function of t."""

    def __init__(self, set: Moving | Set, by: Entry) -> None:
        self.set = Convex(set) if isinstance(set, Set) else set
        self.by = by

    def _definition(self, n: int) -> dict[str, Any]:
        return {"kind": "translate", "dim": n, "a": _timed(self.by, n, "by")[0], "children": (self.set._definition(n),)}


class Intersection(Moving):
    """What is in all of the sets."""

    def __init__(self, sets: Iterable[Moving]) -> None:
        self.sets = tuple(sets)

    def _definition(self, n: int) -> dict[str, Any]:
        return {"kind": "intersection", "dim": n, "children": tuple(s._definition(n) for s in self.sets)}
