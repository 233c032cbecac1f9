"""Contacts of a world or of a recorded frame as arrays."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from .world import World

Array = npt.NDArray[Any]
STATUS = np.array(["open", "stick", "slide"])


class Contacts:
    """Active contacts; one row each in every array.

    body1, body2 : ids, body1 < body2.  point : m.  normal : unit, toward body 1.  gap : m, where it was detected.
    impulse : N s, on body 1, along normal and tangent (in 3D two tangents).  velocity : m/s, likewise, at the end of
    the step, of body 1 relative to body 2.  status : "open", "stick" or "slide".  h : the step, s, so that
    ``force`` is impulse / h, N.
    """

    def __init__(self, dim: int, h: float, arrays: dict[str, Array]) -> None:
        self.dim = dim
        self.h = h
        self._a = arrays

    @classmethod
    def of_world(cls, world: World, copy: bool = True) -> Contacts:
        take: Any = np.array if copy else np.asarray
        names = ("id1", "id2", "feature", "point", "normal", "gap", "impulse", "velocity", "status")
        return cls(world.dim, world.h, {n: take(world.contacts_array(n)) for n in names})

    def __len__(self) -> int:
        return len(self._a["gap"])

    def __repr__(self) -> str:
        return f"<{len(self)} contacts, {int(np.count_nonzero(self.sliding))} sliding>"

    @property
    def body1(self) -> Array:
        return self._a["id1"]

    @property
    def body2(self) -> Array:
        return self._a["id2"]

    @property
    def feature(self) -> Array:
        """Which features touch; the same while the same features touch."""
        return self._a["feature"]

    @property
    def point(self) -> Array:
        return self._a["point"]

    @property
    def normal(self) -> Array:
        return self._a["normal"]

    @property
    def gap(self) -> Array:
        return self._a["gap"]

    @property
    def impulse(self) -> Array:
        return self._a["impulse"]

    @property
    def velocity(self) -> Array:
        return self._a["velocity"]

    @property
    def status(self) -> Array:
        return STATUS[self._a["status"]]

    @property
    def sliding(self) -> Array:
        return self._a["status"] == 2

    @property
    def force(self) -> Array:
        """N, averaged over the step."""
        return self.impulse / self.h

    @property
    def tangent(self) -> Array:
        """First tangent t: in 2D the normal turned by +90 degrees; in 3D the second one is n x t."""
        n = self.normal
        if self.dim == 2:
            return np.column_stack([-n[:, 1], n[:, 0]])
        # as mo_tangent
        e = np.copysign(1, n[:, 2])
        a = -1 / (e + n[:, 2])
        return np.column_stack([e + a * n[:, 0] * n[:, 0], a * n[:, 0] * n[:, 1], -n[:, 0]])

    def fabric(self, of_forces: bool = False) -> Array:
        """Fabric tensor: mean of n n^T over contacts, or over those with a force, weighted by it."""
        n, w = self.normal, np.ones(len(self))
        if of_forces:
            w = np.maximum(self.impulse[:, 0], 0)
        total = w.sum()
        if total == 0:
            return np.full((self.dim, self.dim), np.nan)
        return np.einsum("c,ci,cj->ij", w, n, n) / total

    def table(self) -> Array:
        """A structured array with the columns of ``moreau export --to csv --what contacts`` but for t."""
        axes = "xyz"[:self.dim]
        tangents = ["impulse_t1"] if self.dim == 2 else ["impulse_t1", "impulse_t2"]
        names = (["body1", "body2"] + [k + a for k in "pnt" for a in axes] + ["gap", "impulse_n"] + tangents + ["status"])
        columns = [self.body1, self.body2, *self.point.T, *self.normal.T, *self.tangent.T, self.gap, *self.impulse.T,
                   self.status]
        out = np.zeros(len(self), dtype=[(n, np.asarray(c).dtype) for n, c in zip(names, columns)])
        for name, column in zip(names, columns):
            out[name] = column
        return out

    def to_pandas(self) -> Any:
        """The table as a pandas.DataFrame."""
        import pandas
        return pandas.DataFrame(self.table())
