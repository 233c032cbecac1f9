"""Systems of finite freedom and sweeping processes."""
from __future__ import annotations

import inspect
import json
import os
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Callable, Iterator, NamedTuple, Sequence

import numpy as np
import numpy.typing as npt

from . import _core
from .dual import Dual, gradient
from .moving import Convex, Gap, GapFunction, Moving, gap_caller
from .recording import Path as FilePath, PathRecording
from .sets import Set, metric

Array = npt.NDArray[Any]

__all__ = ["System", "Sweep", "Path", "Event", "schemes", "methods"]

#: names of the schemes of systems, and of the methods of sweeps
schemes = ("moreau", "moreau-jean", "paoli-schatzman", "mabrouk", "bernicot-lefebvre", "event-driven", "compliant", "alpha")
methods = ("catching-up", "theta", "penalty", "lazy", "event-driven")


class Event(NamedTuple):
    """t : s.  type : "contact", "release", "impact", "jump", "outside" or "accumulation".  gaps : numbers from 0."""

    t: float
    type: str
    size: float
    gaps: tuple[int, ...]


def events_of(raw: list[tuple[float, str, float, bytearray]]) -> list[Event]:
    return [Event(t, kind, size, tuple(np.frombuffer(g, dtype=np.uint64).tolist())) for t, kind, size, g in raw]


@dataclass(frozen=True)
class Path:
    """What a run went through: times (s), points q (of a sweep also x), velocities u (None in a sweep), multipliers
    lam, events; the first row is where it began."""

    t: Array = field(repr=False)
    q: Array = field(repr=False)
    u: Array | None = field(repr=False)
    lam: Array = field(repr=False)
    events: list[Event] = field(repr=False)
    outcome: str  #: "reached", or why the run ended early

    @property
    def x(self) -> Array:
        return self.q

    def __len__(self) -> int:
        return len(self.t)


class _Process:
    _p: Any
    _h: float
    _n: int
    _m: int
    _method: str

    def _begin(self, process: Any, h: float, n: int, method: str) -> None:
        self._p, self._h, self._n, self._method = process, float(h), n, method
        self._m = len(process.state()[2]) // 8
        self.events: list[Event] = events_of(process.events())
        #: yours, kept in the checkpoints of a recording: what json can write
        self.state: dict[str, Any] = {}
        self._observers: list[tuple[str, Callable[[float], float]]] = []
        self._recording: PathRecording | None = None

    @property
    def h(self) -> float:
        """Time step, s."""
        return self._h

    @property
    def info(self) -> SimpleNamespace:
        """Everything about the run so far; ``outcome`` is "reached" while all is well."""
        return SimpleNamespace(**self._p.info())

    @property
    def t(self) -> float:
        """s."""
        return float(self._p.info()["time"])

    @property
    def hash(self) -> str:
        """Of the state, 16 hexadecimal digits."""
        return str(self._p.hash_text())

    @property
    def lam(self) -> Array:
        """Multipliers of the last step: impulses of a system, N s; rates of a sweep,
        x_f - x_i = h (f + sum of lam grad g)."""
        return np.frombuffer(self._p.state()[2])

    # ---- recording ----------------------------------------------------------------------------------------------

    def observe(self, name: str, function: Callable[[float], float]) -> None:
        """A column of the time series of a recording; to be given before ``record``."""
        if self._recording is not None:
            raise _core.UsageError("observe comes before record")
        self._observers.append((name, function))

    def record(self, path: FilePath, every: float | None = None, series: float | None = None, name: str = "python",
               resume: bool = False) -> PathRecording:
        """Writes a run file from now on: rows of the path every so many seconds (every step), rows of the time series
        likewise.  resume : goes on from the file, and with it."""
        if resume:
            self.resume(path)
        return PathRecording(self, path, self._h if every is None else every, series, name, resume)

    def resume(self, path: FilePath) -> None:
        """Goes on from the last checkpoint of a run file, with the same bits: of a process made as that one was."""
        run = _core.Run(path)
        info = run.info()
        kind = type(self).__name__.lower()
        for key, here in (("kind", kind), ("h", self._h), ("coordinates", self._n), ("multipliers", self._m),
                          ("solver", self._method)):
            if info[key] != here:
                raise _core.InputError(f"{os.fspath(path)}: {key} is {here!r} here and {info[key]!r} in the file")
        t, step, saved, text = run.checkpoint()
        if saved is None or step == 0:
            raise _core.InputError(f"{os.fspath(path)}: the run has no checkpoint yet to go on from")
        self._p.restore(saved)
        self.events = [e for e in events_of(run.events()) if e.t <= t]
        self.state = json.loads(text or "{}").get("state", {})

    # ---- running ------------------------------------------------------------------------------------------------

    def _chunks(self, count: int) -> Iterator[tuple[int, bytearray, bytearray, bytearray, list[Event]]]:
        """Runs so many steps, with what is to be recorded; fewer when one cannot be made."""
        made = wanted = 0
        while count > 0 and made == wanted:
            wanted = min(count, self._recording._steps_left()) if self._recording else count
            try:
                made, x, u, lam, raw = self._p.run(wanted)
            except KeyboardInterrupt:
                if self._recording is not None:
                    self._recording._interrupted()
                raise
            count -= wanted
            events = events_of(raw)
            self.events.extend(events)
            if self._recording is not None and made > 0:
                self._recording._due()
            yield made, x, u, lam, events

    def _rows(self, count: int) -> Path:
        x0, u0, l0 = (np.frombuffer(b) for b in self._p.state())
        steps, made = int(self._p.info()["steps"]), 0
        xs, us, ls = [x0], [u0], [l0]
        new: list[Event] = []
        for n, x, u, lam, events in self._chunks(count):
            made += n
            new += events
            for rows, b, width in ((xs, x, self._n), (us, u, len(u0)), (ls, lam, self._m)):
                rows.append(np.frombuffer(b)[:n * width])

        def table(rows: list[Array], width: int) -> Array:
            return np.concatenate(rows).reshape(made + 1, width) if width else np.zeros((made + 1, 0))

        return Path(np.arange(steps, steps + made + 1) * self._h, table(xs, self._n),
                    table(us, self._n) if len(u0) else None, table(ls, self._m), new,
                    "reached" if made == count else self._p.info()["outcome"])

    def step(self, count: int = 1) -> None:
        """Makes steps of h.  ``moreau.Error`` when one cannot be made."""
        made = sum(chunk[0] for chunk in self._chunks(count))
        if made < count:
            i = self.info
            raise _core.Error(f"the step from t = {i.time:.10g} s could not be made: {i.message or i.outcome}")

    def run(self, until: float | None = None, *, steps: int | None = None) -> Path:
        """Runs until the time (s), or so many steps, and gives the whole way.  Ends early when a step cannot be made:
        ``outcome`` of the path says why.  After Ctrl-C another ``run`` goes on from where it was."""
        if (until is None) == (steps is None):
            raise TypeError("run: expected until (s) or steps")
        if steps is None:
            steps = round(float(until) / self._h) - int(self._p.info()["steps"])  # type: ignore[arg-type]
        return self._rows(max(int(steps), 0))


def _spread(x: Any, count: int, name: str) -> Array | None:
    if x is None:
        return None
    a = np.asarray(x, dtype=float)
    if a.ndim > 1 or a.ndim == 1 and len(a) != count:
        raise ValueError(f"{name}: expected a number or {count}, found {x!r}")
    return np.ascontiguousarray(np.broadcast_to(a, (count,)))


def _arity(f: Callable[..., Any]) -> int:
    """How many arguments a function takes; 3 when that cannot be said."""
    try:
        kinds = [p.kind for p in inspect.signature(f).parameters.values()]
    except (TypeError, ValueError):
        return 3
    if inspect.Parameter.VAR_POSITIONAL in kinds:
        return 3
    return sum(k in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD) for k in kinds)


class System(_Process):
    """M(t, q) du = F(t, q, u) dt + sum of grad g dlambda, gaps g(t, q) >= 0, with a law of impact.

    q, u : the start.  h : time step, s.  scheme : one of ``moreau.schemes``.
    mass : a number, a diagonal, a matrix (rows or SciPy sparse) or a function(t, q) giving rows.
    force : function(t, q, u) giving n numbers, all of the force; one of (t, q) is taken not to depend on velocity.
    stiffness, damping : matrices; -K q - C u comes on top.  potential : function(t, q), for energies.
    gaps : functions(t, q), or ``moreau.moving.Gap`` with derivatives by hand.
    restitution : a number, one per gap, or function(t, q); dissipation_index : Moreau's delta instead,
    e = (1 - delta)/(1 + delta).
    friction, tangents (functions(t, q) giving n numbers), tangential_restitution : one per gap.
    theta, rho_infinity, stiffness_contact (N/m), contact_tolerance, tol, max_iter, backward_velocity : as in scenes.

    Gaps and forces are called with numbers that carry derivatives (:mod:`moreau.dual`): use ``moreau.sin`` or
    ``numpy.sin`` in them.  A force that cannot take them is differenced instead.
    """

    def __init__(self, *, q: npt.ArrayLike, u: npt.ArrayLike, h: float, scheme: str, mass: Any = 1.0,
                 force: Callable[..., Any] | None = None, stiffness: Any = None, damping: Any = None,
                 potential: Callable[[float, Array], float] | None = None, gaps: Sequence[GapFunction | Gap] = (),
                 restitution: Any = 0.0, dissipation_index: Any = None, friction: Any = None,
                 tangents: Sequence[Callable[[float, Array], Any]] | None = None, tangential_restitution: Any = None,
                 linear: bool = False, **options: Any) -> None:
        q0, u0 = (np.ascontiguousarray(np.atleast_1d(np.asarray(x, dtype=float))) for x in (q, u))
        n, m = len(q0), len(gaps)
        d: dict[str, Any] = {"q": q0, "u": u0, "h": h, "scheme": scheme, "gaps": m, "linear": linear,
                             "stiffness": metric(stiffness, n), "damping": metric(damping, n), **options}
        if callable(mass):
            d["mass_function"] = lambda t, p: _full(mass(t, np.frombuffer(p)), n)
        else:
            d["mass"] = metric(mass, n)
        if force is not None:
            d["force"] = _force_caller(force, n)
            d["force_depends_on_velocity"] = _arity(force) != 2
        if potential is not None:
            d["potential"] = lambda t, p: [float(potential(t, np.frombuffer(p)))]
        if m:
            d["gap"] = gap_caller(list(gaps))
        e = restitution
        if dissipation_index is not None:
            delta = dissipation_index
            e = ((lambda t, x: (1 - np.asarray(delta(t, x))) / (1 + np.asarray(delta(t, x)))) if callable(delta) else
                 (1 - np.asarray(delta, dtype=float)) / (1 + np.asarray(delta, dtype=float)))
        if callable(e):
            d["restitution_function"] = lambda t, p: _spread(e(t, np.frombuffer(p)), m, "restitution")
        else:
            d["restitution"] = _spread(e, m, "restitution")
        d["friction"] = _spread(friction, m, "friction")
        d["tangential_restitution"] = _spread(tangential_restitution, m, "tangential_restitution")
        if tangents is not None:
            list_ = list(tangents)
            if len(list_) != m:
                raise ValueError(f"tangents: expected one for each of {m} gaps, found {len(list_)}")
            d["tangent"] = lambda t, p: np.concatenate([np.asarray(f(t, np.frombuffer(p)), dtype=float) for f in list_])
        self._begin(_core.System(d), h, n, scheme)
        self.scheme = scheme

    @property
    def q(self) -> Array:
        """Positions now, a copy."""
        return np.frombuffer(self._p.state()[0])

    @property
    def u(self) -> Array:
        """Velocities now, a copy."""
        return np.frombuffer(self._p.state()[1])

    @property
    def energy(self) -> SimpleNamespace:
        """J: kinetic, potential, work, loss, step_loss, balance_error."""
        return SimpleNamespace(**self._p.info()["energy"])


def _full(M: Any, n: int) -> Array:
    a = np.asarray(M.toarray() if hasattr(M, "toarray") else M, dtype=float)
    if a.ndim == 0:
        a = np.full(n, float(a))
    return np.ascontiguousarray(np.diag(a) if a.ndim == 1 else a)


def _force_caller(force: Callable[..., Any], n: int) -> Callable[[float, bytes, bytes, int], Array]:
    with_u = _arity(force) != 2
    exact = [True]

    def flat(F: Any) -> list[Any]:
        if F is None:
            raise TypeError(f"force: expected {n} number{'s' if n > 1 else ''}, found None: nothing was returned")
        items = list(np.ravel(F)) if not isinstance(F, Dual) else [F]
        if len(items) != n:
            raise ValueError(f"force: expected {n} number{'s' if n > 1 else ''}, found {len(items)}")
        return items

    def derivatives(t: float, q: Array, u: Array) -> list[Array]:
        unit = np.eye(2 * n)
        point = np.empty(2 * n, dtype=object)
        for i, x in enumerate(np.concatenate([q, u])):
            point[i] = Dual(x, unit[i])
        rows = [gradient(c, 2 * n)[1] for c in flat(force(t, point[:n], point[n:]) if with_u else force(t, point[:n]))]
        return [np.concatenate([r[:n] for r in rows]), np.concatenate([r[n:] for r in rows])]

    def function(t: float, q: bytes, u: bytes, wanted: int) -> Array:
        qq, uu = np.frombuffer(q), np.frombuffer(u)
        F = np.array(flat(force(t, qq, uu) if with_u else force(t, qq)), dtype=float)
        if not wanted or not exact[0]:
            return F
        try:
            return np.concatenate([F, *derivatives(t, qq, uu)])
        except TypeError:
            # a function of plain numbers: the library takes differences
            exact[0] = False
            return F

    return function


class Sweep(_Process):
    """A point x(t) that a moving set C(t) takes along: -dx + f(t, x) dt in the normal cone of C(t) at x.

    x : the start.  set : see :mod:`moreau.moving`, or a set of :mod:`moreau.sets`.  h : time step, s.
    method : one of ``moreau.methods``.  field : function(t, x) giving n numbers.
    theta, penalty (lambda of scenes, 1/s), tol, max_iter, retraction : as in scenes.
    """

    def __init__(self, *, x: npt.ArrayLike, set: Moving | Set, h: float, method: str = "catching-up",
                 field: Callable[[float, Array], Any] | None = None, theta: float = 0.5, penalty: float | None = None,
                 tol: float | None = None, max_iter: int | None = None, retraction: bool = True) -> None:
        x0 = np.ascontiguousarray(np.atleast_1d(np.asarray(x, dtype=float)))
        where = Convex(set) if isinstance(set, Set) else set
        if not isinstance(where, Moving):
            raise TypeError(f"set: expected a set such as moreau.moving.Ball((0, 0), 1), found {set!r}")
        n = len(x0)
        d: dict[str, Any] = {"x": x0, "h": h, "method": method, "set": where._definition(n), "theta": theta,
                             "lambda": penalty, "tol": tol, "max_iter": max_iter, "retraction": retraction}
        if field is not None:
            d["field"] = lambda t, p: np.array(np.ravel(field(t, np.frombuffer(p))), dtype=float)
        self._begin(_core.Sweep(d), h, n, method)
        self.method = method

    @property
    def x(self) -> Array:
        """The point now, a copy."""
        return np.frombuffer(self._p.state()[0])
