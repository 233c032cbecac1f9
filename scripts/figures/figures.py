#!/usr/bin/env python3
"""Reproduces the papers' figures: runs the scenes of examples/papers, draws them, writes docs/figures/NAME.md.

Tables (CSV) and drawings (SVG) are left in build/figures, pictures (PNG) go to docs/images/figures. With --small everything
is a reduced version in a folder of its own: what the tests run.
"""

import argparse
import os
import sys
import time

from pages import FIGURES
from program import ROOT, Program

WIDE = ["--width", "1100"]


class Places:
    """Where things go."""

    def __init__(self, small):
        base = os.path.join(ROOT, "build", "figures")
        self.small = small
        self.work = small or base
        self.images = os.path.join(small, "images") if small else os.path.join(ROOT, "docs", "images", "figures")
        self.pages = small or os.path.join(ROOT, "docs", "figures")
        for folder in (self.work, self.images, self.pages):
            os.makedirs(folder, exist_ok=True)


def draw(program, places, run, name, picture):
    """PNG and SVG, and the numbers of plots; the PNG's path as the page names it."""
    stem, options = picture
    stem = name + stem
    if places.small and "--frame" in options:  # reduced runs have fewer
        options = ["--frame", "last", *options[2:]]
    width = [] if "--width" in options else WIDE
    program.export(run, os.path.join(places.images, stem + ".png"), "--to", "png", *options, *width)
    program.export(run, os.path.join(places.work, stem + ".svg"), "--to", "svg", *options, *width)
    if "plots" in options:
        program.export(run, os.path.join(places.work, stem + ".csv"), "--to", "csv", "--what", "plots")
    return f"../images/figures/{stem}.png"


def make(program, places, figure):
    """Runs the scenes of a figure and writes its page."""
    reports, images = [], []
    for k, (suffix, settings) in enumerate(figure.runs):
        settings = {**settings, **(figure.small if places.small else {})}
        run = os.path.join(places.work, figure.name + suffix + ".h5")
        done = program.run(f"examples/papers/{figure.scene}.lua", run, settings)
        reports.append(done)
        images += [draw(program, places, run, figure.name + suffix, p) for p in (figure.pictures if k == 0 else figure.more)]
    if figure.table:
        program.export(os.path.join(places.work, figure.name + ".h5"), os.path.join(places.work, figure.name + "-series.csv"),
                       "--to", "csv", "--what", figure.table)
    write_page(places, figure, reports, images)


def write_page(places, figure, reports, images):
    lines = [f"# {figure.title}", "", *[f"![{figure.title}]({i})" for i in images], "",
             f"Scene: [examples/papers/{figure.scene}.lua](../../examples/papers/{figure.scene}.lua). "
             "Written by `make figures`; tables and drawings are left in `build/figures`.", "",
             "**Set-up.** " + figure.setup, "", "**The paper.** " + figure.paper, "", "**Here.** " + figure.numbers(*reports), "",
             "**Not known from the paper.** " + figure.unknown, ""]
    with open(os.path.join(places.pages, figure.name + ".md"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "moreau"))
    parser.add_argument("--only", action="append", help="a figure; may be given again")
    parser.add_argument("--threads", type=int, help="of each run")
    parser.add_argument("--small", metavar="FOLDER", help="reduced versions, everything into this folder")
    options = parser.parse_args()
    names = [f.name for f in FIGURES]
    for name in options.only or []:
        if name not in names:
            parser.error(f"no figure '{name}'; there are {', '.join(names)}")
    program, places = Program(os.path.abspath(options.program), options.threads), Places(options.small and os.path.abspath(options.small))
    for figure in FIGURES:
        if options.only and figure.name not in options.only:
            continue
        begin = time.monotonic()
        make(program, places, figure)
        print(f"{figure.name}: {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
