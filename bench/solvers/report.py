#!/usr/bin/env python3
"""Writes docs/benchmarks/solvers.md and its pictures from the rows of compare.py.

Performance profiles (Dolan & Moré, Mathematical Programming 91 (2002) 201-213): for each solver the share of the
problems that it solves in at most x times the time of the fastest of all.
"""
import argparse
import csv
import json
import math
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MOST_RATIO = 100.0
SHORTEST = 20e-6  # s: reference times below that count as it, calls and checks decide there
BEST_SHOWN = 6  # of the reference's configurations in a picture
MANY = 20  # contacts: below, a solve is a few microseconds


class Table:
    """Rows by (problem, tolerance), with what the page asks of them."""

    def __init__(self, path):
        self.times = {}  # (tol, problem) -> {(program, solver): seconds of those that counted}
        self.rows = {}  # (tol, problem, program, solver) -> row
        self.problems = {}  # problem -> (dim, contacts)
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                self.take(row)
        self.tolerances = sorted({tol for tol, _ in self.times}, reverse=True)

    def take(self, row):
        tol, problem, solver = float(row["tol"]), row["problem"], (row["program"], row["solver"])
        self.problems[problem] = int(row["dim"]), int(row["contacts"])
        self.rows[(tol, problem, *solver)] = row
        times = self.times.setdefault((tol, problem), {})
        if int(row["solved"]):
            times[solver] = float(row["seconds"])

    def ordered(self):
        """Problems, 2D first, by contacts."""
        return sorted(self.problems, key=lambda problem: (*self.problems[problem], problem))

    def solvers(self, program, dim=None):
        names = []
        for tol, problem, owner, name in self.rows:
            if owner == program and name not in names and dim in (None, self.problems[problem][0]):
                names.append(name)
        return names

    def fastest(self, tol, problem, program):
        """(seconds, name) of the fastest that counted, or None."""
        found = [(seconds, name) for (owner, name), seconds in self.times.get((tol, problem), {}).items()
                 if owner == program]
        return min(found, default=None)

    def auto(self, tol, problem):
        return self.times.get((tol, problem), {}).get(("moreau", "auto"))


# ---- texts ------------------------------------------------------------------------------------------------


def time_text(seconds):
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= 0.9995 * scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{1e6 * seconds:.2g} µs"


def number(value):
    return f"{float(value):.1e}" if value not in ("", None) else "–"


def power(tol):
    return f"1e{round(math.log10(tol))}"


def ratio_text(ratio):
    return f"{ratio:.2g}" if ratio < 100 else f"{ratio:.0f}"


def share(count, total):
    return f"{count} of {total}"


# ---- profiles ---------------------------------------------------------------------------------------------


def profile(table, tol, problems, seconds_of):
    """Ratios to the fastest of all, of the problems that were solved, rising."""
    ratios = []
    for problem in problems:
        seconds, times = seconds_of(problem), table.times.get((tol, problem), {})
        if seconds is not None:
            ratios.append(seconds / min(times.values()))
    return sorted(ratios)


def steps(ratios, total):
    """The profile as a broken line from x = 1 to the end of the axis."""
    x, y, share_now = [1.0], [sum(ratio <= 1.0 for ratio in ratios) / total], None
    for ratio in ratios:
        if 1.0 < ratio <= MOST_RATIO:
            share_now = sum(other <= ratio for other in ratios) / total
            x += [ratio, ratio]
            y += [y[-1], share_now]
    return x + [MOST_RATIO], y + [y[-1]]


def area(ratios):
    """What a curve lies above, on the logarithmic axis: larger is better."""
    return sum(max(0.0, 1 - math.log(ratio) / math.log(MOST_RATIO)) for ratio in ratios)


def curve(name, ratios, total, style):
    x, y = steps(ratios, total)
    return {"name": name, "x": x, "y": y, "style": style}


def own_curves(table, tol, problems):
    for name in table.solvers("moreau"):
        ratios = profile(table, tol, problems, lambda p, n=name: table.times.get((tol, p), {}).get(("moreau", n)))
        yield curve(name, ratios, len(problems), "line")


def best_references(table, tol, problems):
    """The reference's configurations that do best on these problems, with their ratios."""
    found = []
    for name in table.solvers("siconos"):
        ratios = profile(table, tol, problems, lambda p, n=name: table.times.get((tol, p), {}).get(("siconos", n)))
        found.append((area(ratios), name, ratios))
    return [(name, ratios) for value, name, ratios in sorted(found, reverse=True)[:BEST_SHOWN] if value > 0]


def virtual_best(table, tol, problems):
    def seconds_of(problem):
        found = table.fastest(tol, problem, "siconos")
        return found[0] if found else None
    return curve("Siconos, the fastest for each problem", profile(table, tol, problems, seconds_of), len(problems),
                 "dashed")


def panel(title, curves):
    return {"title": title, "x": {"label": "time / time of the fastest", "log": True, "down": False},
            "y": {"label": "share of the problems solved", "log": False, "down": False}, "equal": False,
            "curves": curves}


def plots(table, tol):
    everything = table.ordered()
    solid = [problem for problem in everything if table.problems[problem][0] == 3]
    large = [problem for problem in everything if table.problems[problem][1] >= MANY]
    shown = [(f"all {len(everything)} problems, tolerance {power(tol)}", everything, False),
             (f"{len(large)} problems with {MANY} contacts or more, tolerance {power(tol)}", large, False),
             (f"{len(solid)} problems in three dimensions, tolerance {power(tol)}", solid, True)]
    panels = []
    for title, problems, each in shown:
        if not problems:
            continue
        curves = list(own_curves(table, tol, problems))
        if each:
            curves += [curve(f"Siconos {name}", ratios, len(problems), "dashed")
                       for name, ratios in best_references(table, tol, problems)]
        else:
            curves.append(virtual_best(table, tol, problems))
        panels.append(panel(title, curves))
    return panels


def draw(program, text, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([str(program), str(path)], input=text, text=True, check=True)


# ---- the page ---------------------------------------------------------------------------------------------


def summary(table, tol):
    """Counts and means of auto against the fastest reference."""
    solved = sum(table.auto(tol, problem) is not None for problem in table.problems)
    theirs = {problem: table.fastest(tol, problem, "siconos") for problem in table.problems}
    both = {problem: table.auto(tol, problem) / max(theirs[problem][0], SHORTEST) for problem in table.problems
            if theirs[problem] and table.auto(tol, problem)}
    large = {problem: ratio for problem, ratio in both.items() if table.problems[problem][1] >= MANY}
    mean = math.exp(sum(math.log(ratio) for ratio in large.values()) / len(large)) if large else math.nan
    worst = max(both.items(), key=lambda item: item[1], default=None)
    worst_large = max(large.items(), key=lambda item: item[1], default=None)
    alone = sum(theirs[problem] is None and table.auto(tol, problem) is not None for problem in table.problems)
    return {"solved": solved, "theirs": sum(found is not None for found in theirs.values()),
            "wins": sum(ratio < 1 for ratio in both.values()) + alone, "alone": alone, "mean": mean,
            "large": len(large), "large_wins": sum(ratio < 1 for ratio in large.values()), "worst": worst,
            "worst_large": worst_large}


def summary_lines(table):
    total = len(table.problems)
    yield "| tolerance | solved by `auto` | solved by any reference | `auto` faster | of these, no reference got there | " \
          f"faster from {MANY} contacts | time `auto` / reference, geometric mean of these | worst | worst from {MANY} contacts |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for tol in table.tolerances:
        s = summary(table, tol)
        worst, large = ("–" if item is None else f"{ratio_text(item[1])} ({item[0]})"
                        for item in (s["worst"], s["worst_large"]))
        yield f"| {power(tol)} | {share(s['solved'], total)} | {share(s['theirs'], total)} | " \
              f"{share(s['wins'], total)} | {s['alone']} | {share(s['large_wins'], s['large'])} | {s['mean']:.2f} | {worst} | {large} |"


def problem_lines(table, tol):
    yield "| problem | dim | contacts | fastest reference | its time | residuals | `auto` | residuals | ratio | " \
          "fastest of ours |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for problem in table.ordered():
        dim, contacts = table.problems[problem]
        theirs, ours = table.fastest(tol, problem, "siconos"), table.auto(tol, problem)
        best = table.fastest(tol, problem, "moreau")
        row = table.rows.get((tol, problem, "siconos", theirs[1])) if theirs else None
        own = table.rows.get((tol, problem, "moreau", "auto"))
        reference = [f"`{theirs[1]}`", time_text(theirs[0]), residuals(row)] if theirs else ["none", "–", "–"]
        auto = [time_text(ours) if ours else "not solved", residuals(own)]
        ratio = ratio_text(ours / theirs[0]) if ours and theirs else "–"
        fastest = f"{best[1]} {time_text(best[0])}" if best else "–"
        yield f"| {problem} | {dim} | {contacts} | " + " | ".join(reference + auto + [ratio, fastest]) + " |"


def residuals(row):
    return f"{number(row['residual'])}, {number(row['residual_fclib'])}" if row else "–"


def solver_lines(table):
    """Every configuration: problems solved, and how often it was the fastest of all."""
    head = " | ".join(f"{power(tol)}: solved, fastest" for tol in table.tolerances)
    yield f"| program | solver | dim | {head} |"
    yield "|---|---|---|" + "---|" * len(table.tolerances)
    for program in ("moreau", "siconos"):
        for dim in (2, 3):
            problems = [problem for problem in table.problems if table.problems[problem][0] == dim]
            for name in table.solvers(program, dim):
                cells = []
                for tol in table.tolerances:
                    times = [table.times.get((tol, problem), {}) for problem in problems]
                    solved = sum((program, name) in entry for entry in times)
                    first = sum(bool(entry) and min(entry, key=entry.get) == (program, name) for entry in times)
                    cells.append(f"{share(solved, len(problems))}, {first}")
                yield f"| {program} | `{name}` | {dim} | " + " | ".join(cells) + " |"


INTRO = """# Solvers of frictional contact problems beside Siconos

Written by `make bench-solvers` (`bench/solvers/compare.py` measures, `bench/solvers/report.py` writes this page from
`bench/results/solvers.csv`); the solvers are described in [solvers.md](../theory/solvers.md), the problems this project makes
itself in [problems.md](problems.md).

**What is measured.** Processor time of one thread from the problem in memory to the answer, from r = 0, median of up to 101
solves (one alone where it takes more than a second). Ours includes checking the input, setting up and the certificate;
Siconos's is its driver alone, called from C, with the matrix made in the storage named (blocks; `/d` full; `/s` compressed columns) before the clock starts.
Both residuals of everybody are recomputed by `mo_problem_certify` from the impulses handed back (in units in which q is of size 1), and a result counts when
residual_fclib ≤ tol and residual ≤ 10 tol. A Siconos configuration that stops short of that is asked again for a tenth and a
hundredth of the tolerance. A solve is ended at {limit} s, or at 100 times the fastest so far where that is less (0.2 s at least).
`auto` itself stops only when both residuals are at or below tol. All configurations of both programs run in the same
session on the same machine.

**What is not shown.** The constants of `auto` were chosen on these same files; problems below {many} contacts take a few microseconds,
of which calls and checks are a good part.

Machine: {processor}, {cores} cores ({system}), load average {load} at the end (all else that ran, too: repeat it on a quiet
machine where it matters); Siconos {siconos}; {date}, version {commit}.
"""


def page(table, about):
    limit = " to ".join(f"{value:g}" for value in sorted({min(about["limits"]), max(about["limits"])}))
    text = INTRO.format(many=MANY, limit=limit, **about)
    text += "\n## Summary\n\n" + "\n".join(summary_lines(table)) + "\n"
    text += "\nRatios below 1: `auto` is faster; reference times below 20 µs are taken as 20 µs here. \"`auto` faster\" counts problems that no reference configuration solved.\n"
    text += "\n## Performance profiles\n\nShare of the problems solved in at most x times the time of the fastest solver " \
            "of all (Dolan & Moré, Mathematical Programming 91 (2002) 201–213). Dashed: Siconos.\n"
    for tol in table.tolerances:
        name = f"profile-{power(tol)}"
        text += f"\n![profiles at {power(tol)}](solvers/{name}.png)\n\n([SVG](solvers/{name}.svg))\n"
    for tol in table.tolerances:
        text += f"\n## Problems at {power(tol)}\n\nResiduals: unit-free, FCLIB's.\n\n" \
                + "\n".join(problem_lines(table, tol)) + "\n"
    text += "\n## Configurations\n\nProblems solved within the limits above, and how often it was the fastest of all.\n\n" \
            + "\n".join(solver_lines(table)) + "\n"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", default=ROOT / "bench" / "results" / "solvers.csv", type=pathlib.Path)
    parser.add_argument("--build", default=ROOT / "build", type=pathlib.Path, help="build folder with solvers_draw")
    parser.add_argument("-o", dest="folder", default=ROOT / "docs" / "benchmarks", type=pathlib.Path)
    parser.add_argument("--text", action="store_true", help="print the summary and the tables, write nothing")
    options = parser.parse_args()
    if not options.results.exists():
        sys.exit(f"{options.results}: not there; compare.py makes it")
    table = Table(options.results)
    if options.text:
        for lines in [summary_lines(table)] + [problem_lines(table, tol) for tol in table.tolerances]:
            print("\n".join(lines) + "\n")
        return
    about = json.loads(options.results.with_suffix(".json").read_text())
    for tol in table.tolerances:
        for kind in ("svg", "png"):
            draw(options.build / "bench" / "solvers_draw", json.dumps(plots(table, tol)),
                 options.folder / "solvers" / f"profile-{power(tol)}.{kind}")
    (options.folder / "solvers.md").write_text(page(table, about))


if __name__ == "__main__":
    main()
