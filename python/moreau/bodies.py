"""Handles of bodies and joints."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence, Union

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from .world import World

Vector = Union[Sequence[float], npt.NDArray[Any]]
Array = npt.NDArray[Any]


class Body:
    """A body of a world: reading asks the world, setting moves a free body.

    ``position`` is that of the body's origin (its centre of mass unless ``keep_origin``), m.  What is read is a copy.
    """

    __slots__ = ("world", "id")

    def __init__(self, world: World, id: int) -> None:
        self.world = world
        self.id = id

    def __repr__(self) -> str:
        if not self.exists:
            return f"<body {self.id}, removed>"
        s = self._get()
        name = f" '{s['name']}'" if s["name"] else ""
        return f"<{s['kind']} body {self.id}{name} at {tuple(round(x, 6) for x in s['position'])}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Body) and other.id == self.id and other.world is self.world

    def __hash__(self) -> int:
        return hash((id(self.world), self.id))

    def _get(self) -> dict[str, Any]:
        return self.world.body_get(self.id)

    @property
    def exists(self) -> bool:
        """Whether it is still in its world."""
        return self.world.body_exists(self.id)

    def remove(self) -> None:
        """Takes the body, and its joints, out of the world."""
        self.world.body_remove(self.id)

    @property
    def position(self) -> Array:
        """m; can be set."""
        return np.array(self._get()["position"])

    @position.setter
    def position(self, x: Vector) -> None:
        self.world.body_set(self.id, {"position": x})

    @property
    def velocity(self) -> Array:
        """m/s; can be set."""
        return np.array(self._get()["velocity"])

    @velocity.setter
    def velocity(self, v: Vector) -> None:
        self.world.body_set(self.id, {"velocity": v})

    @property
    def angle(self) -> float:
        """rad, 2D; can be set."""
        self.world._need(2, "angle")
        return float(self._get()["angle"])

    @angle.setter
    def angle(self, a: float) -> None:
        self.world._need(2, "angle")
        self.world.body_set(self.id, {"angle": a})

    @property
    def orientation(self) -> Array:
        """Unit quaternion w, x, y, z, 3D; can be set."""
        self.world._need(3, "orientation")
        return np.array(self._get()["orientation"])

    @orientation.setter
    def orientation(self, q: Vector) -> None:
        self.world._need(3, "orientation")
        self.world.body_set(self.id, {"orientation": q})

    @property
    def spin(self) -> Any:
        """rad/s: a number in 2D, in 3D an array about the world's axes; can be set."""
        return self._either("spin")

    @spin.setter
    def spin(self, w: Any) -> None:
        self.world.body_set(self.id, {self.world._key("spin"): w})

    @property
    def applied_force(self) -> Array:
        """N, at the centre of mass along the world's axes; can be set unless it is a function."""
        return np.array(self._get()["applied_force"])

    @applied_force.setter
    def applied_force(self, f: Vector) -> None:
        self.world.body_set(self.id, {"applied_force": f})

    @property
    def applied_torque(self) -> Any:
        """N m; can be set unless it is a function."""
        return self._either("applied_torque")

    @applied_torque.setter
    def applied_torque(self, m: Any) -> None:
        self.world.body_set(self.id, {self.world._key("applied_torque"): m})

    @property
    def force(self) -> Array:
        """N, of all contacts, averaged over the last step."""
        return np.array(self._get()["force"])

    @property
    def torque(self) -> Any:
        """N m, likewise, about the centre of mass."""
        return self._either("torque")

    @property
    def mass(self) -> float:
        """kg; 0 for fixed and moved bodies."""
        return float(self._get()["mass"])

    @property
    def inertia(self) -> Any:
        """kg m^2; in 3D three numbers along the principal axes."""
        return self._either("inertia")

    @property
    def kind(self) -> str:
        """'dynamic', 'fixed' or 'moved'."""
        return str(self._get()["kind"])

    @property
    def group(self) -> str:
        return str(self._get()["group"])

    @property
    def name(self) -> str:
        return str(self._get()["name"])

    def _either(self, key: str) -> Any:
        s = self._get()
        return s[key] if self.world.dim == 2 else np.array(s[key + "3"])


class Joint:
    """A joint of a world."""

    __slots__ = ("world", "id")

    def __init__(self, world: World, id: int) -> None:
        self.world = world
        self.id = id

    def __repr__(self) -> str:
        return f"<{self.kind} joint {self.id}>" if self.exists else f"<joint {self.id}, removed>"

    @property
    def exists(self) -> bool:
        return self.world.joint_exists(self.id)

    def remove(self) -> None:
        self.world.joint_remove(self.id)

    def drive(self, speed: float, max_load: float | None = None) -> None:
        """Another speed (rad/s or m/s) and largest load (N m or N) of a motor."""
        load = self.world.joint_get(self.id)["max_load"] if max_load is None else max_load
        self.world.joint_drive(self.id, speed, load)

    @property
    def kind(self) -> str:
        return str(self.world.joint_get(self.id)["kind"])

    @property
    def force(self) -> Array:
        """N, on the first body, averaged over the last step."""
        return np.array(self.world.joint_get(self.id)["force"])

    @property
    def torque(self) -> Any:
        """N m, likewise, about the joint's point; a number in 2D."""
        t = self.world.joint_get(self.id)["torque"]
        return t[0] if self.world.dim == 2 else np.array(t)

    @property
    def point(self) -> Array:
        """m: the joint's point on the first body."""
        return np.array(self.world.joint_get(self.id)["point"])

    @property
    def value(self) -> float:
        """Angle of a hinge (rad), way of a slider, length of a distance or spring (m)."""
        return float(self.world.joint_get(self.id)["value"])

    @property
    def rate(self) -> float:
        """d/dt of value."""
        return float(self.world.joint_get(self.id)["rate"])

    @property
    def motor(self) -> float:
        """What the motor bore in the last step, N m or N."""
        return float(self.world.joint_get(self.id)["motor"])

    @property
    def bodies(self) -> tuple[Body, ...]:
        s = self.world.joint_get(self.id)
        return tuple(Body(self.world, i) for i in (s["body1"], s["body2"]) if i)
