"""Recording a world while it steps."""
from __future__ import annotations

import json
import math
import os
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    from .world import World

Path = Union[str, "os.PathLike[str]"]


class Recording:
    """A run file that a world writes to while it steps; ends with ``close()`` or a ``with`` block."""

    def __init__(self, world: World, path: Path, every: float, series: float | None, name: str) -> None:
        h = world.h
        self.world = world
        self.path = os.fspath(path)
        self.every = max(every, h)
        self.series_every = max(self.every if series is None else series, h)
        self._observers = tuple(world._observers)
        self._last_frame = -1
        self._next_frame = self._next_row = 0
        names = tuple(n for n, _ in self._observers)
        world.record_create(path, {"scene_name": name, "every": self.every, "t_end": 0.0, "series": names})
        self._due(first=True)

    def _due(self, first: bool = False, end: bool = False) -> None:
        """Writes what is due at the end of a step: frame j at the first end with t >= j every - h/2."""
        w = self.world
        h = w.h
        t = w.time
        if first or end or t >= self._next_row * self.series_every - h / 2:
            w.record_series([float(f(t)) for _, f in self._observers])
            self._next_row = math.floor((t + h / 2) / self.series_every) + 1
        if first or end or t >= self._next_frame * self.every - h / 2:
            self._frame()
            self._next_frame = math.floor((t + h / 2) / self.every) + 1

    def _frame(self) -> None:
        step = self.world.steps
        if step != self._last_frame:
            self.world.record_frame()
            self._last_frame = step

    def _after_step(self) -> None:
        self.world.record_step()
        self._due()

    def close(self, status: str = "ok", report: dict[str, Any] | None = None) -> None:
        """Writes the last frame and ends the file; ``report`` is kept in it."""
        if self.world._recording is not self:
            return
        try:
            if self._last_frame != self.world.steps:
                self._due(end=True)
        finally:
            self.world._recording = None
            self.world.record_finish(status, json.dumps(report or {}))

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        self.close("ok" if kind is None else "interrupted" if kind is KeyboardInterrupt else f"{kind.__name__}: {value}")
