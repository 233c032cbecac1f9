#!/usr/bin/env python3
"""Checks that the documentation leads somewhere.

Every relative link and image in README.md, CONTRIBUTING.md, CHANGELOG.md and docs/**/*.md names an existing file or
folder, and an anchor a heading of that page; every page of docs/ named in a source file exists; every page of docs/ can be
reached from docs/README.md.  Links to other hosts are not followed.  Files of src/ that comments of it name, as in
math/vec.h, exist, and so do the names mo_* that pages and public headers speak of.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ("include", "src", "app", "tests", "bench", "examples", "cmake")


def pages():
    top = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    return [path for path in top if path.exists()] + sorted((ROOT / "docs").rglob("*.md"))


def prose(path):
    """The page's text without code, which may look like links."""
    text = re.sub(r"^(```|~~~).*?^\1[ \t]*$", "", path.read_text(), flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(path):
    """Anchors of a page's headings, made as Git hosts make them."""
    text = re.sub(r"^(```|~~~).*?^\1[ \t]*$", "", path.read_text(), flags=re.S | re.M)
    found = set()
    for title in re.findall(r"^#+\s+(.*?)\s*#*$", text, re.M):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        base = slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        count = 0
        while slug in found:
            count += 1
            slug = f"{base}-{count}"
        found.add(slug)
    return found


def links(path):
    """Targets of [text](target), ![alt](target) and [label]: target."""
    text = prose(path)
    inline = re.findall(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)", text)
    return inline + re.findall(r"^\[[^\]]+\]:\s+<?(\S+?)>?\s*$", text, re.M)


def check_page(path, reached):
    """Complaints about one page; adds the pages it links to `reached`."""
    for target in links(path):
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            continue
        name, _, anchor = target.partition("#")
        goal = (path.parent / name).resolve() if name else path
        where = path.relative_to(ROOT)
        if not goal.exists():
            yield f"{where}: {target}: no such file"
        elif ROOT not in goal.parents and goal != ROOT:
            yield f"{where}: {target}: leads out of the repository"
        else:
            reached.setdefault(path, set()).add(goal)
            if anchor and (goal.suffix != ".md" or anchor not in anchors(goal)):
                yield f"{where}: {target}: no such heading"


def check_mentions():
    """Pages named in sources, as in `docs/format.md`."""
    files = [p for folder in SOURCES for p in (ROOT / folder).rglob("*") if p.is_file()]
    for path in sorted(files) + [ROOT / "CMakeLists.txt"]:
        if path.suffix not in (".c", ".h", ".lua", ".py", ".cmake", ".txt"):
            continue
        for name in re.findall(r"\bdocs/[\w/.-]+\.md\b", path.read_text(errors="replace")):
            if not (ROOT / name).exists():
                yield f"{path.relative_to(ROOT)}: {name}: no such page"


COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


def check_files():
    """Files of src/ named in comments of it."""
    folders = "|".join(p.name for p in (ROOT / "src").iterdir() if p.is_dir())
    for path in sorted((ROOT / "src").rglob("*.[ch]")):
        for comment in COMMENT.findall(path.read_text()):
            for name in re.findall(rf"\b(?:{folders})/\w+\.[ch]\b", comment):
                if not (ROOT / "src" / name).exists():
                    yield f"{path.relative_to(ROOT)}: {name}: no such file"


def check_names():
    """Names mo_* that pages, or comments of public headers, speak of and no public header declares."""
    headers = {path: path.read_text() for path in (ROOT / "include").rglob("*.h")}
    known = {name for text in headers.values() for name in re.findall(r"\bmo_\w+", COMMENT.sub("", text))}
    told = {path: " ".join(COMMENT.findall(text)) for path, text in headers.items()}
    told.update((path, path.read_text()) for path in pages())
    for path, text in sorted(told.items()):
        for name in sorted(set(re.findall(r"\bmo_\w*[a-z0-9]\b(?![*_])", text)) - known):
            yield f"{path.relative_to(ROOT)}: {name}: no such name"


def check_reachable(reached):
    """Pages of docs/ that no chain of links from docs/README.md leads to (a linked folder stands for its pages)."""
    start = ROOT / "docs" / "README.md"
    seen, queue = set(), [start]
    while queue:
        page = queue.pop()
        if page in seen:
            continue
        seen.add(page)
        queue += sorted(page.glob("*.md")) if page.is_dir() else reached.get(page, ())
    for path in sorted((ROOT / "docs").rglob("*.md")):
        if path not in seen:
            yield f"{path.relative_to(ROOT)}: cannot be reached from docs/README.md"


def main():
    reached = {}
    found = [line for path in pages() for line in check_page(path, reached)]
    found += [*check_mentions(), *check_files(), *check_names(), *check_reachable(reached)]
    print("\n".join(found) if found else f"{len(pages())} pages in order")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
