"""Scenes: Lua texts that build a world, a system or a sweep (docs/guide/scenes.md)."""
from __future__ import annotations

import importlib.resources
import json
import os
import sys
from dataclasses import dataclass, field
from typing import Any, Callable, Mapping, NamedTuple, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _core
from .world import World

Path = Union[str, "os.PathLike[str]"]
Single = Union[bool, int, float, str]
Value = Union[Single, Sequence[Single]]

__all__ = ["Scene", "Outcome", "Param", "load", "examples", "example", "params"]


class Param(NamedTuple):
    """A parameter of a scene: its default as text, its type ("number", "string", "boolean", "table") and what it is."""

    name: str
    default: str
    type: str
    doc: str


@dataclass(frozen=True)
class Outcome:
    """How a run ended: ``status`` is "ok" or what went wrong, ``report`` what the scene reported, ``hash`` that of the
    final state; of systems and sweeps the final q, u, lam and the events."""

    status: str
    reached: bool
    interrupted: bool
    hash: str
    report: dict[str, Any]
    q: npt.NDArray[Any] | None = field(repr=False, default=None)
    u: npt.NDArray[Any] | None = field(repr=False, default=None)
    lam: npt.NDArray[Any] | None = field(repr=False, default=None)
    events: list[dict[str, Any]] = field(repr=False, default_factory=list)


def examples() -> list[str]:
    """Names of the shipped scenes."""
    folder = importlib.resources.files(__package__) / "scenes"
    return sorted(f.name[:-4] for f in folder.iterdir() if f.name.endswith(".lua"))


def example(name: str) -> str:
    """The text of a shipped scene; the comment at its head says what it should show."""
    file = importlib.resources.files(__package__) / "scenes" / f"{name}.lua"
    if "/" in name or not file.is_file():
        raise _core.InputError(f"no example is named {name!r}: moreau.examples() lists them; a path ends in .lua")
    return file.read_text(encoding="utf-8")


def _source(scene: Path) -> tuple[str | bytes, str, str]:
    """Text, path for messages and name.  Files are taken byte for byte, as the program does: any encoding, any ends of lines."""
    name = os.fspath(scene)
    if "/" not in name and not name.endswith(".lua"):
        return example(name), name + ".lua", name
    with open(name, "rb") as file:
        return file.read(), name, os.path.splitext(os.path.basename(name))[0]


def _text(value: Value) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(_entry(v) for v in value)
    return str(value)


def _entry(value: Any) -> str:
    """One of a list, which ``--set`` takes apart at its commas."""
    text = _text(value)
    if "," in text:
        raise _core.InputError(f"set: found {value!r} in a list, expected numbers, booleans or strings without commas")
    return text


def _say(text: str) -> None:
    print(text, file=sys.stderr)


class Scene:
    """A scene that is open: ``run`` it, or ``step`` it and look at its ``world`` on the way."""

    def __init__(self, scene: Path, *, set: Mapping[str, Value] | None = None, seed: int = 1, threads: int | None = None,
                 until: float | None = None, steps: int | None = None, output: Path | None = None,
                 resume: Path | None = None, message: Callable[[str], Any] | None = _say) -> None:
        text, path, name = _source(scene)
        self.name = name
        n = min(8, os.cpu_count() or 1) if threads is None else threads
        d: dict[str, Any] = {"text": text, "path": path, "name": name, "seed": seed, "threads": n, "until": until,
                             "steps": steps, "sets": tuple(f"{k}={_text(v)}" for k, v in (set or {}).items()),
                             "output": None if output is None else os.fspath(output),
                             "resume": None if resume is None else os.fspath(resume), "message": message}
        self._scene = _core.Scene(d)
        self._outcome: Outcome | None = None

    def __repr__(self) -> str:
        p = self._scene.progress()
        return f"<scene {self.name!r}: {p['kind']}, t = {p['time']:.6g} of {p['t_end']:.6g} s>"

    @property
    def kind(self) -> str:
        """'world', 'system' or 'sweep'."""
        return str(self._scene.progress()["kind"])

    @property
    def time(self) -> float:
        """s."""
        return float(self._scene.progress()["time"])

    @property
    def t_end(self) -> float:
        """s, when the run ends."""
        return float(self._scene.progress()["t_end"])

    @property
    def over(self) -> bool:
        """Whether no step is left."""
        return bool(self._scene.progress()["over"])

    @property
    def world(self) -> World:
        """The world that runs, to be looked at: its arrays are copies, and only the scene steps it."""
        w = World.__new__(World)
        if not self._scene.attach(w):
            raise _core.UsageError(f"the scene is a {self.kind}, not a world")
        p = self._scene.progress()
        w._start(w.info_dim(), p["h"], self)
        return w

    def step(self, count: int = 1) -> None:
        """Makes steps with all that the scene does on the way; nothing when the run is over."""
        self._scene.step(count)

    def run(self, progress: bool = False) -> Outcome:
        """Runs to the end and says how it went.  Ctrl-C ends it cleanly, with the run file complete."""
        shown = progress and sys.stderr.isatty()
        try:
            while not self.over:
                self._scene.step(32)
                if shown:
                    p = self._scene.progress()
                    sys.stderr.write(f"\r{self.name}: t = {p['time']:.4g} of {p['t_end']:.4g} s \x1b[K")
        except BaseException:
            # the file is finished all the same; what happened first is what is told
            try:
                self._scene.finish()
            except _core.Error:
                pass
            raise
        finally:
            if shown:
                sys.stderr.write("\r\x1b[K")
        return self.finish()

    def finish(self) -> Outcome:
        """Ends the run here: the scene's ``at_end`` when it came to its end, the run file, the outcome."""
        if self._outcome is None:
            d = self._scene.finish()
            q, u, lam = (None if d[k] is None else np.frombuffer(d[k]) for k in ("q", "u", "lambda"))
            self._outcome = Outcome(d["status"], d["reached"], d["interrupted"], d["hash"], json.loads(d["report"]), q, u, lam,
                                    json.loads(d["events"]) if d["events"] else [])
        return self._outcome


def load(scene: Path, *, set: Mapping[str, Value] | None = None, seed: int = 1, threads: int | None = None,
         until: float | None = None, steps: int | None = None, output: Path | None = None, resume: Path | None = None,
         message: Callable[[str], Any] | None = _say) -> Scene:
    """Opens a scene: the name of a shipped example or a path ending in .lua.

    set : parameters.  seed : of its random numbers (a resumed run has that of its file).  until (s), steps : another end.  output : run file to write.
    resume : run file to go on from.  message : called with warnings and what the scene prints (standard error).
    The result has the same bits as ``moreau run`` with the same arguments.
    """
    return Scene(scene, set=set, seed=seed, threads=threads, until=until, steps=steps, output=output, resume=resume,
                 message=message)


def params(scene: Path) -> list[Param]:
    """The parameters of a scene."""
    text, path, name = _source(scene)
    return [Param(*p) for p in _core.scene_params({"text": text, "path": path, "name": name})]
