"""Numbers that carry their derivatives.

Functions of time and state that the library differentiates (motions, radii, gaps, moving sets) are called with
such numbers, so that velocities and gradients are exact.  They work with ``+ - * / // % **``, comparisons, ``abs``,
the functions below and those of NumPy (``numpy.sin(t)``).  The functions of :mod:`math` want plain numbers and raise
``TypeError``; ``t.value`` is the plain number where no derivative is meant.
"""
from __future__ import annotations

import math
from typing import Any, Callable, Union

import numpy as np
import numpy.typing as npt

Number = Union[float, "Dual"]

__all__ = ["Dual", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log", "sqrt", "sinh", "cosh", "tanh",
           "derivative"]


def _value(x: Any) -> float:
    return x.value if isinstance(x, Dual) else float(x)


class Dual:
    """A value and its derivative: a number for one variable, an array for several.

    Where a function has a kink (``abs``) the derivative is the one to the right, as the variable grows; of a constant
    it is 0 even where the slope is infinite.
    """

    # an array on the other side works item by item: the operations below leave that to NumPy
    __slots__ = ("value", "d")
    __hash__ = None  # type: ignore[assignment]  # equal values with other derivatives are not the same

    def __init__(self, value: float, d: Any = 0.0) -> None:
        self.value = float(value)
        self.d = d

    def __repr__(self) -> str:
        return f"Dual({self.value!r}, {self.d!r})"

    def _chain(self, value: float, slope: float) -> Dual:
        if np.all(self.d == 0):
            return Dual(value, 0.0 * self.d)
        return Dual(value, slope * self.d)

    def __add__(self, o: Number) -> Dual:
        if isinstance(o, np.ndarray):
            return NotImplemented
        if isinstance(o, Dual):
            return Dual(self.value + o.value, self.d + o.d)
        return Dual(self.value + o, self.d)

    __radd__ = __add__

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.d)

    def __pos__(self) -> Dual:
        return self

    def __sub__(self, o: Number) -> Dual:
        if isinstance(o, np.ndarray):
            return NotImplemented
        if isinstance(o, Dual):
            return Dual(self.value - o.value, self.d - o.d)
        return Dual(self.value - o, self.d)

    def __rsub__(self, o: float) -> Dual:
        return Dual(o - self.value, -self.d)

    def __mul__(self, o: Number) -> Dual:
        if isinstance(o, np.ndarray):
            return NotImplemented
        if isinstance(o, Dual):
            return Dual(self.value * o.value, self.d * o.value + self.value * o.d)
        return Dual(self.value * o, self.d * o)

    __rmul__ = __mul__

    def __truediv__(self, o: Number) -> Dual:
        if isinstance(o, np.ndarray):
            return NotImplemented
        if isinstance(o, Dual):
            q = self.value / o.value
            return Dual(q, (self.d - q * o.d) / o.value)
        return Dual(self.value / o, self.d / o)

    def __rtruediv__(self, o: float) -> Dual:
        q = o / self.value
        return Dual(q, (-q / self.value) * self.d)

    def __floordiv__(self, o: Number) -> float:
        return self.value // _value(o)

    def __rfloordiv__(self, o: float) -> float:
        return o // self.value

    def __mod__(self, o: Number) -> Dual:
        return self - o * (self.value // _value(o))

    def __rmod__(self, o: float) -> Dual:
        return o - self * (o // self.value)

    def __pow__(self, p: Number) -> Dual:
        if isinstance(p, Dual):
            value = self.value ** p.value
            d = 0.0 * (self.d + p.d)
            if p.value != 0 and np.any(self.d != 0):
                d = d + p.value * self.value ** (p.value - 1) * self.d
            if value != 0 and np.any(p.d != 0):
                d = d + value * math.log(self.value) * p.d
            return Dual(value, d)
        if p == 0:
            return Dual(1.0, 0.0 * self.d)
        if self.value == 0 and p < 1:
            return self._chain(self.value ** p, math.inf)
        return self._chain(self.value ** p, p * self.value ** (p - 1))

    def __rpow__(self, a: float) -> Dual:
        return Dual(a) ** self

    def __abs__(self) -> Dual:
        if self.value == 0:
            return Dual(0.0, np.abs(self.d))
        return -self if self.value < 0 else self

    # comparisons are of values; a kink has no measure, so that == is never what is meant
    def __lt__(self, o: Number) -> bool:
        return self.value < _value(o)

    def __le__(self, o: Number) -> bool:
        return self.value <= _value(o)

    def __gt__(self, o: Number) -> bool:
        return self.value > _value(o)

    def __ge__(self, o: Number) -> bool:
        return self.value >= _value(o)

    def __eq__(self, o: object) -> bool:
        return isinstance(o, (Dual, float, int)) and self.value == _value(o)

    def __bool__(self) -> bool:
        return self.value != 0

    def __float__(self) -> float:
        raise TypeError("a plain number is wanted where a derivative is taken: use moreau.sin or numpy.sin instead of "
                        "math.sin, or x.value where no derivative is meant")

    # NumPy calls these for its functions of the same names
    def sin(self) -> Dual:
        return self._chain(math.sin(self.value), math.cos(self.value))

    def cos(self) -> Dual:
        return self._chain(math.cos(self.value), -math.sin(self.value))

    def tan(self) -> Dual:
        r = math.tan(self.value)
        return self._chain(r, 1 + r * r)

    def arcsin(self) -> Dual:
        return self._chain(math.asin(self.value), _over(1.0, math.sqrt((1 - self.value) * (1 + self.value))))

    def arccos(self) -> Dual:
        return self._chain(math.acos(self.value), _over(-1.0, math.sqrt((1 - self.value) * (1 + self.value))))

    def arctan(self) -> Dual:
        return self._chain(math.atan(self.value), 1 / (1 + self.value * self.value))

    def arctan2(self, x: Number) -> Dual:
        b = x if isinstance(x, Dual) else Dual(x, 0.0 * self.d)
        r2 = self.value * self.value + b.value * b.value
        return Dual(math.atan2(self.value, b.value), (b.value * self.d - self.value * b.d) / r2)

    def exp(self) -> Dual:
        r = math.exp(self.value)
        return self._chain(r, r)

    def log(self) -> Dual:
        return self._chain(math.log(self.value), 1 / self.value)

    def sqrt(self) -> Dual:
        r = math.sqrt(self.value)
        return self._chain(r, _over(0.5, r))

    def sinh(self) -> Dual:
        return self._chain(math.sinh(self.value), math.cosh(self.value))

    def cosh(self) -> Dual:
        return self._chain(math.cosh(self.value), math.sinh(self.value))

    def tanh(self) -> Dual:
        r = math.tanh(self.value)
        return self._chain(r, 1 - r * r)

    def floor(self) -> Dual:
        return Dual(math.floor(self.value), 0.0 * self.d)

    def ceil(self) -> Dual:
        return Dual(math.ceil(self.value), 0.0 * self.d)


def _over(a: float, b: float) -> float:
    """a / b, infinite where b is 0."""
    return a / b if b != 0 else math.copysign(math.inf, a)


def _both(name: str, plain: Callable[[float], float]) -> Callable[[Any], Any]:
    def function(x: Any) -> Any:
        return getattr(x, name)() if isinstance(x, Dual) else plain(x)

    function.__name__ = function.__qualname__ = plain.__name__
    function.__doc__ = f"{plain.__name__} of a number or a Dual."
    return function


sin = _both("sin", math.sin)
cos = _both("cos", math.cos)
tan = _both("tan", math.tan)
asin = _both("arcsin", math.asin)
acos = _both("arccos", math.acos)
atan = _both("arctan", math.atan)
exp = _both("exp", math.exp)
log = _both("log", math.log)
sqrt = _both("sqrt", math.sqrt)
sinh = _both("sinh", math.sinh)
cosh = _both("cosh", math.cosh)
tanh = _both("tanh", math.tanh)


def atan2(y: Any, x: Any) -> Any:
    """atan2 of numbers or Duals."""
    if isinstance(y, Dual):
        return y.arctan2(x)
    if isinstance(x, Dual):
        return Dual(y, 0.0 * x.d).arctan2(x)
    return math.atan2(y, x)


def derivative(function: Callable[[Any], Any], t: float) -> tuple[float, float]:
    """Value and derivative of a function of one variable at t."""
    return parts(function(Dual(t, 1.0)))


def parts(x: Any) -> tuple[float, float]:
    """Value and derivative by one variable of what a function gave."""
    if isinstance(x, Dual):
        return x.value, float(x.d)
    return float(x), 0.0


def variables(t: float, x: npt.NDArray[Any]) -> tuple[Dual, npt.NDArray[Any]]:
    """t and the coordinates of x as the variables 0, 1, ..., n."""
    unit = np.eye(len(x) + 1)
    point = np.empty(len(x), dtype=object)
    for i, value in enumerate(x):
        point[i] = Dual(value, unit[i + 1])
    return Dual(t, unit[0]), point


def gradient(x: Any, n: int) -> tuple[float, npt.NDArray[Any]]:
    """Value and derivatives by n variables of what a function gave."""
    if isinstance(x, np.ndarray) and x.ndim == 0:
        x = x.item()
    if isinstance(x, Dual):
        d = x.d if isinstance(x.d, np.ndarray) else np.full(n, x.d)
        return x.value, d
    return float(x), np.zeros(n)
