#!/usr/bin/env python3
"""Checks the tree's layering: check_layers.py ROOT [--cc CC --cxx CXX]

The order of the folders and the folders that may use a library are read from ROOT/CMakeLists.txt, their only home.
Rules (docs/decisions/0001-tree.md):
 - "folder/file.h" in src/ names an existing file of the same folder or of one earlier in the order;
 - a library's headers appear only in the folders that CMakeLists.txt gives it to (and those named in APP, in app/);
 - public headers include only the C library and <moreau/...>, moreau.h includes all of them, and each compiles alone
   as C and as C++ (where compilers are given).
"""
import argparse
import pathlib
import re
import subprocess
import sys

# how to recognise a library by the names of its headers
LIBRARIES = {
    "HDF5": r"(hdf5|H5\w*)\.h",
    "CAIRO": r"(cairo/)?cairo[\w-]*\.h",
    "LUA": r"(lua[\w.]*/)?(lua|lauxlib|lualib|luaconf)\.h",
    "JANSSON": r"jansson\.h",
    "XXHASH": r"xxhash\.h|xxh3\.h",
    "QHULL": r"(libqhull(_r)?/)?(\w+_r|libqhull|qhull_ra?)\.h",
    "ZLIB": r"(zlib|zconf)\.h",
}
# what app/ may use besides the library
APP = {"JANSSON"}
LIBC = set("""assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
    stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype""".split())


def read_order(cmake):
    """The ordered folders, as CMakeLists.txt has them."""
    found = re.search(r"set\(MOREAU_LAYERS\s+([^)]*)\)", cmake)
    if not found:
        sys.exit("CMakeLists.txt: no set(MOREAU_LAYERS ...)")
    return found.group(1).split()


def read_users(cmake):
    """library -> folders that may include its headers, from the "folder;LIBRARY" pairs of CMakeLists.txt."""
    users = {name: set() for name in LIBRARIES}
    for folder, name in re.findall(r'"(\w+);(\w+)"', cmake):
        if name not in users:
            sys.exit(f"CMakeLists.txt: no known headers for library {name}; add it to LIBRARIES")
        users[name].add(folder)
    if not all(users.values()):
        sys.exit(f"CMakeLists.txt: libraries without a folder: {[n for n in users if not users[n]]}")
    return users


def includes(path):
    """(line number, kind '"' or '<', name) of every include; comments hide none, so a commented one counts too."""
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        found = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
        if found:
            yield number, found.group(1), found.group(2)


def c_files(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in (".c", ".h"))


def check_libraries(name, folder, allowed):
    """None, or why this header may not be included in this folder."""
    for library, pattern in LIBRARIES.items():
        if re.fullmatch(pattern, name) and library not in allowed:
            return f"<{name}> ({library}) is not for {folder}"
    return None


def check_folder(root, folder, order, users):
    """Complaints about one folder of src/."""
    allowed = {library for library, folders in users.items() if folder in folders}
    for path in c_files(root / "src" / folder):
        for line, kind, name in includes(path):
            where = f"{path.relative_to(root)}:{line}"
            target = name.split("/")[0]
            if kind == "<":
                reason = check_libraries(name, folder, allowed)
                if reason:
                    yield f"{where}: {reason}"
                if name.startswith("moreau/") and not (root / "include" / name).is_file():
                    yield f"{where}: <{name}> is not a public header"
            elif "/" not in name or target not in order:
                yield f'{where}: "{name}" should be "folder/file.h" with a folder of the list'
            elif order.index(target) > order.index(folder):
                yield f'{where}: "{name}": {target} comes after {folder} in the order'
            elif not (root / "src" / name).is_file():
                yield f'{where}: "{name}" does not exist'


def check_sources(root, order, users):
    for path in sorted((root / "src").iterdir()):
        if path.is_dir() and path.name not in order and c_files(path):
            yield f"src/{path.name}: not in MOREAU_LAYERS"
    for folder in order:
        if (root / "src" / folder).is_dir():
            yield from check_folder(root, folder, order, users)


def check_app(root):
    for path in c_files(root / "app") if (root / "app").is_dir() else []:
        for line, kind, name in includes(path):
            reason = check_libraries(name, "app", APP) if kind == "<" else None
            if reason:
                yield f"{path.relative_to(root)}:{line}: {reason}"


def check_public(root):
    public = sorted((root / "include/moreau").glob("*.h"))
    if not public:
        yield "include/moreau: no headers"
    for path in public:
        for line, kind, name in includes(path):
            ok = name.startswith("moreau/") or (name.endswith(".h") and name[:-2] in LIBC)
            if kind != "<" or not ok:
                yield f"{path.relative_to(root)}:{line}: {name}: public headers need libc and <moreau/...> only"
    whole = {name for _, _, name in includes(root / "include/moreau/moreau.h")}
    for path in public:
        if path.name != "moreau.h" and f"moreau/{path.name}" not in whole:
            yield f"include/moreau/moreau.h: does not include <moreau/{path.name}>"


def check_alone(root, compiler, flags):
    """Each public header as the only include of a file."""
    for path in sorted((root / "include/moreau").glob("*.h")):
        text = f"#include <moreau/{path.name}>\n"
        command = [compiler, *flags, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "-I",
                   str(root / "include"), "-"]
        done = subprocess.run(command, input=text, capture_output=True, text=True)
        if done.returncode != 0:
            yield f"include/moreau/{path.name}: does not compile alone ({' '.join(flags)}):\n{done.stderr}"


def check(root, cc=None, cxx=None):
    """All complaints about a tree."""
    cmake = (root / "CMakeLists.txt").read_text()
    order, users = read_order(cmake), read_users(cmake)
    found = [*check_sources(root, order, users), *check_app(root), *check_public(root)]
    if cc:
        found += check_alone(root, cc, ["-x", "c", "-std=c17"])
    if cxx:
        found += check_alone(root, cxx, ["-x", "c++", "-std=c++11"])
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--cc")
    parser.add_argument("--cxx")
    args = parser.parse_args()
    found = check(args.root, args.cc, args.cxx)
    print("\n".join(found) if found else "the tree is in order")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
