"""Pictures: rendered by the library, shown by notebooks, saved as PNG or SVG."""
from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from typing import TYPE_CHECKING, Any, Union

from . import _core

if TYPE_CHECKING:
    from .world import World

Path = Union[str, "os.PathLike[str]"]
#: above this many bodies notebooks get a PNG alone: an SVG of all of them would be too large for a page
LARGEST_SVG = 2000

_VIEWS = {"iso": (-60.0, 22.0, False), "front": (-90.0, 0.0, True), "side": (0.0, 0.0, True), "top": (-90.0, 90.0, True)}


def options(**given: Any) -> dict[str, Any]:
    """What ``draw`` takes, as the library takes it."""
    d = dict(given)
    view = d.pop("view", None)
    if isinstance(view, str):
        if view not in _VIEWS:
            raise ValueError(f"view: found {view!r}, expected {', '.join(_VIEWS)} or (min, max)")
        d["azimuth"], d["elevation"], d["orthographic"] = _VIEWS[view]
    elif view is not None:
        low, high = view
        d.update(framed=True, lo=(*map(float, low), 0.0)[:3], hi=(*map(float, high), 1.0)[:3])
    return d


class Picture:
    """A picture of a run file; ``save`` it, or leave it to a notebook."""

    def __init__(self, run: _core.Run, settings: dict[str, Any], svg: bool = True) -> None:
        self._run = run
        self._settings = settings
        self._svg = svg

    @classmethod
    def of_world(cls, world: World, given: dict[str, Any]) -> Picture:
        settings = options(**given)
        folder = tempfile.mkdtemp(prefix="moreau-")
        try:
            path = os.path.join(folder, "world.h5")
            world.snapshot(path)
            picture = cls(_core.Run(path), settings, len(world) <= LARGEST_SVG)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        # the file goes when the picture goes
        weakref.finalize(picture, shutil.rmtree, folder, True)
        return picture

    def render(self, format: str = "png") -> bytes:
        """The picture as the bytes of a PNG or SVG file."""
        if format not in ("png", "svg"):
            raise ValueError(f"format: found {format!r}, expected 'png' or 'svg'")
        with tempfile.TemporaryDirectory(prefix="moreau-") as folder:
            path = os.path.join(folder, "picture." + format)
            self._run.draw({**self._settings, "svg": format == "svg"}, path)
            with open(path, "rb") as file:
                return file.read()

    def save(self, path: Path) -> Picture:
        """Writes the picture; the ending, .png or .svg, says which."""
        ending = os.path.splitext(os.fspath(path))[1].lower()
        if ending not in (".png", ".svg"):
            raise ValueError(f"found {os.fspath(path)!r}, expected a name that ends in .png or .svg")
        self._run.draw({**self._settings, "svg": ending == ".svg"}, path)
        return self

    def show(self) -> None:
        """Opens the picture with the system's viewer, for scripts; in a notebook the picture shows by itself."""
        import webbrowser
        handle, path = tempfile.mkstemp(prefix="moreau-", suffix=".png")
        os.close(handle)
        self.save(path)
        webbrowser.open("file://" + path)

    def _repr_png_(self) -> bytes:
        return self.render("png")

    def _repr_svg_(self) -> str | None:
        return self.render("svg").decode() if self._svg else None
