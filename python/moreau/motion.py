"""Motions, loads and radii given by functions of time, as the library calls them: t -> numbers."""
from __future__ import annotations

import math
from typing import Any, Callable, Sequence, Union

import numpy as np
import numpy.typing as npt

from .dual import Dual, parts

MotionFunction = Callable[[Any], "dict[str, Any]"]
Motion = Union[MotionFunction, "tuple[MotionFunction, MotionFunction]"]
Array = npt.NDArray[Any]
Vector = Union[Sequence[float], Array]
Load = Union[Sequence[float], float, Callable[[float], Any], None]


def _split(motion: Motion, t: float, keys: Sequence[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the motion says at t, and the rates of it: given, or from the derivatives."""
    given = isinstance(motion, tuple)
    place = motion[0](t) if isinstance(motion, tuple) else motion(Dual(t, 1.0))
    if not isinstance(place, dict) or not set(place) <= set(keys):
        raise TypeError(f"motion: expected a dict with keys among {', '.join(keys)}, found {place!r}")
    if given:
        rate = motion[1](t)  # type: ignore[index]
        if not isinstance(rate, dict) or set(rate) != set(place):
            raise TypeError(f"motion: the rates {rate!r} are not those of {place!r}")
        return place, rate
    values: dict[str, Any] = {}
    rates: dict[str, Any] = {}
    for key, x in place.items():
        if key in ("rotation", "orientation"):
            pairs = [parts(c) for c in x]
            values[key], rates[key] = [v for v, _ in pairs], [d for _, d in pairs]
        else:
            values[key], rates[key] = parts(x)
    return values, rates


def motion2(motion: Motion, position: Vector, angle: float) -> Callable[[float], tuple[float, ...]]:
    """t -> x, y, angle and their rates; what the motion leaves out stays."""
    rest = {"x": float(position[0]), "y": float(position[1]), "angle": float(angle)}

    def function(t: float) -> tuple[float, ...]:
        place, rate = _split(motion, t, tuple(rest))
        return (*(float(place.get(k, v)) for k, v in rest.items()), *(float(rate.get(k, 0.0)) for k in rest))

    return function


def _times(a: Sequence[float], b: Sequence[float]) -> tuple[float, float, float, float]:
    """Product of quaternions w, x, y, z."""
    return (a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0])


def _turn(rho: Array, rate: Array) -> tuple[tuple[float, ...], Array]:
    """Quaternion of a rotation vector, and the spin: rate + (1 - cos r)/r^2 rho x rate + (r - sin r)/r^3
    rho x (rho x rate)."""
    r = float(np.linalg.norm(rho))
    if r < 1e-4:
        # series: the next terms are of order r^4
        s, a, b = 0.5 - r * r / 48, 0.5 - r * r / 24, 1 / 6 - r * r / 120
    else:
        s, a, b = math.sin(r / 2) / r, (1 - math.cos(r)) / r**2, (r - math.sin(r)) / r**3
    cross = np.cross(rho, rate)
    return (math.cos(r / 2), *(s * rho)), rate + a * cross + b * np.cross(rho, cross)


def _turn_of(q: Array, rate: Array) -> tuple[tuple[float, ...], Array]:
    """Unit quaternion of one of any length, and the spin: 2 q' q*/|q|^2."""
    square = float(q @ q)
    if not square > 0.0:
        raise ValueError("motion: orientation is 0, expected a quaternion of another length")
    spin = 2 / square * np.array(_times(rate, (q[0], -q[1], -q[2], -q[3]))[1:])
    return tuple(q / math.sqrt(square)), spin


def motion3(motion: Motion, position: Vector, orientation: Vector) -> Callable[[float], tuple[float, ...]]:
    """t -> x, y, z, a quaternion; velocity and spin; what the motion leaves out stays."""
    keys = ("x", "y", "z", "rotation", "orientation")
    length = math.sqrt(sum(c * c for c in orientation)) or 1.0
    own = [c / length for c in orientation]

    def turned(place: dict[str, Any], rate: dict[str, Any]) -> tuple[tuple[float, ...], Array]:
        key, n, what = ("orientation", 4, "qw, qx, qy, qz") if "orientation" in place else ("rotation", 3, "an angle times a unit axis")
        value, change = (np.asarray(x.get(key, (0.0,) * n), dtype=float) for x in (place, rate))
        if value.shape != (n,) or change.shape != (n,):
            raise TypeError(f"motion: {key} is {n} numbers, {what}")
        if key == "orientation":
            if "rotation" in place:
                raise TypeError("motion: found rotation and orientation, expected one of them")
            return _turn_of(value, change)
        turn, spin = _turn(value, change)
        return _times(turn, own), spin

    def function(t: float) -> tuple[float, ...]:
        place, rate = _split(motion, t, keys)
        turn, spin = turned(place, rate)
        where = (float(place.get(k, p)) for k, p in zip(keys, position))
        speed = (float(rate.get(k, 0.0)) for k in keys[:3])
        return (*where, *turn, *speed, *spin)

    return function


def load(force: Load, torque: Load, dim: int) -> Callable[[float], tuple[float, ...]] | None:
    """t -> force and torque, when one of them is a function; None: neither is."""
    if not callable(force) and not callable(torque):
        return None

    def numbers(x: Load, t: float, n: int) -> tuple[float, ...]:
        if x is None:
            return (0.0,) * n
        value = x(t) if callable(x) else x
        if value is None:
            raise TypeError(f"applied load: expected {n} number{'s' if n > 1 else ''}, found None: nothing was returned")
        got = tuple(float(c) for c in np.ravel(value))
        if len(got) != n:
            raise ValueError(f"applied load: expected {n} number{'s' if n > 1 else ''}, found {value!r}")
        return got

    def function(t: float) -> tuple[float, ...]:
        return numbers(force, t, dim) + numbers(torque, t, 1 if dim == 2 else 3)

    return function


def radius(function: Callable[[Any], Any]) -> Callable[[float], tuple[float, float]]:
    """t -> radius and its rate."""
    return lambda t: parts(function(Dual(t, 1.0)))
