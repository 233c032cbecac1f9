"""A line that tells how far a run has come."""
from __future__ import annotations

import sys
import time as clock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .world import World


class Progress:
    """A line on standard error, on a terminal only."""

    def __init__(self, world: World, todo: int) -> None:
        self.world, self.todo = world, max(todo, 1)
        self.started = self.told = clock.monotonic()
        self.shown = False

    def update(self, left: int) -> None:
        now = clock.monotonic()
        if now - self.told < 0.2 or not sys.stderr.isatty():
            return
        self.told = now
        done = self.todo - left
        steps, contacts = self.world.brief()
        rate = done / (now - self.started)
        sys.stderr.write(f"\r{100 * done // self.todo:3d} %  t = {steps * self.world.h:.4g} s  {contacts} contacts  "
                         f"{rate:.0f} steps/s  {left / rate:.0f} s left \x1b[K")
        self.shown = True

    def close(self) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
