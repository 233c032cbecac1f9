#!/usr/bin/env python3
"""Installs a finished build into a temporary prefix and uses it from outside.

The C program and the scene shown in README.md are taken from there, so what the README says is what is tested:
the C block is compiled with pkg-config (by the very line that the README gives) and with find_package(moreau),
the Lua block is run by the installed program.  A second pkg-config build after moving the prefix shows that nothing
in it is tied to the place it was installed to.
"""
import argparse
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CONSUMER = """cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES C)
find_package(moreau @VERSION@ REQUIRED)
add_executable(drop drop.c)
target_link_libraries(drop PRIVATE moreau::moreau)
"""


def run(command, **options):
    """Runs a command, returns its standard output; a failure ends the test with everything it said."""
    shown = command if isinstance(command, str) else " ".join(map(str, command))
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{shown}\nended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def blocks(readme, language, count):
    """The fenced blocks of README.md in a language, as many as expected."""
    found = re.findall(rf"^```{language}\n(.*?)^```$", readme, re.S | re.M)
    if len(found) != count:
        sys.exit(f"README.md: expected {count} blocks ```{language}, found {len(found)}")
    return found


def expect_rest(output, who):
    """Both programs print the height of the block's centre last; on the ground it is half the block's height, 0.05 m.

    Contact is decided at mid-steps, a step h = 1e-3 s apart, so the block that arrives at v = sqrt(2 g 0.45 m) may sink
    in by h v < 3e-3 m and, unprojected, stays there; above the ground it stays by no more than the contact tolerance.
    """
    number = float(output.split()[-1])
    if not -3e-3 < number - 0.05 < 1e-7:
        sys.exit(f"{who}: the block's centre is at {number} m, expected to rest at 0.05 m\n{output}")


def with_pkg_config(prefix, work, readme, cc):
    command = re.findall(r"^(cc .*pkg-config.*)$", readme, re.M)
    if len(command) != 1:
        sys.exit(f"README.md: expected one line with the compile command, found {command}")
    pc = next(prefix.rglob("moreau.pc")).parent
    env = dict(os.environ, PKG_CONFIG_PATH=str(pc), LD_LIBRARY_PATH=str(pc.parent))
    output = run(re.sub(r"^cc", cc, command[0]), shell=True, cwd=work, env=env)
    expect_rest(output, "pkg-config program")


def with_find_package(prefix, work, version, cmake, cc):
    source, build = work / "consumer", work / "consumer-build"
    source.mkdir()
    shutil.copy(work / "drop.c", source)
    (source / "CMakeLists.txt").write_text(CONSUMER.replace("@VERSION@", version))
    run([cmake, "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_C_COMPILER={cc}"])
    run([cmake, "--build", build])
    expect_rest(run([build / "drop"]), "find_package program")


def with_program(prefix, work, readme, version):
    program = prefix / "bin" / "moreau"
    said = run([program, "--version"])
    if version not in said:
        sys.exit(f"moreau --version says {said!r}, expected {version}")
    drop, stack, tractrix = blocks(readme, "lua", 3)
    (work / "drop.lua").write_text(drop)
    run([program, "run", "drop.lua", "--quiet", "-o", "drop.h5"], cwd=work)
    table = run([program, "export", "drop.h5", "--to", "csv", "--what", "bodies", "-o", "-"], cwd=work)
    lines = [line.split(",") for line in table.split()]
    height = lines[0].index("y")
    expect_rest(lines[-1][height], "scene")
    # at rest to the tolerance of the solver
    (work / "stack.lua").write_text(stack)
    run([program, "equilibrium", "stack.lua"], cwd=work)
    stands = json.loads(run([program, "run", "stack.lua", "--quiet", "--json"], cwd=work).splitlines()[-1])
    if stands["energy"]["kinetic"] > 1e-12 or stands["solver"]["unconverged_steps"] != 0:
        sys.exit(f"the stack of README does not stand: {stands}")
    # the point dragged by the disc ends on a tractrix; the method is of first order in h = 0.01
    (work / "sweep.lua").write_text(tractrix)
    end = json.loads(run([program, "run", "sweep.lua", "--quiet", "--json"], cwd=work).splitlines()[-1])["q"]
    theta = 2 * math.atan(math.exp(-3))
    miss = math.hypot(end[0] - 3 + math.cos(theta), end[1] - math.sin(theta))
    if not miss < 0.01:
        sys.exit(f"sweep: the point ends at {end}, {miss} from the tractrix")


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "build", "cmake", "cc"):
        parser.add_argument("--" + name, required=True)
    args = parser.parse_args()
    source = pathlib.Path(args.source)
    readme = (source / "README.md").read_text()
    header = (source / "include/moreau/base.h").read_text()
    version = re.search(r'MO_VERSION "([0-9.]+)"', header).group(1)

    with tempfile.TemporaryDirectory(prefix="moreau-install-") as folder:
        work = pathlib.Path(folder)
        prefix = work / "first"
        run([args.cmake, "--install", args.build, "--prefix", prefix])
        (work / "drop.c").write_text(blocks(readme, "c", 1)[0])
        with_pkg_config(prefix, work, readme, args.cc)
        with_find_package(prefix, work, version, args.cmake, args.cc)
        with_program(prefix, work, readme, version)
        prefix = prefix.rename(work / "second")
        with_pkg_config(prefix, work, readme, args.cc)


if __name__ == "__main__":
    main()
