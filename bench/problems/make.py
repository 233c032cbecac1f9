#!/usr/bin/env python3
"""Makes the families of contact problems of docs/benchmarks/problems.md from this project's own worlds.

Each is the problem of the first step of a scene in this folder, written as an FCLIB file by `moreau run
--dump-problems`; the same version of the program gives the same numbers everywhere, and the page carries a hash of
each.  Rewrites the page's table from what was made (rows of sizes that were not made now are kept).
"""
import argparse
import fnmatch
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = ROOT / "docs" / "benchmarks" / "problems.md"
BEGIN, END = "<!-- made by bench/problems/make.py: from here -->", "<!-- to here -->"

# name, scene, size, parameters
PROBLEMS = (
    ("wall-16", "wall", "small", {"courses": 16, "bricks": 16}),
    ("wall-50", "wall", "medium", {"courses": 50, "bricks": 50}),
    ("wall-158", "wall", "large", {"courses": 158, "bricks": 158}),
    ("wall-16-tilted", "wall", "small", {"courses": 16, "bricks": 16, "tilt": 10}),
    ("wall-50-tilted", "wall", "medium", {"courses": 50, "bricks": 50, "tilt": 10}),
    ("wall-158-tilted", "wall", "large", {"courses": 158, "bricks": 158, "tilt": 10}),
    ("arch-20", "arch", "small", {"voussoirs": 20}),
    ("arch-100", "arch", "small", {"voussoirs": 100}),
    ("arch-500", "arch", "small", {"voussoirs": 500}),
    ("arch-100-rings", "arch", "small", {"voussoirs": 100, "rings": 5, "thickness": 0.05}),
    ("arch-500-rings", "arch", "medium", {"voussoirs": 500, "rings": 10, "thickness": 0.03}),
    ("packing-500", "packing", "small", {"grains": 500}),
    ("packing-5000", "packing", "medium", {"grains": 5000}),
    ("packing-50000", "packing", "large", {"grains": 50000}),
    ("packing-500-shaken", "packing", "small", {"grains": 500, "speed": 0.1}),
    ("packing-5000-shaken", "packing", "medium", {"grains": 5000, "speed": 0.1}),
    ("packing-50000-shaken", "packing", "large", {"grains": 50000, "speed": 0.1}),
)


def make(program, name, scene, settings, folder):
    """The problem of the first step, as folder/name.hdf5."""
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        command = [str(program), "run", str(HERE / f"{scene}.lua"), *words, "--steps", "1", "--quiet", "-o",
                   f"{scratch}/run.h5", "--dump-problems", scratch, "--dump-from", "1", "--dump-to", "1"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        made = pathlib.Path(scratch) / "step-00000001.hdf5"
        # a step that misses its tolerance leaves a problem all the same
        if not made.exists():
            sys.exit(f"{' '.join(command)}: no problem came of it\n{done.stderr}{done.stdout}")
        shutil.move(made, folder / f"{name}.hdf5")


def row_of(facts, name, scene, settings, path):
    answer = subprocess.run([str(facts), str(path)], capture_output=True, text=True, check=True).stdout.split()
    dim, contacts, blocks, rank, asymmetry, least, most, digest = answer
    friction = least if least == most else f"{least}–{most}"
    words = ", ".join(f"{key} {value}" for key, value in settings.items())
    rank = "" if rank == "-" else f"{rank} of {int(dim) * int(contacts)}"
    return f"| {name} | `{scene}.lua`: {words} | {dim} | {contacts} | {blocks} | {rank} | {asymmetry} | {friction} | " \
           f"`{digest}` |"


def write_page(rows):
    """Puts the rows into the page's table, in the order above."""
    text = PAGE.read_text()
    before, rest = text.split(BEGIN)
    old, after = rest.split(END)
    kept = {name: line for line, name in re.findall(r"^(\| (\S+) \|.*)$", old, re.M)} | rows
    head = "| problem | scene and parameters | dim | contacts | blocks of W | rank | asymmetry | µ | hash |\n"
    head += "|---" * 9 + "|\n"
    body = "".join(kept[name] + "\n" for name, *_ in PROBLEMS if name in kept)
    PAGE.write_text(before + BEGIN + "\n\n" + head + body + "\n" + END + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    parser.add_argument("-o", dest="folder", default=None, type=pathlib.Path, help="folder (BUILD/problems)")
    parser.add_argument("--sizes", nargs="+", default=["small", "medium"], choices=["small", "medium", "large"])
    parser.add_argument("--only", default="*", help="pattern of names")
    parser.add_argument("--page", action="store_true", help="rewrite the table in docs/benchmarks/problems.md")
    options = parser.parse_args()
    folder = options.folder or options.build / "problems"
    folder.mkdir(parents=True, exist_ok=True)
    rows = {}
    for name, scene, size, settings in PROBLEMS:
        if size not in options.sizes or not fnmatch.fnmatchcase(name, options.only):
            continue
        make(options.build / "moreau", name, scene, settings, folder)
        rows[name] = row_of(options.build / "bench" / "problem_facts", name, scene, settings, folder / f"{name}.hdf5")
        print(rows[name], flush=True)
    if options.page:
        write_page(rows)


if __name__ == "__main__":
    main()
