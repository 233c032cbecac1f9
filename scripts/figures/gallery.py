#!/usr/bin/env python3
"""A picture and a few lines for every example, from the comments at the head of each: docs/gallery.md.

Pictures are those that the example's "Picture:" line names, or its last frame; VIEWS has what shows more.
"""

import argparse
import glob
import os
import re
import sys
import tempfile
import textwrap

from png import fewer_colours
from program import ROOT, Program

IMAGES = os.path.join(ROOT, "docs", "images", "gallery")
PAGE = os.path.join(ROOT, "docs", "gallery.md")
LARGEST = 100000  # bytes of a picture
COLOURS = (256, 96)  # of a picture that is larger: balls show rings where there are few
PLOTS = ["--what", "plots"]
# options of export (a frame may be a share of the run), and parameters of the run
VIEWS = {
    "sandpile": (["--color", "stress"], {"grains": 800}),
    "beverloo": (["--frame", "0.65"], {}),
    "collapse2d": (["--frame", "0.42"], {}),
    "crowd": (["--frame", "0.35"], {"people": 80}),
    "wall": (["--no-chains"], {}),
    "spheres": (["--no-chains"], {"spheres": 48}),
    "slope3d": (None, {"seconds": 3}),
    "pinch": (None, {"seconds": 2}),
    "painleve": (PLOTS, {}),
    "gluey": (["--frame", "0.3"], {}),
    "pulled-block": (["--what", "series"], {"pull": 8}),
    "sphere-pair": (PLOTS, {}),
    "rockfall": (["--frame", "0.5"], {}),
    "collapse": (["--frame", "0.7"], {}),
    "stack20": (None, {"seconds": 3}),
    "pyramid": (["--no-chains"], {"seconds": 0.2}),
    "column": (None, {"turns": 3, "rest": 0.3}),
    "biaxial": (["--what", "contacts"], {"side": 14, "strain": 3}),
    "segregation": (PLOTS, {"grains": 270, "cycles": 150}),
    "isostatic": (PLOTS, {}),
    "shaken-block": (["--what", "series"], {}),
}
GROUPS = [
    ("Grains", "sandpile repose collapse2d inclined-plane plane-shear janssen beverloo oedometer isostatic packing cobbles drum spheres galton billiard "
               "cradle crowd biaxial segregation"),
    ("Masonry and blocks", "arch column collapse wall pyramid stack20 domino rocking rocking-sweep housner3d slope slope3d shaken-block pinch rockfall"),
    ("Impacts and friction", "impact bouncing-ball corner-impact sphere-pair kane-rod slender-bar painleve pulled-block gluey top"),
    ("Systems", "double-pendulum clearance impact-oscillator elastic-bar guided-pipe modal-pipe"),
    ("Sweeping processes", "water tractrix catching-up corner jump play methods elastoplastic"),
]


def header(path):
    """Title, text and expectation of the comment at the head."""
    lines = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("--"):
                break
            lines.append(line[2:].strip())
    text = " ".join(lines)
    title, _, rest = text.partition("  ") if "" not in lines else (" ".join(lines[:lines.index("")]), "", " ".join(lines[lines.index("") + 1:]))
    rest, _, expect = rest.partition("Expect")
    expect = expect.lstrip(":, ")
    expect, _, picture = expect.partition("Picture: ")
    if not picture:
        rest, _, picture = rest.partition("Picture: ")
    return title.strip(), rest.strip(), expect.strip(), picture.strip()


def sentences(text, most):
    """The first sentences that fit into `most` characters, at least one."""
    # an abbreviation ends no sentence
    whole = re.sub(r"\b(Phys|Rev|Lett|Chem|Eng|Sci|Proc|Eur|Int|Mech|Res|Fluid|Mat|Am|Soc|[A-Z])\.", "\\1\0", re.sub(r"\s+", " ", text))
    found = re.findall(r".+?(?:[.:!?](?=\s+[A-Z(\"]|\s*$)|$)", whole)
    kept = ""
    for sentence in found:
        if kept and len(kept) + len(sentence) > most:
            break
        kept += sentence
    return kept.strip().replace("\0", ".")


def options_of(name, picture):
    """What export draws of an example."""
    if name in VIEWS and VIEWS[name][0] is not None:
        return VIEWS[name][0]
    named = re.search(r"--to png((?: --[a-z]+(?: [a-z0-9]+)?)*)", picture)
    return named.group(1).split() if named else []


def fitted(program, run, options):
    """Shares of the run as frames, and two columns for several plots."""
    about = program.info(run)
    if "--frame" in options and "." in options[options.index("--frame") + 1]:
        k = options.index("--frame") + 1
        options = [*options[:k], str(int(float(options[k]) * (about.get("frames", about.get("rows", 1)) - 1))), *options[k + 1:]]
    if about["plots"] > 1 and ("plots" in options or (about["kind"] != "world" and not options)):
        options = [*options, "--columns", "2"]
    return options


def made_small(path):
    """Whether a picture is small enough, with as few colours as that takes."""
    with open(path, "rb") as file:
        whole = file.read()
    for most in COLOURS:
        if os.path.getsize(path) > LARGEST:
            with open(path, "wb") as file:
                file.write(whole)
            fewer_colours(path, most)
    return os.path.getsize(path) <= LARGEST


def draw(program, run, name, options):
    """As wide as the largest file allows."""
    options = fitted(program, run, options)
    output = os.path.join(IMAGES, name + ".png")
    for width in (640, 520, 420, 340):
        program.export(run, output, "--to", "png", *options, "--width", width)
        if made_small(output):
            return
    raise SystemExit(f"{output}: {os.path.getsize(output)} bytes, expected at most {LARGEST}")


def scenes():
    found = {}
    shipped, papers = (sorted(glob.glob(os.path.join(ROOT, "examples", *part, "*.lua"))) for part in ((), ("papers",)))
    for path in shipped + papers:
        name = os.path.splitext(os.path.basename(path))[0]
        if not os.path.islink(path):
            found[name if name not in found else name + "-sweep"] = path
    return found


def entry(name, path):
    title, rest, expect, _ = header(path)
    shown = os.path.relpath(path, os.path.dirname(PAGE))
    run = name if os.path.dirname(path).endswith("examples") else os.path.relpath(path, ROOT)
    lines = [f"### [{name}]({shown})", "", f"![{name}](images/gallery/{name}.png)", "", f"**{title}** {sentences(rest, 260)}", ""]
    if expect:
        expect = sentences(expect, 200)
        lines += ["Expect: " + expect[0].lower() + expect[1:] if expect[1:2].islower() else "Expect: " + expect, ""]
    return lines + [f"`moreau run {run}`", ""]


def write_page(found):
    lines = ["# Gallery", "", *textwrap.wrap("Every example with a picture, what it is about and what should come out; written by `make gallery` from the "
                                              "comments at the head of the scenes. The papers' figures are in [figures](figures/README.md).", 130), ""]
    left = dict(found)
    for title, names in GROUPS + [("Others", "")]:
        chosen = [n for n in names.split() if n in left] if names else sorted(left)
        if chosen:
            lines += [f"## {title}", ""]
        for name in chosen:
            lines += entry(name, left.pop(name))
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "moreau"))
    parser.add_argument("--only", action="append", help="an example; may be given again")
    parser.add_argument("--threads", type=int, help="of each run")
    parser.add_argument("--missing", action="store_true", help="pictures that are not there yet")
    parser.add_argument("--page", action="store_true", help="the page alone, no pictures")
    options = parser.parse_args()
    program, found = Program(os.path.abspath(options.program), options.threads), scenes()
    os.makedirs(IMAGES, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, path in found.items():
            there = options.missing and os.path.exists(os.path.join(IMAGES, name + ".png"))
            if options.page or there or (options.only and name not in options.only):
                continue
            print(name, file=sys.stderr, flush=True)
            run = os.path.join(folder, name + ".h5")
            program.run(path, run, VIEWS.get(name, (None, {}))[1])
            draw(program, run, name, options_of(name, header(path)[3]))
            os.remove(run)
    write_page(found)


if __name__ == "__main__":
    main()
