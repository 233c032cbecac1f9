"""Walls that hold a stress or a rate of strain."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Callable, Union

from . import _core
from .bodies import Body

if TYPE_CHECKING:
    from .world import World

Quantity = Union[float, Callable[[float], float]]

_AXES = {"x": (0, 1.0), "-x": (0, -1.0), "y": (1, 1.0), "-y": (1, -1.0), "z": (2, 1.0), "-z": (2, -1.0)}
_BITS = (1, 2, 8)


class Servo:
    """A servo of a wall, made by :meth:`moreau.World.servo`.

    ``stress`` (Pa, N/m in 2D) and ``strain_rate`` (1/s) can be set, which switches from one to the other; what is not
    held reads None.  Compression is positive.
    """

    def __init__(self, world: World, body: Body, axis: str, stress: Quantity | None, strain_rate: Quantity | None,
                 area: Quantity | None, size: Quantity | None, damping: float, max_speed: float) -> None:
        if axis not in _AXES or _AXES[axis][0] >= world.dim:
            raise _core.InputError(f"servo.axis: found {axis!r}, expected the direction to push in, such as '-x'")
        if not isinstance(body, Body) or body.world is not world:
            raise TypeError(f"servo.body: expected a body of this world, found {body!r}")
        if (stress is None) == (strain_rate is None):
            raise _core.InputError("servo: expected one of stress and strain_rate")
        self.world, self.body, self.axis = world, body, axis
        self._k, self._sign = _AXES[axis]
        self._by_rate = stress is None
        self._target = self._number(self.mode, stress if stress is not None else strain_rate)
        self._area = self._number(self._area_key, area, 0.0) if area is not None else None
        self._size = self._number("size", size, 0.0) if size is not None else None
        self._damping, self._max_speed = float(damping), float(max_speed)
        self._need(strain_rate is not None)
        if not 0 <= self._damping < math.inf:
            raise _core.InputError(f"servo.damping: found {damping!r}, expected a number >= 0")
        if not self._max_speed > 0:
            raise _core.InputError(f"servo.max_speed: found {max_speed!r}, expected a number > 0")
        self._free, by_functions, _ = world.body_facts(body.id)
        if body.kind != "dynamic" or not self._free & _BITS[self._k]:
            raise _core.InputError(f"servo.body: expected a body with a mass that is free along the axis, as with "
                                   f"free=['{'xyz'[self._k]}']")
        if by_functions:
            raise _core.InputError("servo.body: the load of this body is given by a function")
        if any(s.body == body for s in world._servos):
            raise _core.InputError("servo.body: the body has a servo already")
        self._x0 = float(body.position[self._k])
        self._size0 = self.size if self._size is not None else 0.0

    def __repr__(self) -> str:
        return f"<servo of body {self.body.id} along {self.axis}: {self.mode}>"

    @property
    def _area_key(self) -> str:
        return "length" if self.world.dim == 2 else "area"

    def _number(self, key: str, x: Any, above: float = -math.inf) -> Quantity:
        """Functions as they are; numbers that make sense."""
        if callable(x):
            return x
        value = float(x)
        if not above < value < math.inf:
            raise _core.InputError(f"servo.{key}: found {x!r}, expected a number{' > 0' if above == 0 else ''}")
        return value

    def _now(self, key: str, q: Quantity, above: float = -math.inf) -> float:
        return float(self._number(key, float(q(self.world.time)), above)) if callable(q) else q  # type: ignore[arg-type]

    def _need(self, by_rate: bool) -> None:
        if by_rate and self._size is None:
            raise _core.InputError("servo: expected size of the sample along the axis, a number or a function")
        if not by_rate and self._area is None:
            raise _core.InputError(f"servo: expected {self._area_key}, a number or a function")

    @property
    def mode(self) -> str:
        """'stress' or 'strain_rate'."""
        return "strain_rate" if self._by_rate else "stress"

    @property
    def stress(self) -> float | None:
        """Pa (N/m in 2D), the one that is held; can be set."""
        return None if self._by_rate else self._now("stress", self._target)

    @stress.setter
    def stress(self, value: Quantity) -> None:
        self._need(False)
        self._target, self._by_rate = self._number("stress", value), False

    @property
    def strain_rate(self) -> float | None:
        """1/s, the one that is held; can be set."""
        return self._now("strain_rate", self._target) if self._by_rate else None

    @strain_rate.setter
    def strain_rate(self, value: Quantity) -> None:
        self._need(True)
        self._target, self._by_rate = self._number("strain_rate", value), True

    @property
    def length(self) -> float:
        """m, 2D: of the sample that the wall loads."""
        self.world._need(2, "length")
        return self.area

    @property
    def area(self) -> float:
        """m^2 (m in 2D) of the sample that the wall loads."""
        if self._area is None:
            raise _core.UsageError(f"the servo was made without {self._area_key}")
        return self._now(self._area_key, self._area, 0.0)

    @property
    def size(self) -> float:
        """m: of the sample along the axis, now."""
        if self._size is None:
            raise _core.UsageError("the servo was made without size")
        if callable(self._size):
            return self._now("size", self._size, 0.0)
        size = self._size - self._sign * (float(self.body.position[self._k]) - self._x0)
        if not size > 0:
            raise _core.InputError(f"servo.size: the wall has moved by more than the size {self._size:g} m of the sample")
        return size

    @property
    def strain(self) -> float:
        """ln of the size at first over the present one."""
        size = self.size
        return math.log(self._size0 / size)

    @property
    def stress_now(self) -> float:
        """Pa (N/m in 2D): of the contacts in the last step."""
        return -self._sign * float(self.body.force[self._k]) / self.area

    # ---- before a step: as scenes do it, in the same order of operations ----------------------------------------

    def _push(self) -> None:
        force = self._now("stress", self._target) * self.area
        s = self.body._get()
        h, m, speed = self.world.h, s["mass"], self._sign * s["velocity"][self._k]
        force = force - self._damping * speed / (1 + h * self._damping / m)
        if speed + h * force / m > self._max_speed:
            force = m * (self._max_speed - speed) / h
        self._set_speed(self._free, 0.0)
        self._set_load(s, force)

    def _move(self) -> None:
        speed = self._now("strain_rate", self._target) * self.size
        s = self.body._get()
        self._set_speed(self._free & ~_BITS[self._k], max(-self._max_speed, min(speed, self._max_speed)))
        self._set_load(s, 0.0)

    def _set_speed(self, free: int, speed: float) -> None:
        velocity = [0.0] * self.world.dim
        velocity[self._k] = self._sign * speed
        self.world.body_set_free(self.body.id, free, velocity)

    def _set_load(self, s: dict[str, Any], force: float) -> None:
        load = list(s["applied_force"])
        load[self._k] = self._sign * force
        load += [s["applied_torque"]] if self.world.dim == 2 else list(s["applied_torque3"])
        self.world.body_set_load(self.body.id, load)

    def _before_step(self) -> None:
        if self.body.exists:
            self._move() if self._by_rate else self._push()
