"""Run files: frames, contacts, series and paths as arrays, and as data frames where pandas is there."""
from __future__ import annotations

import html
import json
import os
import shutil
import subprocess
import tempfile
from types import SimpleNamespace
from typing import Any, Iterator, Mapping, Union

import numpy as np
import numpy.typing as npt

from . import _core
from .contacts import Contacts
from .picture import LARGEST_SVG, Picture, options
from .process import Event, Path as ProcessPath, events_of
from .state import Energy

Path = Union[str, "os.PathLike[str]"]
Array = npt.NDArray[Any]

__all__ = ["Run", "Frame", "Series", "View", "read"]


class Series(Mapping[str, Array]):
    """The time series of a run: ``series.t`` (s) and one array per column, by name.  Columns that begin with
    ``energy`` are J."""

    def __init__(self, t: Array, names: list[str], values: Array) -> None:
        self.t = t
        self._names = names
        self._values = values

    def __getitem__(self, name: str) -> Array:
        if name == "t":
            return self.t
        try:
            return self._values[:, self._names.index(name)]
        except ValueError:
            raise KeyError(f"there is no column {name!r}: there are {', '.join(self._names)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<series of {len(self.t)} rows: {', '.join(self._names)}>"

    def to_pandas(self) -> Any:
        """A pandas.DataFrame by time."""
        import pandas
        return pandas.DataFrame(np.array(self._values), columns=self._names, index=pandas.Index(np.array(self.t), name="t"))


class Frame:
    """A frame of a world's run: bodies and contacts at one time.  Arrays are read-only and keep the frame alive."""

    def __init__(self, run: Run, index: int, frame: _core.Frame) -> None:
        self.run = run
        self.index = index
        self._frame = frame
        i = frame.info()
        self.time: float = i["time"]
        self.step: int = i["step"]
        self.dim: int = i["dim"]
        self.energy = Energy(**i["energy"])
        #: m, column k is the edge of the periodic cell along axis k, a unit vector where there is none
        self.cell_edges: Array = np.array(i["cell"]["edges"]).reshape(3, 3)[:self.dim, :self.dim]

    def __repr__(self) -> str:
        return f"<frame {self.index} at t = {self.time:.6g} s: {len(self.ids)} bodies, {len(self.contacts)} contacts>"

    def _array(self, name: str) -> Array:
        return np.asarray(self._frame.array(name))

    @property
    def ids(self) -> Array:
        return self._array("id")

    @property
    def q(self) -> Array:
        """x, y, angle; in 3D x, y, z and a quaternion."""
        return self._array("q")

    @property
    def u(self) -> Array:
        """vx, vy, spin; in 3D vx, vy, vz and the spin along principal axes, of balls along the world's."""
        return self._array("u")

    @property
    def position(self) -> Array:
        """m."""
        return self.q[:, :self.dim]

    @property
    def velocity(self) -> Array:
        """m/s."""
        return self.u[:, :self.dim]

    @property
    def angle(self) -> Array:
        """rad, 2D."""
        if self.dim != 2:
            raise AttributeError("angle is for worlds in 2D")
        return self.q[:, 2]

    @property
    def force(self) -> Array:
        """N and N m: of contacts on each body."""
        return self._array("force")

    @property
    def radius(self) -> Array:
        """m: of the farthest point from the centre of mass."""
        return self._array("radius")

    @property
    def contacts(self) -> Contacts:
        names = ("id1", "id2", "feature", "point", "normal", "gap", "impulse", "velocity", "status")
        return Contacts(self.dim, self.run.h, {n: self._array(n) for n in names})

    def to_pandas(self) -> Any:
        """Bodies as a pandas.DataFrame with the columns of ``moreau export --to csv``, by id."""
        import pandas
        names = (["x", "y", "angle", "vx", "vy", "spin"] if self.dim == 2 else
                 ["x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "w1", "w2", "w3"])
        return pandas.DataFrame(np.hstack([self.q, self.u]), columns=names, index=pandas.Index(np.array(self.ids), name="body"))

    def draw(self, **given: Any) -> Picture:
        """A picture.

        color : "speed", "group" or "stress".  chains : force chains (True).  network : 3D, bodies pale before them.
        width : pixels.  view : ``(min, max)``, corners in m; in 3D also "iso", "front", "side", "top", or azimuth and
        elevation (degrees) and orthographic.
        """
        return Picture(self.run._run, {"what": "frame", "frame": self.index, **options(**given)},
                       len(self.ids) <= LARGEST_SVG)


class View:
    """The browser viewer of a run, one page in itself: a notebook shows it in a frame; ``save`` it for a browser."""

    def __init__(self, page: str, height: int) -> None:
        self.page, self.height = page, height

    def save(self, path: Path) -> View:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.page)
        return self

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.page)}" width="100%" height="{self.height}" '
                'style="border:0" sandbox="allow-scripts"></iframe>')


def program() -> str | None:
    """The program `moreau`: of MOREAU_PROGRAM, of the path, or of the build that the package lies in."""
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "moreau")
    for candidate in (os.environ.get("MOREAU_PROGRAM"), shutil.which("moreau"), beside):
        if candidate and os.path.isfile(candidate) and os.access(candidate, os.X_OK):
            return os.path.abspath(candidate)
    return None


class Run:
    """A run file.

    ``len(run)``, ``run[k]`` and iteration give frames of a world's run; ``run.path`` is the way of a sweep or system.
    """

    def __init__(self, path: Path) -> None:
        self.file = os.fspath(path)
        self._run = _core.Run(path)
        self._info = self._run.info()

    def __repr__(self) -> str:
        return (f"<run {self.file!r}: {self.kind}, {len(self)} frames to t = {self._info['time']:.6g} s, "
                f"{self.status}>")

    def close(self) -> None:
        """Closes the file; ``BufferError`` while arrays of it are alive."""
        self._run.close()

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    @property
    def info(self) -> SimpleNamespace:
        """Everything the head of the file says."""
        return SimpleNamespace(**self._info)

    @property
    def kind(self) -> str:
        """'world', 'system' or 'sweep'."""
        return str(self._info["kind"])

    @property
    def status(self) -> str:
        """'ok', what went wrong, or 'unfinished'."""
        return str(self._info["status"])

    @property
    def h(self) -> float:
        """Time step, s."""
        return float(self._info["h"])

    @property
    def dim(self) -> int:
        return int(self._info["dim"])

    @property
    def report(self) -> dict[str, Any]:
        """What the scene reported."""
        return dict(json.loads(self._info["report_json"]))

    @property
    def params(self) -> dict[str, Any]:
        """The scene's parameters."""
        return dict(json.loads(self._info["params_json"]))

    def _array(self, name: str) -> Array:
        return np.asarray(self._run.array(name))

    @property
    def times(self) -> Array:
        """s, of all frames."""
        return self._array("times")

    def __len__(self) -> int:
        return int(self._info["frames"])

    def __bool__(self) -> bool:
        return True

    def frame(self, k: int) -> Frame:
        """Frame k of a world, from 0; negative from the end."""
        if self._info["is_path"]:
            raise _core.UsageError(f"the run is of a {self.kind}: it has a path, not frames of bodies")
        n = len(self)
        if not -n <= k < n:
            raise IndexError(f"frame {k}: the run has frames 0 to {n - 1}")
        return Frame(self, k % n, self._run.frame(k % n))

    def __getitem__(self, k: int) -> Frame:
        return self.frame(k)

    def __iter__(self) -> Iterator[Frame]:
        return (self.frame(k) for k in range(len(self)))

    def at(self, time: float) -> Frame:
        """The frame nearest to a time (s)."""
        return self.frame(int(np.argmin(np.abs(self.times - time))))

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """Every body that was ever recorded: id, kind, group, name, mass (kg), area (m^2, or m^3)."""
        return self._run.body_table()

    @property
    def series(self) -> Series:
        """Energies and observed columns over time."""
        return Series(self._array("series_t"), self._info["series"], self._array("series"))

    @property
    def solver_steps(self) -> SimpleNamespace:
        """Of every step: step, contacts, iterations, residual."""
        return SimpleNamespace(step=self._array("step"), contacts=self._array("step_contacts"),
                               iterations=self._array("step_iterations"), residual=self._array("step_residual"))

    @property
    def path(self) -> ProcessPath:
        """The way of a sweep or system."""
        if not self._info["is_path"]:
            raise _core.UsageError("the run is of a world: it has frames, not a path")
        u = self._array("path_u")
        return ProcessPath(self._array("path_t"), self._array("path_x"), u if self._info["velocities"] else None,
                           self._array("path_lambda"), self.events, self.status)

    @property
    def events(self) -> list[Event]:
        """Events of a sweep or system."""
        return events_of(self._run.events())

    def to_pandas(self) -> Any:
        """All bodies in all frames (or the path) as one pandas.DataFrame, by time."""
        import pandas
        if self._info["is_path"]:
            p = self.path
            parts = [("q" if p.u is not None else "x", p.q)] + ([("u", p.u)] if p.u is not None else []) + [("lambda", p.lam)]
            columns = {f"{n}{i + 1}": np.array(a[:, i]) for n, a in parts if a is not None for i in range(a.shape[1])}
            return pandas.DataFrame(columns, index=pandas.Index(np.array(p.t), name="t"))
        return pandas.concat({f.time: f.to_pandas() for f in self}, names=["t"])

    def draw(self, k: int = -1, **given: Any) -> Picture:
        """A picture of a frame, the last by default; of a sweep or system of its path."""
        if not self._info["is_path"]:
            return self.frame(k).draw(**given)
        plots = json.loads(self._info["plots_json"])
        return Picture(self._run, {"what": "plots" if plots else "path", **options(**given)})

    def draw_series(self, **given: Any) -> Picture:
        """A picture of energies and observed columns against time."""
        return Picture(self._run, {"what": "series", **options(**given)})

    def view(self, height: int = 600) -> View:
        """The browser viewer with this run inside, for notebooks and as a page.  Needs the program ``moreau`` (on the
        path, or named by MOREAU_PROGRAM)."""
        name = program()
        if name is None:
            raise _core.UsageError("the viewer comes from the program 'moreau', which was not found; put it on the "
                                   "path or name it in MOREAU_PROGRAM")
        with tempfile.TemporaryDirectory(prefix="moreau-") as folder:
            page = os.path.join(folder, "run.html")
            done = subprocess.run([name, "export", self.file, "--to", "html", "-o", page], capture_output=True, text=True)
            if done.returncode != 0 or not os.path.exists(page):
                raise _core.UsageError(f"{name} could not make the page: {done.stderr.strip() or done.stdout.strip()}")
            with open(page, encoding="utf-8") as file:
                return View(file.read(), height)

    def compare(self, other: Run) -> SimpleNamespace:
        """Distances to another run: max_position (m), velocity_graph, identical, ..."""
        return SimpleNamespace(**self._run.compare(other._run))

    def export(self, path: Path, to: str = "csv", what: str = "bodies", first: int = 0, count: int | None = None) -> None:
        """Frames as a CSV file (of what: "bodies", "contacts", "series"), a folder of VTK files, or an XDMF file."""
        if to not in ("csv", "vtk", "xdmf"):
            raise ValueError(f"to: found {to!r}, expected 'csv', 'vtk' or 'xdmf'")
        n = len(self) - first if count is None else count
        self._run.export(what if to == "csv" else to, path, first, n)


def read(path: Path) -> Run:
    """Opens a run file."""
    return Run(path)
