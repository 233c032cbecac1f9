"""What a world tells of itself in numbers: arrays of its bodies, energies, certificates, contact problems."""
from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core
from .problem import Problem

Array = npt.NDArray[Any]


class Energy(NamedTuple):
    """Energies of a world, J (J/m in 2D); work and what was dissipated count from the start."""

    kinetic: float
    potential: float
    work_external: float
    dissipated_friction: float
    dissipated_impact: float
    balance_error: float


class Certificate(NamedTuple):
    """How well the impulses of a step satisfy its laws, recomputed from the problem and the impulses alone."""

    residual: float  #: unit-free, what tolerances are about
    complementarity: float  #: sum of |S_N U_N|, J
    cone_violation_force: float  #: largest distance of an impulse to its cone, N s
    cone_violation_velocity: float  #: largest approach velocity left, m/s
    bipotential_gap: float  #: de Saxce's bipotential, J; 0 exactly at a solution
    balance: float  #: momentum balance, relative


class WorldState(_core.World):
    """The part of a :class:`World` that only tells."""

    _dim: int
    _h: float
    _scene: Any

    def __len__(self) -> int:
        return len(memoryview(self.bodies("id")))

    def __bool__(self) -> bool:
        return True

    def _need(self, dim: int, what: str) -> None:
        if self.dim != dim:
            raise AttributeError(f"{what} is for worlds in {dim}D")

    @property
    def dim(self) -> int:
        """2 or 3."""
        return self._dim

    @property
    def h(self) -> float:
        """Time step, s."""
        return self._h

    @property
    def steps(self) -> int:
        """Steps made."""
        return self.brief()[0]

    @property
    def time(self) -> float:
        """s, = steps * h."""
        return self.brief()[0] * self._h

    def _view(self, name: str) -> Array:
        view = self.bodies(name)
        if self._scene is None:
            return np.asarray(view)
        # a scene adds and removes bodies by itself: only copies are safe
        copy = np.array(view)
        copy.flags.writeable = False
        return copy

    @property
    def ids(self) -> Array:
        """Id of each body, ascending; the order of all arrays of bodies."""
        return self._view("id")

    @property
    def q(self) -> Array:
        """Configurations: x, y, angle of the centre of mass; in 3D x, y, z and a quaternion.  A live view."""
        return self._view("q")

    @property
    def u(self) -> Array:
        """Velocities: vx, vy, spin; in 3D vx, vy, vz and the spin along the body's principal axes, of balls (spheres with
        the same inertia about all axes) along the world's.  A live view."""
        return self._view("u")

    @property
    def position(self) -> Array:
        """Centres of mass, m, one row per body.  A live view."""
        return self._view("q")[:, :self.dim]

    @property
    def velocity(self) -> Array:
        """m/s, one row per body.  A live view."""
        return self._view("u")[:, :self.dim]

    @property
    def angle(self) -> Array:
        """rad, 2D.  A live view."""
        self._need(2, "angle")
        return self._view("q")[:, 2]

    @property
    def orientation(self) -> Array:
        """Quaternions w, x, y, z, 3D.  A live view."""
        self._need(3, "orientation")
        return self._view("q")[:, 3:]

    @property
    def spin(self) -> Array:
        """rad/s: 2D, one number per body; 3D, as in :attr:`u`; handles of bodies have it along the world's axes.  A live
        view."""
        return self._view("u")[:, 2] if self.dim == 2 else self._view("u")[:, 3:]

    @property
    def mass(self) -> Array:
        """kg, 0 for fixed and moved bodies.  A view."""
        return self._view("mass")

    @property
    def inertia(self) -> Array:
        """kg m^2.  A view."""
        return self._view("inertia")

    @property
    def area(self) -> Array:
        """m^2, in 3D volume, m^3.  A view."""
        return self._view("area")

    @property
    def force(self) -> Array:
        """N and N m: of all contacts on each body, averaged over the last step.  A live view."""
        return self._view("force")

    @property
    def load(self) -> Array:
        """N and N m: what is applied to each body.  A live view."""
        return self._view("load")

    @property
    def is_free(self) -> Array:
        """True for bodies that move by themselves."""
        return self._view("kind") == 0

    @property
    def group(self) -> Array:
        """Names of the bodies' groups."""
        return np.array(self.group_names())[self._view("group")]

    def names(self) -> list[str]:
        """Names of the bodies, '' where there is none."""
        return [self.body_name(i) for i in range(len(self))]

    @property
    def info(self) -> SimpleNamespace:
        """Everything about the run so far: iterations, residuals, penetration (m), seconds of each stage, memory."""
        d = self.info_dict()
        return SimpleNamespace(**{**d, "energy": Energy(**d["energy"]), "seconds": SimpleNamespace(**d["seconds"]),
                                  "solver": SimpleNamespace(**{**d["solver"], "certificate":
                                                               Certificate(**d["solver"]["certificate"])})})

    @property
    def energy(self) -> Energy:
        """J."""
        return Energy(**self.info_dict()["energy"])

    @property
    def certificate(self) -> Certificate:
        """Of the last step."""
        return Certificate(**self.info_dict()["solver"]["certificate"])

    @property
    def converged(self) -> bool:
        """Whether every step so far reached its tolerance."""
        return bool(self.info_dict()["unconverged_steps"] == 0)

    @property
    def hash(self) -> str:
        """Of the state, 16 hexadecimal digits: the same as ``moreau run --hash`` of the same scene."""
        return self.hash_text()

    def problem(self) -> Problem | None:
        """The contact problem that the last step solved, with its answer; None: ``keep_problem(True)`` was not called
        before it, there were no contacts, or a law has no such form."""
        d = self.problem_dict()
        return None if d is None or d["contacts"] == 0 else Problem._of_dict(d)

    def equilibrium(self) -> SimpleNamespace:
        """Whether the bodies can stand where they are, at rest: ``outcome`` ("possible", "none" or "undecided") with
        contact forces (N) as its proof, or the mechanism (m/s, rad/s) that moves."""
        d = self.equilibrium_dict()
        n, nu = self.dim, 3 if self.dim == 2 else 6
        for key, kind, width in (("id1", np.uint32, 0), ("id2", np.uint32, 0), ("id", np.uint32, 0), ("point", float, n),
                                 ("normal", float, n), ("gap", float, 0), ("friction", float, 0), ("force", float, n),
                                 ("velocity", float, nu)):
            a = np.frombuffer(d[key], dtype=kind)
            d[key] = a.reshape(-1, width) if width else a
        return SimpleNamespace(**d)
