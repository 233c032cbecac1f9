"""Figures with matplotlib: series, force distributions, fabric, performance profiles.

Every function draws into ``ax`` or a new one, and gives it back.
"""
from __future__ import annotations

from typing import Any, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from .contacts import Contacts
from .run import Run, Series

__all__ = ["series", "forces", "fabric", "paths", "performance_profile"]


def _axes(ax: Any, **kinds: Any) -> Any:
    if ax is None:
        import matplotlib.pyplot as plt
        _, ax = plt.subplots(subplot_kw=kinds or None)
    return ax


def series(source: Run | Series, names: Iterable[str] | None = None, ax: Any = None, **style: Any) -> Any:
    """Columns of a time series against time; by default all that was observed, or the energies if nothing was."""
    s = source.series if isinstance(source, Run) else source
    energies = {"kinetic", "potential", "work_external", "dissipated_friction", "dissipated_impact", "balance_error"}
    chosen = list(names) if names is not None else [n for n in s if n not in energies] or list(s)
    ax = _axes(ax)
    for name in chosen:
        ax.plot(s.t, s[name], label=name, **style)
    ax.set_xlabel("t (s)")
    ax.legend()
    return ax


def forces(contacts: Contacts, ax: Any = None, bins: int = 30, **style: Any) -> Any:
    """Distribution of normal forces over their mean, on a logarithmic scale; contacts without force are left out."""
    f = contacts.force[:, 0]
    f = f[f > 0]
    if len(f) == 0:
        raise ValueError("no contact bears a force")
    density, edges = np.histogram(f / f.mean(), bins=bins, density=True)
    ax = _axes(ax)
    middle = 0.5 * (edges[1:] + edges[:-1])
    ax.semilogy(middle[density > 0], density[density > 0], **{"marker": "o", "linestyle": "none", **style})
    ax.set_xlabel(r"$f_n / \langle f_n \rangle$")
    ax.set_ylabel("density")
    return ax


def fabric(contacts: Contacts, ax: Any = None, bins: int = 36, of_forces: bool = False, **style: Any) -> Any:
    """Directions of contact normals in the plane, as a polar histogram; with ``of_forces`` the mean force in each
    direction (N)."""
    if contacts.dim != 2:
        raise ValueError("fabric is drawn for worlds in 2D")
    f = contacts.force[:, 0]
    keep = f > 0
    n = contacts.normal[keep]
    # a contact has two sides
    angle = np.concatenate([np.arctan2(n[:, 1], n[:, 0]), np.arctan2(-n[:, 1], -n[:, 0])]) % (2 * np.pi)
    edges = np.linspace(0, 2 * np.pi, bins + 1)
    count, _ = np.histogram(angle, bins=edges)
    height: npt.NDArray[Any] = count / max(count.sum(), 1) / np.diff(edges)
    if of_forces:
        total, _ = np.histogram(angle, bins=edges, weights=np.concatenate([f[keep], f[keep]]))
        height = np.divide(total, count, out=np.zeros(bins), where=count > 0)
    ax = _axes(ax, projection="polar")
    ax.bar(edges[:-1], height, width=np.diff(edges), align="edge", **style)
    return ax


def paths(runs: Mapping[str, Any], coordinate: int = 0, ax: Any = None, **style: Any) -> Any:
    """A coordinate of several paths against time, by name."""
    ax = _axes(ax)
    for name, path in runs.items():
        ax.plot(path.t, path.q[:, coordinate], label=name, **style)
    ax.set_xlabel("t (s)")
    ax.legend()
    return ax


def performance_profile(costs: Mapping[str, Sequence[float]], ax: Any = None, **style: Any) -> Any:
    """Dolan and More's profile: the part of problems that a solver does within a factor of the best.  costs: by solver,
    one per problem, infinite (or NaN) where it failed."""
    table = np.array([np.nan_to_num(np.asarray(c, dtype=float), nan=np.inf, posinf=np.inf) for c in costs.values()])
    best = table.min(axis=0)
    done = np.isfinite(best)
    ax = _axes(ax)
    for name, row in zip(costs, table):
        ratio = np.sort(row[done] / best[done])
        ratio = ratio[np.isfinite(ratio)]
        part = np.arange(1, len(ratio) + 1) / table.shape[1]
        ax.step(np.concatenate([[1.0], ratio]), np.concatenate([[np.mean(row[done] <= best[done]) * done.mean()], part]),
                where="post", label=name, **style)
    ax.set_xscale("log")
    ax.set_ylim(0, 1.02)
    ax.set_xlabel("time over that of the best")
    ax.set_ylabel("part of problems solved")
    ax.legend()
    return ax
