"""Worlds of rigid bodies.

Units: metres, kilograms, seconds, radians, newtons; in 2D everything per metre of depth.  A gap >= 0 is feasible; the
normal of a contact points toward its first body.
"""
from __future__ import annotations

import json
import math
import os
from typing import Any, Callable, Iterable, Mapping, Sequence, Union

import numpy.typing as npt

from . import _core, motion as motions
from .bodies import Body, Joint
from .cell import Cell, Components, Program
from .contacts import Contacts
from .generate import Generate
from .measure import Measure
from .motion import Load, Motion
from .picture import Picture
from .progress import Progress
from .recording import Recording
from .servo import Quantity, Servo
from .shapes import Shape
from .state import WorldState

Path = Union[str, "os.PathLike[str]"]
Vector = Union[Sequence[float], npt.NDArray[Any]]

_FREE = {2: {"x": 1, "y": 2, "angle": 4}, 3: {"x": 1, "y": 2, "z": 8, "wx": 16, "wy": 32, "wz": 64}}
_LAW_KEYS = ("friction", "restitution", "tangential_restitution", "static_friction", "friction2", "axis", "cohesion",
             "gluey", "threshold", "rolling", "spinning", "name")


class World(WorldState):
    """A world of rigid bodies with contact and friction.

    ``World(dim=2, h=1e-3, gravity=(0, -9.81))`` with the keys of scenes:

    dim : 2 or 3.  h : time step, s.  gravity : m/s^2.
    scheme : ``"moreau"``, ``"moreau-jean"`` (with theta in [0.5, 1]) or ``"bernicot-lefebvre"``.
    solver : a name (``"auto"``, ``"nlgs"``, ``"newton"``, ``"ipm"``, ``"prox"``, ``"apgd"``, ``"admm"``, in 2D ``"lemke"``) or a dict
    ``{"name":, "tol":, "max_iter":, "max_seconds":}``.
    contact_tolerance : m; None: 1e-6 of the smaller body's size, at most 1e-8 m.
    position_projection : remove penetration after each step without adding energy.
    sleeping : heaps that have come to rest are not solved for until something disturbs them.
    overlaps : of bodies at the start, ``"report"``, ``"resolve"`` or ``"refuse"``.
    threads : results do not depend on it.
    periodic : ``{"x": (low, high), ...}``: a periodic cell along these axes, m; see :meth:`cell`.

    ``position``, ``velocity`` and the other arrays of bodies are read-only views of the world's own memory: no copy,
    and they show the new state after every step.  While such an array is alive, bodies cannot be added or removed
    (``BufferError``); ``array.copy()`` keeps numbers for good.  ``contacts`` is a copy.
    """

    def __init__(self, dim: int = 2, h: float = 1e-3, gravity: Vector | None = None, *, scheme: str = "moreau",
                 theta: float = 0.5, solver: str | dict[str, Any] | None = None,
                 contact_tolerance: float | None = None, position_projection: bool = False,
                 sleeping: bool = False, overlaps: str = "report", threads: int = 1,
                 periodic: Mapping[str, Sequence[float]] | None = None) -> None:
        settings: dict[str, Any] | None = {"name": solver} if isinstance(solver, str) else solver
        if periodic is not None and not isinstance(periodic, Mapping):
            raise TypeError(f"periodic: expected axes such as {{'x': (0, 1)}}, found {periodic!r}")
        unknown = set(periodic or ()) - set("xyz"[:dim] if dim in (2, 3) else "xyz")
        if unknown:
            raise _core.InputError(f"periodic: found {sorted(map(str, unknown))[0]!r}, expected axes of a world in {dim}D")
        cell = None if periodic is None else tuple(periodic.get(a) for a in "xyz"[:dim])
        super().__init__({"dim": dim, "h": h, "gravity": gravity, "scheme": scheme, "theta": theta, "solver": settings,
                          "contact_tolerance": contact_tolerance, "position_projection": position_projection,
                          "sleeping": sleeping, "overlaps": overlaps, "threads": threads, "periodic": cell})
        self._start(dim, h)
        self._gravity: tuple[float, ...] = tuple(float(g) for g in gravity) if gravity is not None else (0.0,) * dim
        self._threads = threads
        self._solver_name = str((settings or {}).get("name", "auto"))

    def _start(self, dim: int, h: float, scene: Any = None) -> None:
        self._dim = dim
        self._h = float(h)
        self._scene = scene
        self._default_law: dict[str, Any] = {}
        self._pair_laws: dict[tuple[str, str], dict[str, Any]] = {}
        self._observers: list[tuple[str, Callable[[float], float]]] = []
        self._on_step: list[Callable[[float], Any]] = []
        self._stop_when: list[Callable[[float], Any]] = []
        self._timed: list[tuple[float, int, Callable[[], Any]]] = []
        self._recording: Recording | None = None
        self._servos: list[Servo] = []
        self._program: Program | None = None
        self._rains: list[Any] = []
        self._created = 0
        self._gravity = (0.0,) * dim
        self._threads = 1
        self._solver_name = "auto"
        #: yours, kept in the frames of a recording: what json can write
        self.state: dict[str, Any] = {}

    def __repr__(self) -> str:
        steps, contacts = self.brief()
        return (f"<{self.dim}D world: {len(self)} bodies, {contacts} contacts, t = {steps * self.h:.6g} s "
                f"({steps} steps of {self.h:g} s)>")

    # ---- building -----------------------------------------------------------------------------------------------

    def _key(self, key: str) -> str:
        return key if self.dim == 2 else key + "3"

    def law(self, *, between: Sequence[str] | None = None, **keys: Any) -> None:
        """The law of every pair, or with ``between=("grain", "wall")`` of two groups, where keys that are left out
        are as in the default pair.

        friction, restitution (0 to 1), tangential_restitution (-1 to 1), static_friction, friction2 and axis (3D),
        cohesion (N, N/m in 2D), gluey, threshold (N, N/m in 2D), rolling and spinning (m), name (of a law registered
        from C).
        """
        unknown = set(keys) - set(_LAW_KEYS)
        if unknown:
            raise TypeError(f"law has no key {sorted(unknown)[0]!r}: it has {', '.join(_LAW_KEYS)}")
        if between is None:
            self.set_law(keys, None)
            self._default_law = dict(keys)
            for pair, law in self._pair_laws.items():
                self.set_law({**self._default_law, **law}, pair)
            return
        if isinstance(between, str) or len(between) != 2:
            raise TypeError(f"between: expected two names of groups, found {between!r}")
        # whichever comes first, it is the same pair
        pair = (between[0], between[1]) if str(between[0]) <= str(between[1]) else (between[1], between[0])
        self.set_law({**self._default_law, **keys}, pair)
        self._pair_laws[pair] = dict(keys)

    def body(self, *, shape: Shape, density: float | None = None, mass: float | None = None, inertia: Any = None,
             position: Vector | None = None, angle: float | None = None, orientation: Vector | None = None,
             velocity: Vector | None = None, spin: Any = None, group: str | None = None, name: str | None = None,
             fixed: bool = False, motion: Motion | None = None, free: Iterable[str] | None = None,
             applied_force: Load = None, applied_torque: Load = None, collides_with: Iterable[str] | None = None,
             keep_origin: bool = False) -> Body:
        """Adds a body and gives its handle.

        shape : see :mod:`moreau.shapes`.
        density : kg/m^2 (3D: kg/m^3), or mass : kg, with inertia : kg m^2 if not from the shape (three numbers in 3D).
        position, velocity : m, m/s.  angle, spin : rad, rad/s; in 3D orientation (quaternion w, x, y, z) and spin
        about the world's axes.
        fixed : never moves.  motion : function of t giving ``{"x":, "y":, "angle":}``, in 3D
        ``{"x":, "y":, "z":, "rotation": (rx, ry, rz)}``; velocities are its exact derivatives (:mod:`moreau.dual`), or
        given by a second function, ``motion=(place, rates)``.
        free : the freedoms that are kept, of "x", "y", "angle"; "x", "y", "z", "wx", "wy", "wz".
        applied_force, applied_torque : N, N m, numbers or functions of t; world axes, at the centre of mass.
        collides_with : groups that this body can touch.
        """
        if not isinstance(shape, Shape):
            raise TypeError(f"shape: expected a shape such as moreau.Disc(0.1), found {shape!r}")
        d: dict[str, Any] = {"shape": shape._definition(self.time if shape._radius() else 0.0), "density": density, "mass": mass, "group": group,
                             "name": name, "position": position, "velocity": velocity, "keep_origin": keep_origin,
                             self._key("inertia"): inertia, self._key("spin"): spin}
        if self.dim == 2:
            if orientation is not None:
                raise TypeError("orientation is for worlds in 3D; in 2D a body has an angle")
            d["angle"] = angle
        else:
            if angle is not None:
                raise TypeError("angle is for worlds in 2D; in 3D a body has an orientation")
            d["orientation"] = orientation
        if free is not None:
            d["free"] = self._freedoms(free)
        if collides_with is not None:
            d["collides_with"] = tuple(collides_with)
        d["kind"] = "moved" if motion is not None else "fixed" if fixed else "dynamic"
        if motion is not None and fixed:
            raise TypeError("a body is fixed or has a motion, not both")
        if motion is not None:
            where = position if position is not None else (0.0,) * self.dim
            d["motion"] = (motions.motion2(motion, where, angle or 0.0) if self.dim == 2 else
                           motions.motion3(motion, where, (1.0, 0.0, 0.0, 0.0) if orientation is None else orientation))
        d["load"] = motions.load(applied_force, applied_torque, self.dim)
        if d["load"] is None:
            d["applied_force"] = applied_force
            d[self._key("applied_torque")] = applied_torque
        radius = shape._radius()
        if radius is not None:
            d["radius_function"] = motions.radius(radius)
        self._created = self.body_add(d)
        return Body(self, self._created)

    def _freedoms(self, free: Iterable[str]) -> int:
        names = _FREE[self.dim]
        bits = 0
        for f in [free] if isinstance(free, str) else free:
            if f not in names:
                raise ValueError(f"free: found {f!r}, expected some of {', '.join(names)}")
            bits |= names[f]
        return bits

    def joint(self, *, kind: str, bodies: Sequence[Body], at: Any = None, axis: Vector | None = None,
              length: float | None = None, limits: Sequence[float] | None = None,
              motor: dict[str, float] | None = None, stiffness: float | None = None, damping: float | None = None,
              collide: bool = False) -> Joint:
        """Holds two bodies together, or one and the world.

        kind : "hinge", "ball", "slider", "fixed", "distance" or "spring".
        at : the joint's point, m; "distance", "spring": a point of each (default the bodies' positions).
        axis : a direction.  length : m.  limits : (low, high), rad or m.
        motor : ``{"speed":, "max_torque":}``, of a slider ``{"speed":, "max_force":}``.
        stiffness, damping : N/m, N s/m.  collide : contacts between the two are looked for all the same.
        """
        pair = list(bodies)
        if not 1 <= len(pair) <= 2 or not all(isinstance(b, Body) and b.world is self for b in pair):
            raise TypeError("bodies: expected one or two bodies of this world")
        two = kind in ("distance", "spring")
        d: dict[str, Any] = {"kind": kind, "body1": pair[0].id, "axis": axis, "length": length,
                             "stiffness": stiffness, "damping": damping, "collide": collide}
        points: list[Any] = [b.position for b in pair]
        if len(pair) == 2:
            d["body2"] = pair[1].id
        if at is not None:
            points = list(at) if two else [at]
        elif (two and len(pair) == 1) or kind in ("hinge", "ball"):
            raise TypeError("at: expected the point of the joint" + (", of the body and of the world" if two else ""))
        d["at"] = points[0]
        if two:
            if len(points) != 2:
                raise TypeError("at: expected two points")
            d["at2"] = points[1]
        if limits is not None:
            d.update(limited=True, limits=limits)
        if motor is not None:
            load = "max_force" if kind == "slider" else "max_torque"
            if "speed" not in motor or not set(motor) <= {"speed", load}:
                raise TypeError(f"motor: expected speed and {load}, found {motor!r}")
            d.update(driven=True, speed=motor["speed"], max_load=motor.get(load, math.inf))
        return Joint(self, self.joint_add({k: v for k, v in d.items() if v is not None}))

    def servo(self, *, body: Body, axis: str, stress: Quantity | None = None, strain_rate: Quantity | None = None,
              length: Quantity | None = None, area: Quantity | None = None, size: Quantity | None = None,
              damping: float = 0.0, max_speed: float = math.inf) -> Servo:
        """Loads or moves a wall: a body with a mass that is free along the axis, as with ``free=["x"]``.

        axis : the direction in which it pushes, toward the sample: "x", "-x", "y", ...
        stress : Pa (N/m in 2D): the wall is pushed with stress times length (3D: area) and moves as the free body it is;
        or strain_rate : 1/s: it moves with strain_rate times the present size, whatever it takes.
        length (3D: area) : of the sample that the wall loads, m, m^2.  size : of the sample along the axis, m: a
        number, its size now, or a function that gives the present size.  All of these are numbers or functions of
        time, which may read bodies.  damping : N s/m.  max_speed : m/s.
        """
        wrong = area if self.dim == 2 else length
        if wrong is not None:
            raise TypeError(f"servo: a world in {self.dim}D takes {'length' if self.dim == 2 else 'area'}")
        s = Servo(self, body, axis, stress, strain_rate, length if self.dim == 2 else area, size, damping, max_speed)
        self._servos.append(s)
        return s

    def cell(self, *, rate: Components | None = None, stress: Components | None = None, mass: float | None = None,
             damping: float = 0.0) -> Cell:
        """The periodic cell.  With arguments, how it deforms from now on, in the place of all that was said before: it
        must be periodic along all axes and hold free bodies only.

        rate : components of the velocity gradient L, 1/s: ``{"xy": 0.5}`` is simple shear, v_x = 0.5 y.
        stress : components that obey a stress instead, Pa (N/m in 2D), compression positive.  Numbers or functions of
        time.  mass : kg m^2, inertia of the components under a stress.  damping : 1/s.
        """
        if rate is not None or stress is not None or mass is not None or damping != 0.0:
            p = Program(self.dim, rate, stress, mass, damping)
            self.cell_set(p.control())
            self._program = p if p.functions else None
        return Cell(self)

    @property
    def generate(self) -> Generate:
        """Makers of many bodies at once: lattices, random and compressed samples, rain, grains, masonry."""
        return Generate(self)

    def remove(self, what: Body | Joint) -> None:
        """Takes a body or a joint out of the world."""
        if what.world is not self:
            raise _core.UsageError(f"{what!r} is not of this world")
        what.remove()

    # ---- while it runs ------------------------------------------------------------------------------------------

    def on_step(self, function: Callable[[float], Any]) -> Callable[[float], Any]:
        """Called before every step with the time at which it begins; can be used as a decorator."""
        self._on_step.append(function)
        return function

    def stop_when(self, function: Callable[[float], Any]) -> Callable[[float], Any]:
        """Called after every step of ``run``; true ends the run."""
        self._stop_when.append(function)
        return function

    def at(self, time: float, function: Callable[[], Any]) -> None:
        """Called once, before the first step that begins at or after the time (s)."""
        self._timed.append((float(time), len(self._timed), function))
        self._timed.sort(key=lambda x: x[:2])

    def observe(self, name: str, function: Callable[[float], float]) -> None:
        """A column of the time series of a recording; to be given before ``record``."""
        if self._recording is not None:
            raise _core.UsageError("observe comes before record")
        self._observers.append((name, function))

    def record(self, path: Path, every: float = 0.02, series: float | None = None, name: str = "python",
               resume: bool = False) -> Recording:
        """Writes a run file from now on: frames every so many seconds, rows of the time series likewise.  resume : goes
        on from the file's last frame, and with the file."""
        if resume:
            self.resume(path)
        return Recording(self, path, every, series, name, resume)

    def resume(self, path: Path) -> None:
        """Goes on from the last frame of a run file, with the same bits: of a world that was built as that one was.
        Bodies that were made on the way are brought back; laws, servos, the cell and ``state`` are as they were."""
        run = _core.Run(path)
        last = run.info()["frames"] - 1
        if last < 0 or run.info()["kind"] != "world":
            raise _core.InputError(f"{os.fspath(path)}: expected the run of a world with a frame to go on from")
        try:
            kept = json.loads(run.frame(last).info()["state"] or "{}")
        except ValueError:
            raise _core.InputError(f"{os.fspath(path)}: it was not recorded from Python") from None
        if len(kept.get("servos", [])) != len(self._servos) or len(kept.get("rains", [])) != len(self._rains):
            raise _core.InputError(f"{os.fspath(path)}: the world has other servos or rains than the file")
        run.restore(self, last, kept.get("created", 0))
        self._take(kept)

    def _kept(self) -> dict[str, Any]:
        """What a frame keeps beside bodies and contacts."""
        return {"state": self.state, "created": self._created, "law": self._default_law,
                "pairs": [[*pair, law] for pair, law in self._pair_laws.items()],
                "servos": [[s._by_rate, None if callable(s._target) else s._target] for s in self._servos],
                "cell": self.cell_control() if any(self.cell_get()["periodic"]) and self._program is None else None,
                "rains": [list(map(int, r.ids)) for r in self._rains]}

    def _take(self, kept: dict[str, Any]) -> None:
        self.state = kept.get("state", {})
        self._created = max(kept.get("created", 0), self._created)
        for servo, (by_rate, target) in zip(self._servos, kept.get("servos", [])):
            if target is not None:
                servo._by_rate, servo._target = by_rate, target
        for rain, ids in zip(self._rains, kept.get("rains", [])):
            rain.ids[:] = ids
        if kept.get("cell") is not None and all(self.cell_get()["periodic"]):
            self._program = None
            self.cell_set(kept["cell"])
        for pair in kept.get("pairs", []):
            self._pair_laws[pair[0], pair[1]] = pair[2]
        if "law" in kept:
            self.law(**kept["law"])
        # what was due before the step that ended there has been called
        self._timed = [x for x in self._timed if x[0] > (self.steps - 1 + 1e-9) * self.h]

    @property
    def _watched(self) -> bool:
        return bool(self._on_step or self._timed or self._recording or self._servos or self._program or self._rains)

    def _one(self) -> None:
        t = self.time
        while self._timed and self._timed[0][0] <= t + 1e-9 * self.h:
            self._timed.pop(0)[2]()
        for f in self._on_step:
            f(t)
        for rain in self._rains:
            rain.before_step(t)
        for servo in self._servos:
            servo._before_step()
        if self._program is not None:
            self._program.before_step(self)
        _core.World.step(self)
        if self._recording is not None:
            self._recording._after_step()

    def step(self, count: int = 1) -> None:
        """Makes steps of h.  Other threads run meanwhile; Ctrl-C ends it with the world as before the step that it
        interrupted."""
        if not self._watched:
            _core.World.step(self, count)
            return
        for _ in range(count):
            self._one()

    def run(self, until: float | None = None, *, steps: int | None = None, progress: bool = False) -> World:
        """Steps until the time (s), or so many steps, or until ``stop_when`` says so.

        progress : a line on standard error with time, contacts and speed.  Ctrl-C raises KeyboardInterrupt with the
        world at the end of a step, and what is recorded complete.
        """
        if (until is None) == (steps is None):
            raise TypeError("run: expected until (s) or steps")
        if steps is not None:
            todo = int(steps)
        else:
            todo = round(float(until) / self.h) - self.steps  # type: ignore[arg-type]
        bar = Progress(self, todo) if progress else None
        try:
            while todo > 0:
                chunk = 1 if self._watched or self._stop_when else min(todo, 64 if bar else todo)
                if chunk == 1:
                    self._one()
                else:
                    _core.World.step(self, chunk)
                todo -= chunk
                if bar:
                    bar.update(todo)
                if self._stop_when and any(f(self.time) for f in self._stop_when):
                    break
        except KeyboardInterrupt:
            if self._recording is not None:
                self._recording._interrupted()
            raise
        finally:
            if bar:
                bar.close()
        return self

    # ---- what it holds ------------------------------------------------------------------------------------------

    def handle(self, id: int) -> Body:
        """The handle of the body with this id."""
        if not self.body_exists(id):
            raise KeyError(f"there is no body {id}")
        return Body(self, int(id))

    @property
    def contacts(self) -> Contacts:
        """The active contacts of the last step, copied."""
        return Contacts.of_world(self)

    def contact_views(self) -> Contacts:
        """The same without copies: while any of its arrays is alive the world cannot step, nor bodies be removed
        (``BufferError``)."""
        if self._scene is not None:
            raise _core.UsageError("the world belongs to a scene: its contacts can be copied, not lent")
        return Contacts.of_world(self, copy=False)

    @property
    def measure(self) -> Measure:
        """Stress, solid fraction, coordination and the like."""
        return Measure(self)

    def draw(self, **options: Any) -> Picture:
        """A picture of the world as it is now; options as for :meth:`moreau.Frame.draw`."""
        return Picture.of_world(self, options)

    def save(self, path: Path) -> None:
        """Writes the world as it is now to a run file of one frame."""
        self.snapshot(path)
