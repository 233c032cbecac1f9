"""Shapes of bodies, with the words of scenes.

A shape can be used for many bodies.  Points of polygons, hulls and compounds are moved so that their centre of mass
lies at the body's position, unless ``keep_origin=True``; fixed bodies keep their points.
"""
from __future__ import annotations

import os
from typing import Any, Callable, Iterable, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _core

Path = Union[str, "os.PathLike[str]"]
Radius = Union[float, Callable[[Any], Any]]
Vector = Union[Sequence[float], npt.NDArray[Any]]

__all__ = ["Shape", "Disc", "Rectangle", "Polygon", "Segment", "Chain", "Halfplane", "Compound", "Sphere", "Box",
           "Cylinder", "Capsule", "Convex", "Plane", "Mesh"]


def _points(points: Any, dim: int) -> npt.NDArray[Any]:
    p = np.ascontiguousarray(points, dtype=float)
    if p.ndim != 2 or p.shape[1] != dim:
        raise ValueError(f"points: expected {dim} numbers for each, found an array of shape {p.shape}")
    return p


class Shape:
    """A shape; see the classes of this module."""

    dim: int | None = None
    _fields: dict[str, Any]

    def __init__(self, kind: str, **fields: Any) -> None:
        self._fields = {"kind": kind, **fields}

    def __repr__(self) -> str:
        rest = ", ".join(f"{k}={v!r}" for k, v in self._fields.items() if k != "kind")
        return f"{type(self).__name__}({rest})"

    @property
    def kind(self) -> str:
        """Name of the shape in scenes."""
        return str(self._fields["kind"])

    def _definition(self, t: float = 0.0) -> dict[str, Any]:
        """As the library takes it: a radius that is a function stands with its value at time t."""
        d = dict(self._fields)
        if callable(d.get("radius")):
            d["radius"] = float(d["radius"](t))
        return d

    def _radius(self) -> Callable[[Any], Any] | None:
        r = self._fields.get("radius")
        return r if callable(r) else None


class Disc(Shape):
    """2D.  radius: m, a number or a function of time."""

    dim = 2

    def __init__(self, radius: Radius) -> None:
        super().__init__("disc", radius=radius)


class Rectangle(Shape):
    """2D.  width and height, m, along the body's axes."""

    dim = 2

    def __init__(self, width: float, height: float) -> None:
        super().__init__("rectangle", size=(width, height, 0.0))


class Polygon(Shape):
    """2D, convex.  points: (x, y), m, at least three, either orientation."""

    dim = 2

    def __init__(self, points: npt.ArrayLike) -> None:
        super().__init__("polygon", points=_points(points, 2))


class Segment(Shape):
    """2D.  Thin, touched from both sides; ends (x, y), m."""

    dim = 2

    def __init__(self, a: Vector, b: Vector) -> None:
        super().__init__("segment", points=_points([a, b], 2))


class Chain(Shape):
    """2D.  Segments one after the other through points (x, y), m."""

    dim = 2

    def __init__(self, points: npt.ArrayLike) -> None:
        super().__init__("chain", points=_points(points, 2))


class Halfplane(Shape):
    """2D.  Solid where normal.x <= offset (m); for fixed and moved bodies."""

    dim = 2

    def __init__(self, normal: Vector = (0.0, 1.0), offset: float = 0.0) -> None:
        super().__init__("halfplane", normal=(*map(float, normal), 0.0), offset=offset)


class Sphere(Shape):
    """3D.  radius: m, a number or a function of time."""

    dim = 3

    def __init__(self, radius: Radius) -> None:
        super().__init__("sphere", radius=radius)


class Box(Shape):
    """3D.  Lengths along the body's axes, m."""

    dim = 3

    def __init__(self, lx: float, ly: float, lz: float) -> None:
        super().__init__("box", size=(lx, ly, lz))


class Cylinder(Shape):
    """3D.  Along the body's z axis; radius and height, m."""

    dim = 3

    def __init__(self, radius: float, height: float) -> None:
        super().__init__("cylinder", radius=radius, height=height)


class Capsule(Shape):
    """3D.  Along the body's z axis; height is between the centres of its round ends, m."""

    dim = 3

    def __init__(self, radius: float, height: float) -> None:
        super().__init__("capsule", radius=radius, height=height)


class Convex(Shape):
    """3D.  The convex hull of points (x, y, z), m."""

    dim = 3

    def __init__(self, points: npt.ArrayLike) -> None:
        super().__init__("convex", points=_points(points, 3))


class Plane(Shape):
    """3D.  Solid where normal.x <= offset (m); for fixed and moved bodies."""

    dim = 3

    def __init__(self, normal: Vector = (0.0, 0.0, 1.0), offset: float = 0.0) -> None:
        super().__init__("plane", normal=tuple(map(float, normal)), offset=offset)


class Mesh(Shape):
    """3D.  Triangles, touched from outside; for fixed and moved bodies.

    ``Mesh("floor.stl")``: an STL (binary or text) or OBJ file, told by the ending of its name; a relative name begins
    at the current folder.  ``Mesh(points, triangles)``: points (x, y, z), m, and three indices of points each, from 0,
    counter-clockwise seen from outside.
    """

    dim = 3

    def __init__(self, points: npt.ArrayLike | Path | None = None, triangles: npt.ArrayLike | None = None, *,
                 file: Path | None = None) -> None:
        if isinstance(points, (str, os.PathLike)) and file is None:
            points, file = None, points
        if (file is None) != (points is not None and triangles is not None) or (file is not None and triangles is not None):
            raise TypeError("mesh: expected either a file or points and triangles")
        self.file = None if file is None else os.fspath(file)
        if self.file is not None:
            p, c = _core.mesh_read(self.file)
            points, triangles = np.frombuffer(p).reshape(-1, 3), np.frombuffer(c, dtype=np.uint32).reshape(-1, 3)
        t = np.asarray(triangles)
        if t.ndim != 2 or t.shape[1] != 3 or not np.issubdtype(t.dtype, np.integer):
            raise ValueError("triangles: expected three whole numbers for each")
        if t.size and (t.min() < 0 or t.max() >= 2**32):
            raise ValueError("triangles: numbers of points begin at 0")
        super().__init__("mesh", points=_points(points, 3), triangles=np.ascontiguousarray(t, dtype=np.uint32))

    def __repr__(self) -> str:
        return f"Mesh({self.file!r})" if self.file is not None else f"<mesh of {len(self.triangles)} triangles>"

    @property
    def points(self) -> npt.NDArray[Any]:
        """m, one row each."""
        return np.array(self._fields["points"])

    @property
    def triangles(self) -> npt.NDArray[Any]:
        """Indices of points, one row each."""
        return np.array(self._fields["triangles"])


class Compound(Shape):
    """Several shapes as one body: in 2D of discs, rectangles, polygons and segments, in 3D of spheres, boxes,
    cylinders, capsules and convex hulls.

    parts: shapes, or dicts with ``shape``, ``position`` (m) and ``angle`` (rad) or ``orientation`` (a quaternion
    w, x, y, z).
    """

    def __init__(self, parts: Iterable[Shape | dict[str, Any]]) -> None:
        children = tuple(self._child(p) for p in parts)
        super().__init__("compound", children=children)

    @staticmethod
    def _child(part: Shape | dict[str, Any]) -> dict[str, Any]:
        d: dict[str, Any] = {"shape": part} if isinstance(part, Shape) else dict(part)
        shape = d.get("shape")
        if not isinstance(shape, Shape):
            raise TypeError(f"compound: expected a shape, found {shape!r}")
        if shape._radius() is not None:
            raise TypeError("compound: the radius of a part is a number")
        d["shape"] = shape._definition()
        if "position" in d:
            d["position"] = (*map(float, d["position"]), 0.0)[:3]
        return d
