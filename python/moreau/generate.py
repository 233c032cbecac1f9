"""Makers of many bodies at once, with the words of scenes (docs/guide/generators.md, docs/guide/scenes.md)."""
from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _core, lua
from .bodies import Body
from .shapes import Disc, Shape, Sphere
from .sizes import Sizes

if TYPE_CHECKING:
    from .world import World

Vector = Union[Sequence[float], npt.NDArray[Any]]
Array = npt.NDArray[Any]
Radius = Union[float, Sizes, Callable[[int], float]]
Region = Mapping[str, Any]

# what a generator tells of its list, which need not hold all that it made (supports): numbers as they are, bodies by
# their ids
_TELL = """
at_end(function()
  local function told(v)
    if type(v) == "table" then
      local list = {}
      for i, x in ipairs(v) do list[i] = told(x) end
      return list
    end
    return type(v) == "userdata" and v.id or v
  end
  local function bodies(v)
    return type(v) == "userdata" or (type(v) == "table" and v[1] ~= nil and bodies(v[1]))
  end
  report("list", told(g))
  for k, v in pairs(g) do
    if type(k) == "string" then report((bodies(v) and "bodies:" or "value:") .. k, told(v)) end
  end
end)
"""


class Bodies(list[Body]):
    """The bodies that a generator made, with its other fields as attributes (``solid_fraction``, ``courses``, ...)."""

    def __init__(self, bodies: Iterable[Body], fields: Mapping[str, Any]) -> None:
        super().__init__(bodies)
        self.__dict__.update(fields)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"these bodies have no field {name!r}: there are {', '.join(self.__dict__) or 'none'}")

    @property
    def position(self) -> Array:
        """m, one row each; a copy."""
        return np.array([b.position for b in self])


class Generate:
    """Generators of a world: ``world.generate.random(region=..., count=..., radius=...)``.

    All but masonry take, besides their own keys, those of ``World.body`` except shape, position and keep_origin, for
    each body: ``density`` is 2000 unless density, mass or fixed is given, a number is added to ``name``,
    ``angle="random"`` (3D: ``orientation="random"``) turns each at random.

    radius : m: a number, a distribution of :mod:`moreau.sizes`, or a function of the number of the body, from 1 (where
    it is known how many there are).  shape : instead, a shape for all.
    region : ``{"min":, "max":}``, ``{"center":, "radius":}`` or in 2D ``{"points":}``, a convex polygon.
    seed : of what is drawn: the same bodies as of a scene whose first random numbers these are.
    """

    def __init__(self, world: World) -> None:
        self._world = world

    def __repr__(self) -> str:
        return "<generators: lattice, random, rain, compressed, polygons, wall, arch, dome, column>"

    def _scene(self, text: str, seed: int) -> Any:
        w = self._world
        cell = w.cell_get()
        periodic = {a: (cell["origin"][k], cell["origin"][k] + cell["edges"][4 * k])
                    for k, a in enumerate("xyz"[:w.dim]) if cell["periodic"][k]}
        setup = {"dim": w.dim, "h": w.h, "t_end": 0.0, "gravity": w._gravity, "periodic": periodic or None}
        return _core.Scene({"text": f"world {lua.value(setup)}\n{text}", "path": "generate", "name": "generate",
                            "seed": seed, "threads": w._threads})

    def _make(self, name: str, keys: dict[str, Any], seed: int, count: int | None = None) -> Bodies:
        w = self._world
        given = {k: v for k, v in keys.items() if v is not None}
        first = ""
        if callable(given.get("radius")):
            if count is None:
                raise TypeError("radius: a function needs count or counts; give a number or a distribution")
            f = given["radius"]
            first = f"local r = {lua.value([float(f(i)) for i in range(1, count + 1)])}\n"
            given["radius"] = lua.Raw("function(i) return r[i] end")
        for k, v in given.items():
            if callable(v) and not isinstance(v, lua.Raw):
                raise TypeError(f"{k}: generators take no functions; set it on the bodies, or make them one by one")
        scene = self._scene(f"{first}g = generate.{name} {lua.value(given, name)}\n{_TELL}", seed)
        ids = scene.copy_to(w)
        report = json.loads(scene.finish()["report"])
        if ids:
            w._created = max(w._created, ids[-1])
        # ids of the scene's world begin at 1
        def handles(x: Any) -> Any:
            return [handles(y) for y in x] if isinstance(x, list) else Body(w, ids[int(x) - 1])
        bodies = handles(report.pop("list"))
        fields = {k.split(":", 1)[1]: handles(v) if k.startswith("bodies:") else v for k, v in report.items()}
        return Bodies(bodies, fields)

    # ---- grains -------------------------------------------------------------------------------------------------

    def lattice(self, *, radius: Radius | None = None, shape: Shape | None = None, kind: str | None = None,
                spacing: float | None = None, counts: Sequence[int] | None = None, position: Vector | None = None,
                region: Region | None = None, jitter: float | None = None, seed: int = 1, **body: Any) -> Bodies:
        """A lattice: kind "square", "triangular"; 3D "cubic", "bcc", "fcc", "hcp".

        spacing : distance of neighbours, m (twice the largest radius).  counts, and position of the first; or region.
        jitter : 0 to 1, random share of the room that each has.  The list has ``spacing``.
        """
        count = None if counts is None else math.prod(int(n) for n in counts)
        return self._make("lattice", dict(radius=radius, shape=shape, kind=kind, spacing=spacing, counts=counts,
                                          position=position, region=region, jitter=jitter, **body), seed, count)

    def random(self, *, region: Region, radius: Radius | None = None, shape: Shape | None = None,
               count: int | None = None, solid_fraction: float | None = None, gap: float | None = None,
               tries: int | None = None, seed: int = 1, **body: Any) -> Bodies:
        """At random, one after the other, the largest first, where there is room.

        count, or solid_fraction.  gap : at least this between two, m.  tries : for each.  The list has
        ``solid_fraction``.
        """
        return self._make("random", dict(region=region, radius=radius, shape=shape, count=count,
                                         solid_fraction=solid_fraction, gap=gap, tries=tries, **body), seed, count)

    def compressed(self, *, count: int, radius: Radius, pressure: float | None = None,
                   compression_friction: float | None = None, friction: float | None = None,
                   proportions: Vector | None = None, position: Vector | None = None, max_steps: int | None = None,
                   seed: int = 1, **body: Any) -> Bodies:
        """Discs or spheres at rest under a pressure (Pa, N/m in 2D): loose at random, then pressed together by rigid
        walls without friction and gravity.

        compression_friction : until they are at rest first.  friction : in a second stage.  proportions : of the box.
        position : its low corner, m.  The list has ``min``, ``max``, ``solid_fraction``, ``stress``, ``contacts``,
        ``coordination``, ``rattlers``, ``steps``.
        """
        return self._make("compressed", dict(count=count, radius=radius, pressure=pressure,
                                             compression_friction=compression_friction, friction=friction,
                                             proportions=proportions, position=position, max_steps=max_steps, **body),
                          seed, count)

    def polygons(self, *, region: Region, count: int, relax: int | None = None, shrink: float | None = None,
                 seed: int = 1, **body: Any) -> Bodies:
        """Voronoi grains that fill a region without gaps: polygons, in 3D polyhedra.

        relax : how often the points move to the centres of their cells.  shrink : 0 to 0.99.
        """
        return self._make("polygons", dict(region=region, count=count, relax=relax, shrink=shrink, **body), seed)

    def rain(self, *, count: int, position: Vector, radius: Radius | None = None,
             shape: Shape | Callable[[float, int], Shape] | None = None, interval: float | None = None,
             rate: float | None = None, start: float = 0.0, direction: Vector | None = None, speed: float = 0.0,
             scatter: float = 0.0, seed: int = 1, **body: Any) -> Rain:
        """Bodies let go one after the other while the world runs.

        interval : s between two, or rate : how many per second.  start : s.  direction : along gravity (down
        without).  speed : m/s.  scatter : m, half width or radius across the direction.  A body is made where it
        overlaps no free one; else it waits, and those behind it too.  shape may also be a function(radius, number).
        The list that is given grows.
        """
        rain = Rain(self._world, count, position, radius, shape, interval, rate, start, direction, speed, scatter, seed, body)
        self._world._rains.append(rain)
        return rain

    # ---- masonry ------------------------------------------------------------------------------------------------

    def wall(self, *, brick: Vector | None = None, courses: int | None = None, bricks: int | None = None,
             bond: float | None = None, closers: bool | None = None, **common: Any) -> Bodies:
        """A wall along x.  brick : length, (depth,) height, m.  The list has ``courses``, from below.

        Masonry takes position, angle (3D, about the vertical), density, group, name and collides_with.
        """
        return self._make("wall", dict(brick=brick, courses=courses, bricks=bricks, bond=bond, closers=closers, **common), 1)

    def arch(self, *, voussoirs: int | None = None, radius: float | None = None, thickness: float | None = None,
             embrace: float | None = None, width: float | None = None, supports: bool | None = None,
             **common: Any) -> Bodies:
        """An arch along x: radius of the mid-line and thickness, m; embrace, rad.  The list has ``supports``."""
        return self._make("arch", dict(voussoirs=voussoirs, radius=radius, thickness=thickness, embrace=embrace, width=width,
                                       supports=supports, **common), 1)

    def dome(self, *, courses: int | None = None, blocks: int | None = None, radius: float | None = None,
             thickness: float | None = None, embrace: float | None = None, oculus: float | None = None,
             keystone: bool | None = None, chamfer: float | None = None, supports: bool | None = None,
             **common: Any) -> Bodies:
        """A dome, 3D.  The list has ``rings``, ``keystone``, ``supports``."""
        return self._make("dome", dict(courses=courses, blocks=blocks, radius=radius, thickness=thickness, embrace=embrace,
                                       oculus=oculus, keystone=keystone, chamfer=chamfer, supports=supports, **common), 1)

    def column(self, *, drums: int | None = None, radius: float | None = None, height: float | None = None,
               sides: int | None = None, taper: float | None = None, capital: Mapping[str, float] | None = None,
               **common: Any) -> Bodies:
        """A column of drums, 3D.  The list has ``capital``."""
        return self._make("column", dict(drums=drums, radius=radius, height=height, sides=sides, taper=taper,
                                         capital=capital, **common), 1)


class Rain(Sequence[Body]):
    """Bodies that a rain has let go so far."""

    _TRIES = 20

    def __init__(self, world: World, count: int, position: Vector, radius: Radius | None,
                 shape: Shape | Callable[[float, int], Shape] | None, interval: float | None, rate: float | None,
                 start: float, direction: Vector | None, speed: float, scatter: float, seed: int,
                 body: dict[str, Any]) -> None:
        self._world, self._count, self._seed = world, int(count), int(seed)
        if (interval is None) == (rate is None):
            raise _core.InputError("rain: expected either interval (s) or rate (1/s)")
        self._interval = float(interval) if interval is not None else 1 / float(rate)  # type: ignore[arg-type]
        self._start, self._speed, self._scatter = float(start), float(speed), float(scatter)
        self._position = np.array(position, dtype=float)
        if not (self._interval >= 0 and self._scatter >= 0 and math.isfinite(self._speed)) or self._count < 0:
            raise _core.InputError("rain: expected interval, scatter and count >= 0 and a finite speed")
        if self._position.shape != (world.dim,) or not np.isfinite(self._position).all():
            raise _core.InputError(f"rain.position: expected {world.dim} numbers, found {position!r}")
        for key in ("velocity", "fixed", "motion", "position"):
            if key in body:
                raise TypeError(f"rain: {key}: rain has speed and direction, and its bodies are free")
        self._direction = self._unit(direction)
        self._shape = shape
        if radius is None and not isinstance(shape, Shape):
            raise _core.InputError("rain: expected radius or shape")
        self._radius: Radius = 0.0 if radius is None else radius
        self._drawn: list[float] = []
        self._body: dict[str, Any] = {"density": 2000.0, **body} if not {"density", "mass"} & set(body) else dict(body)
        self.ids: list[int] = []
        self._reach: dict[int, float] = {}

    def _unit(self, direction: Vector | None) -> Array:
        d = np.array(self._world._gravity if direction is None else direction, dtype=float)
        if direction is None and not d.any():
            d[-1] = -1.0
        length = float(np.linalg.norm(d))
        if d.shape != (self._world.dim,) or not 0 < length < math.inf:
            raise _core.InputError(f"rain.direction: expected a vector other than zero, found {direction!r}")
        return d / length

    def _radius_of(self, k: int) -> float:
        """Of body k, from 1; distributions are drawn as far as they are needed."""
        r = self._radius
        if not isinstance(r, Sizes):
            return float(r(k) if callable(r) else r)
        if k > len(self._drawn):
            self._drawn = r.draw(min(self._count, max(1000, 2 * k)), self._seed).tolist()
        return float(self._drawn[k - 1])

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, i: Any) -> Any:
        return [Body(self._world, k) for k in self.ids[i]] if isinstance(i, slice) else Body(self._world, self.ids[i])

    def _reaches(self, ids: Array) -> Array:
        for i in ids.tolist():
            if i not in self._reach:
                self._reach[i] = self._world.body_facts(i)[2]
        return np.array([self._reach[i] for i in ids.tolist()])

    def _reach_of(self, shape: Shape) -> float:
        """Radius about the centre of mass, as the library finds it for a body."""
        from .world import World
        w = World(dim=self._world.dim, h=1.0)
        return float(w.body_facts(w.body(shape=shape, mass=1.0).id)[2])

    def _place(self, k: int, reach: float) -> Array | None:
        """Where body k fits; draws depend on seed, body and step alone, so that a resumed run has the same."""
        w = self._world
        rng = np.random.default_rng((self._seed, k, w.steps))
        free = np.array(w.is_free)
        centres, reaches = np.array(w.position[free]), self._reaches(np.array(w.ids[free]))
        for _ in range(self._TRIES if self._scatter > 0 else 1):
            x = self._position + self._across(rng)
            if not len(centres) or (np.square(centres - x).sum(axis=1) >= np.square(reaches + reach)).all():
                return x
        return None

    def _across(self, rng: np.random.Generator) -> Array:
        """Uniform over the segment or disc across the direction."""
        n = self._direction
        if self._world.dim == 2:
            return self._scatter * rng.uniform(-1, 1) * np.array((-n[1], n[0]))
        e = np.eye(3)[int(np.argmin(np.abs(n)))]
        t = np.cross(n, e) / np.linalg.norm(np.cross(n, e))
        r, a = self._scatter * math.sqrt(rng.uniform()), rng.uniform(0, 2 * math.pi)
        return r * (math.cos(a) * t + math.sin(a) * np.cross(n, t))

    def before_step(self, t: float) -> None:
        """Lets go of what is due."""
        w = self._world
        while len(self.ids) < self._count and self._start + len(self.ids) * self._interval <= t + 1e-9 * w.h:
            k = len(self.ids) + 1
            r = self._radius_of(k)
            shape = self._shape
            if shape is None:
                shape = Disc(r) if w.dim == 2 else Sphere(r)
            elif not isinstance(shape, Shape):
                shape = shape(r, k)
            keys = dict(self._body)
            if "name" in keys:
                keys["name"] = f"{keys['name']} {k}"
            reach = r if self._shape is None else self._reach_of(shape)
            x = self._place(k, reach)
            if x is None:
                return
            b = w.body(shape=shape, position=x, velocity=self._speed * self._direction, **keys)
            self._reach[b.id] = reach
            self.ids.append(b.id)
