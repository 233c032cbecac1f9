"""Quantities read off a world."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, Sequence, Union

import numpy as np
import numpy.typing as npt

from .bodies import Body

if TYPE_CHECKING:
    from .world import World

Vector = Union[Sequence[float], npt.NDArray[Any]]
Array = npt.NDArray[Any]
Region = Union[tuple[Vector, Vector], Mapping[str, Vector]]


def _corners(region: Region | None) -> tuple[Any, Any]:
    if region is None:
        return None, None
    if isinstance(region, Mapping):
        if set(region) != {"min", "max"}:
            raise ValueError(f"region: found the keys {sorted(map(str, region))}, expected 'min' and 'max'")
        return region["min"], region["max"]
    if not isinstance(region, (tuple, list, np.ndarray)) or len(region) != 2:
        raise TypeError(f"region: expected (min, max) or {{'min': ..., 'max': ...}}, found {region!r}")
    return region[0], region[1]


@dataclass(frozen=True)
class ForceDistribution:
    """Normal forces over their mean, of the contacts with a force."""

    x: Array  #: middles of the bins of f_N over its mean
    density: Array  #: share of contacts over the width of the bin
    beyond: float  #: share above the last bin
    count: int  #: contacts
    mean: float  #: N
    largest: float  #: N
    mean_tangential: float  #: N, of \|f_T\|


class Measure:
    """Quantities read off a world; a region is ``(min, max)``, two corners in m, or ``{"min":, "max":}`` as in scenes, or
    None for the box around all free bodies."""

    def __init__(self, world: World) -> None:
        self._world = world

    def kinetic_energy(self) -> float:
        """J."""
        return float(self._world.measure_value("kinetic_energy"))

    def potential_energy(self) -> float:
        """J, zero at the origin."""
        return float(self._world.measure_value("potential_energy"))

    def contact_count(self) -> int:
        """Contacts that were active in the last step."""
        return int(self._world.measure_value("contact_count"))

    def sliding_count(self) -> int:
        return int(self._world.measure_value("sliding_count"))

    def max_penetration(self) -> float:
        """m, at the present positions."""
        return float(self._world.measure_value("max_penetration"))

    def coordination(self) -> float:
        """Mean contacts with a force per body that has any."""
        return float(self._world.measure_value("coordination"))

    def _region(self, name: str, region: Region | None) -> Array:
        return np.frombuffer(self._world.measure_region(name, *_corners(region)))

    def _tensor(self, name: str, region: Region | None) -> Array:
        d = self._world.dim
        return self._region(name, region).reshape(d, d)

    def solid_fraction(self, region: Region | None = None) -> float:
        """Part of the region that bodies fill."""
        return float(self._region("solid_fraction", region)[0])

    def void_ratio(self, region: Region | None = None) -> float:
        """What is not solid over what is: 1/solid_fraction - 1, infinite where nothing is."""
        return float(self._region("void_ratio", region)[0])

    def stress(self, region: Region | None = None) -> Array:
        """Love-Weber stress, Pa (N/m in 2D), compression positive."""
        return self._tensor("stress", region)

    def fabric(self, region: Region | None = None) -> Array:
        """Mean of n n^T over the contacts with a force whose points lie in the region (None: all)."""
        return self._tensor("fabric", region)

    def force_distribution(self, bins: int = 20, max: float = 5, region: Region | None = None) -> ForceDistribution:
        """Of f_N over its mean in bins from 0 to ``max``, contacts with a force whose points lie in the region (None: all)."""
        d = self._world.measure_forces(bins, max, *_corners(region))
        density = np.frombuffer(d.pop("density"))
        return ForceDistribution(x=max * (np.arange(bins) + 0.5) / bins, density=density, **d)

    def principal(self, tensor: Any) -> tuple[Array, Array]:
        """Principal values of the symmetric part, the largest first, and their axes, one row each."""
        A = np.asarray(tensor, dtype=float)
        values, axes = np.linalg.eigh(0.5 * (A + A.T))
        return values[::-1], axes.T[::-1]

    def resultant(self, point: Vector, normal: Vector) -> Array:
        """N: force of the bodies with centres on the side of the normal upon the others."""
        return np.frombuffer(self._world.measure_resultant(point, normal))

    def force_on(self, body: Body) -> Array:
        """N: contact force on a body, averaged over the last step."""
        return body.force
