"""The periodic cell of a world."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping, Union

import numpy as np
import numpy.typing as npt

from . import _core

if TYPE_CHECKING:
    from .world import World

Array = npt.NDArray[Any]
Quantity = Union[float, Callable[[float], float]]
Components = Mapping[str, Quantity]


class Cell:
    """The cell of a periodic world: what stands at x stands at x + (whole numbers of) edges too.

    Velocities of bodies are those beside the flow ``rate`` (x - origin).
    """

    def __init__(self, world: World) -> None:
        self._world = world

    def __repr__(self) -> str:
        if not any(self.periodic):
            return "<no cell>"
        axes = "".join(a for a, p in zip("xyz", self.periodic) if p)
        return f"<cell periodic along {axes}, volume {self.volume:.6g}>"

    def _rows(self, key: str) -> Array:
        d = self._world.dim
        return np.array(self._world.cell_get()[key]).reshape(3, 3)[:d, :d]

    @property
    def periodic(self) -> tuple[bool, ...]:
        """Along which axes."""
        return tuple(self._world.cell_get()["periodic"])

    @property
    def edges(self) -> Array:
        """m: column k is the edge along axis k; a unit vector where there is none."""
        return self._rows("edges")

    @property
    def size(self) -> Array:
        """m: diagonal of the edges."""
        return np.array(np.diag(self.edges))

    @property
    def origin(self) -> Array:
        """m: the corner that stays."""
        return np.array(self._world.cell_get()["origin"])

    @property
    def volume(self) -> float:
        """m^3, in 2D m^2; edges that are no period count as 1."""
        return float(self._world.cell_get()["volume"])

    @property
    def rate(self) -> Array:
        """1/s: the velocity gradient L at the end of the last step."""
        return self._rows("rate")

    @property
    def stress(self) -> Array:
        """Pa (N/m in 2D), compression positive: of the last step."""
        return self._world.measure.stress()


class Program:
    """What ``world.cell(...)`` asked for; functions of time are asked before every step."""

    def __init__(self, dim: int, rate: Components | None, stress: Components | None, mass: float | None,
                 damping: float) -> None:
        self.by_stress = [False] * 9
        self.values: dict[str, list[float]] = {"rate": [0.0] * 9, "stress": [0.0] * 9}
        self.functions: list[tuple[str, int, Callable[[float], float]]] = []
        self.mass, self.damping = mass, damping
        for key, given in (("stress", stress), ("rate", rate)):
            if given is not None and not isinstance(given, Mapping):
                raise TypeError(f"cell.{key}: expected components such as {{'xy': 0.1}}, found {given!r}")
            for name, x in (given or {}).items():
                self._add(key, self._component(key, name, dim), name, x)

    @staticmethod
    def _component(key: str, name: str, dim: int) -> int:
        if not isinstance(name, str) or len(name) != 2 or any(c not in "xyz"[:dim] for c in name):
            raise _core.InputError(f"cell.{key}: found {name!r}, expected components such as 'xy' of a world in {dim}D")
        return 3 * "xyz".index(name[0]) + "xyz".index(name[1])

    def _add(self, key: str, k: int, name: str, x: Quantity) -> None:
        if key == "rate" and self.by_stress[k]:
            raise _core.InputError(f"cell.rate: {name} is given by a stress already")
        self.by_stress[k] = key == "stress"
        if callable(x):
            self.functions.append((key, k, x))
        else:
            self.values[key][k] = float(x)

    def control(self) -> dict[str, Any]:
        return {"by_stress": self.by_stress, **self.values, "mass": self.mass, "damping": self.damping}

    def before_step(self, world: World) -> None:
        """Functions at the middle of the step to come."""
        t = world.time + 0.5 * world.h
        for key, k, f in self.functions:
            self.values[key][k] = float(f(t))
        world.cell_set(self.control())
