"""Distributions of sizes for :class:`moreau.generate.Generate`, with the words of scenes (docs/guide/generators.md)."""
from __future__ import annotations

import json
from typing import Any, Sequence

import numpy as np
import numpy.typing as npt

from . import _core, lua

__all__ = ["Sizes", "uniform", "normal", "lognormal", "bidisperse", "table"]


class Sizes:
    """A distribution of sizes, m; made by the functions of this module."""

    def __init__(self, kind: str, numbers: Sequence[Any], **keys: Any) -> None:
        self.kind = kind
        self._numbers = tuple(numbers)
        self._keys = {k: v for k, v in keys.items() if v is not None}

    def __repr__(self) -> str:
        rest = [repr(x) for x in self._numbers] + [f"{k}={v!r}" for k, v in self._keys.items()]
        return f"sizes.{self.kind}({', '.join(rest)})"

    def _lua(self) -> str:
        entries = [lua.value(x, self.kind) for x in self._numbers]
        entries += [f"{k} = {lua.value(v, self.kind)}" for k, v in self._keys.items()]
        return f"sizes.{self.kind} {{ {', '.join(entries)} }}"

    def draw(self, count: int, seed: int = 1) -> npt.NDArray[Any]:
        """So many sizes, m: those that a scene with this seed would draw first."""
        text = (f"world {{ dim = 2, h = 1, t_end = 0 }} local d, list = {self._lua()}, {{}} "
                f"for i = 1, {int(count)} do list[i] = d() end report('sizes', list)")
        scene = _core.Scene({"text": text, "path": "sizes", "name": "sizes", "seed": seed})
        return np.array(json.loads(scene.finish()["report"])["sizes"], dtype=float).reshape(-1)


def uniform(a: float, b: float, by: str | None = None) -> Sizes:
    """From a to b, m.  by="mass": shares are of the mass instead of the number of bodies."""
    return Sizes("uniform", (a, b), by=by)


def normal(mean: float, sd: float, min: float | None = None, max: float | None = None) -> Sizes:
    """Cut at min and max, by default three standard deviations from the mean; m."""
    return Sizes("normal", (mean, sd), min=min, max=max)


def lognormal(median: float, s: float, min: float | None = None, max: float | None = None) -> Sizes:
    """The logarithm has the standard deviation s; cut where it is three of them from the median, by default; m."""
    return Sizes("lognormal", (median, s), min=min, max=max)


def bidisperse(a: float, b: float, share: float = 0.5, by: str | None = None) -> Sizes:
    """a, with this share, or b; m."""
    return Sizes("bidisperse", (a, b), share=share, by=by)


def table(rows: Sequence[Sequence[float]], by: str | None = None) -> Sizes:
    """Pairs of size (m) and share, shares of any sum."""
    return Sizes("table", tuple(tuple(map(float, r)) for r in rows), by=by)
