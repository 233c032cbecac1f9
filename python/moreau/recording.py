"""Recording worlds, systems and sweeps while they run."""
from __future__ import annotations

import json
import math
import os
from typing import TYPE_CHECKING, Any, Callable, Union

from . import _core

if TYPE_CHECKING:
    from .process import _Process
    from .world import World

Path = Union[str, "os.PathLike[str]"]
Observer = tuple[str, Callable[[float], float]]


def plain(x: Any) -> Any:
    """For json: NumPy's numbers and arrays."""
    if hasattr(x, "tolist"):
        return x.tolist()
    raise TypeError(f"state: expected what json can write, found {x!r}")


class _Recording:
    """Frames and rows of the time series as scenes take them: frame j at the first end of step with
    t >= j every - h/2; at the beginning; at the end."""

    def __init__(self, path: Path, h: float, every: float, series: float | None, observers: list[Observer]) -> None:
        if not every > 0 or not (series is None or series > 0):
            raise _core.InputError(f"record: found {every!r} and {series!r}, expected seconds > 0")
        self.path = os.fspath(path)
        self.every = max(every, h)
        self.series_every = max(self.every if series is None else series, h)
        self._h = h
        self._observers = tuple(observers)
        self._last_frame = -1
        self._next_frame = self._next_row = 0

    # what differs
    def _now(self) -> tuple[float, int]:
        raise NotImplementedError

    def _write_row(self, t: float, values: list[float]) -> None:
        raise NotImplementedError

    def _write_frame(self) -> None:
        raise NotImplementedError

    def _settle(self, must: bool) -> None:
        """Systems and sweeps: what is kept in memory goes to the file."""

    def _end(self, status: str, report: str) -> None:
        raise NotImplementedError

    @property
    def _open(self) -> bool:
        raise NotImplementedError

    def _begin(self, resumed: bool) -> None:
        t, step = self._now()
        if resumed:
            self._last_frame = step
            self._next_row, self._next_frame = self._after(t, self.series_every), self._after(t, self.every)
            return
        try:
            self._due(end=True)
        except BaseException as e:
            # an observer failed: nothing is being recorded
            self._end(f"{type(e).__name__}: {e}", "{}")
            raise

    def _after(self, t: float, every: float) -> int:
        return math.floor((t + self._h / 2) / every) + 1

    def _steps_left(self) -> int:
        """Steps until something is due."""
        t, step = self._now()
        due = min(self._next_row * self.series_every, self._next_frame * self.every)
        return max(1, math.ceil((due - self._h / 2) / self._h - 1e-9) - step)

    def _due(self, end: bool = False) -> None:
        t, _ = self._now()
        if end or t >= self._next_row * self.series_every - self._h / 2:
            self._write_row(t, [float(f(t)) for _, f in self._observers])
            self._next_row = self._after(t, self.series_every)
        if end or t >= self._next_frame * self.every - self._h / 2:
            self._frame()
            self._next_frame = self._after(t, self.every)
        self._settle(end)

    def _frame(self) -> None:
        step = self._now()[1]
        if step != self._last_frame:
            self._write_frame()
            self._last_frame = step

    def _interrupted(self) -> None:
        """Ctrl-C: the file is complete up to here, and the run can go on."""
        self._frame()
        self._settle(True)

    def close(self, status: str = "ok", report: dict[str, Any] | None = None) -> None:
        """Writes the last frame and ends the file; ``report`` is kept in it."""
        if not self._open:
            return
        text = json.dumps(report or {}, default=plain)
        try:
            if self._last_frame != self._now()[1]:
                self._due(end=True)
            else:
                self._settle(True)
        finally:
            self._end(status, text)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        self.close("ok" if kind is None else "interrupted" if kind is KeyboardInterrupt else f"{kind.__name__}: {value}")


class Recording(_Recording):
    """A run file that a world writes to while it steps; ends with ``close()`` or a ``with`` block."""

    def __init__(self, world: World, path: Path, every: float, series: float | None, name: str, resume: bool) -> None:
        super().__init__(path, world.h, every, series, world._observers)
        self.world = world
        names = tuple(n for n, _ in self._observers)
        world.record_create(path, {"scene_name": name, "every": self.every, "t_end": 0.0, "series": names,
                                   "solver": world._solver_name, "resume": resume})
        world._recording = self
        self._begin(resume)

    def _now(self) -> tuple[float, int]:
        return self.world.time, self.world.steps

    @property
    def _open(self) -> bool:
        return self.world._recording is self

    def _write_row(self, t: float, values: list[float]) -> None:
        self.world.record_series(values)

    def _write_frame(self) -> None:
        self.world.record_frame(json.dumps(self.world._kept(), default=plain))

    def _after_step(self) -> None:
        self.world.record_step()
        self._due()

    def _end(self, status: str, report: str) -> None:
        self.world._recording = None
        self.world.record_finish(status, report)


class PathRecording(_Recording):
    """A run file that a system or sweep writes to while it runs; ends with ``close()`` or a ``with`` block."""

    def __init__(self, process: _Process, path: Path, every: float, series: float | None, name: str, resume: bool) -> None:
        super().__init__(path, process.h, every, series, process._observers)
        self.process = process
        names = tuple(n for n, _ in self._observers)
        process._p.record_create(path, {"scene_name": name, "every": self.every, "t_end": 0.0, "series": names,
                                        "solver": process._method, "resume": resume})
        process._recording = self
        self._begin(resume)

    def _now(self) -> tuple[float, int]:
        i = self.process._p.info()
        return i["time"], i["steps"]

    @property
    def _open(self) -> bool:
        return self.process._recording is self

    def _write_row(self, t: float, values: list[float]) -> None:
        self.process._p.record_series(t, values)

    def _write_frame(self) -> None:
        self.process._p.record_row(*self._now())

    def _settle(self, must: bool) -> None:
        self.process._p.record_checkpoint(*self._now(), json.dumps({"state": self.process.state}, default=plain), must)

    def _end(self, status: str, report: str) -> None:
        self.process._recording = None
        self.process._p.record_finish(status, report)
