#!/usr/bin/env python3
"""Compares this library's solvers with Siconos's on a folder of FCLIB problems, in one run on one machine.

Every configuration solves every problem from zero at every tolerance, on one thread, in a worker process
(worker.h) that is ended at its limit of processor time and started again.  Both residuals of everybody are
recomputed by this library from the impulses handed back.  A result counts when residual_fclib <= tol and
residual <= 10 tol; a configuration that stops short of that is asked for a tenth and a hundredth of the
tolerance before it is given up.  Rows go to a CSV file as they come, and what it has is not done again.

The limit of a solve is --limit, or 100 times the fastest that counted so far where that is less (but at least
--least): beyond that it is out of the profiles anyway.  A configuration that ran out of time at one tolerance
is not tried at a tighter one with about the same limit.
"""
import argparse
import csv
import datetime
import fnmatch
import json
import os
import pathlib
import platform
import select
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAMS = ("moreau", "siconos")
FIELDS = ("problem", "dim", "contacts", "program", "solver", "tol", "asked", "seconds", "residual", "residual_fclib",
          "iterations", "runs", "solved", "status", "story")
ASKED = (1.0, 0.1, 0.01)  # of the tolerance
CUT = 100.0  # times the fastest


class Worker:
    """A worker process with one problem; started when first asked, and again after it was ended."""

    def __init__(self, program, path):
        self.program = program
        self.command = [*program, str(path)]
        self.process = None
        self.dim = self.contacts = 0

    def start(self):
        environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, env=environment, text=True, bufsize=1)
        line = self.read(120) or ""
        if not line.startswith("problem "):
            self.stop()
            raise RuntimeError(f"{self.command[-1]}: {line.strip() or 'the worker ended'}")
        self.dim, self.contacts = (int(word) for word in line.split()[1:3])

    def read(self, seconds):
        """A line, or None when the worker ended or kept silent."""
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        return (self.process.stdout.readline() or None) if ready else None

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
            self.process = None

    def ask(self, name, tol, asked, limit, budget):
        """A row's numbers, with a status."""
        if self.process is None:
            self.start()
        try:
            self.process.stdin.write(f"{name} {tol:g} {asked:g} {limit:g} {budget:g}\n")
            line = self.read(60 + 20 * limit + 20 * budget)
        except BrokenPipeError:
            line = None
        if line is None:
            code = self.process.poll() if self.process.stdout.closed else self.ended()
            self.stop()
            return {"asked": asked, "seconds": limit, "status": "time" if code in (None, -27) else f"crash {code}"}
        words = line.rstrip("\n").split(" ", 5)
        row = {"asked": asked, "seconds": float(words[0]), "residual": float(words[1]),
               "residual_fclib": float(words[2]), "iterations": int(words[3]), "runs": int(words[4]),
               "story": words[5] if len(words) > 5 else ""}
        counts = row["residual_fclib"] <= tol and row["residual"] <= 10 * tol
        row["status"] = "solved" if counts else "refused" if row["runs"] == 0 else "missed"
        return row

    def ended(self):
        try:
            return self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return None


class Results:
    """The CSV file: read at the start, added to as rows come."""

    def __init__(self, path, forget):
        """forget: (pattern of problems, program) whose rows are to be measured again, or None."""
        self.path = path
        self.rows = {}
        if path.exists():
            with path.open(newline="") as file:
                for row in csv.DictReader(file):
                    if not (forget and row["program"] == forget[1]
                            and fnmatch.fnmatchcase(row["problem"], forget[0])):
                        self.rows[self.key(row)] = row
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", newline="") as file:
            lines = csv.writer(file, lineterminator="\n")
            lines.writerow(FIELDS)
            lines.writerows([row.get(field, "") for field in FIELDS] for row in self.rows.values())

    @staticmethod
    def key(row):
        return row["problem"], row["program"], row["solver"], f"{float(row['tol']):g}"

    def append(self, values):
        with self.path.open("a", newline="") as file:
            csv.writer(file, lineterminator="\n").writerow(values)

    def add(self, row):
        row["solved"] = int(row["status"] == "solved")
        row["tol"] = f"{row['tol']:g}"
        for field in ("asked", "seconds", "residual", "residual_fclib"):
            row[field] = f"{row[field]:.4g}" if field in row else ""
        self.rows[self.key(row)] = row
        self.append([row.get(field, "") for field in FIELDS])

    def fastest(self, problem, tol):
        times = [float(row["seconds"]) for row in self.rows.values()
                 if row["problem"] == problem and float(row["tol"]) == tol and int(row["solved"])]
        return min(times, default=None)


def configurations(program, dim):
    answer = subprocess.run([*program, "--list", str(dim)], capture_output=True, text=True, check=True)
    return answer.stdout.split()


def attempt(worker, name, tol, limit, budget):
    """Asked for the tolerance and, where it stops short, for less."""
    best = None
    for factor in ASKED:
        row = worker.ask(name, tol, factor * tol, limit, budget)
        if best is None or row["status"] == "solved":
            best = row
        if row["status"] != "missed" or "bench" in worker.program:
            break
    return best


def compare(problem, workers, results, options):
    """All configurations at all tolerances on one problem."""
    name = problem.stem
    for program, worker in workers.items():
        worker.start()
        for solver in configurations(worker.program, worker.dim):
            spent = 0.0  # limit that was too short at a looser tolerance
            if not any(fnmatch.fnmatchcase(solver, pattern) for pattern in options.solver):
                continue
            for tol in sorted(options.tol, reverse=True):
                row = {"problem": name, "dim": worker.dim, "contacts": worker.contacts, "program": program,
                       "solver": solver, "tol": tol}
                had = results.rows.get(Results.key(row))
                if had is not None:
                    spent = float(had["seconds"]) if had["status"] == "time" else 0.0
                    continue
                fastest = results.fastest(name, tol)
                limit = min(options.limit, max(options.least, CUT * fastest)) if fastest else options.limit
                if 0 < limit <= 2 * spent:
                    row.update(asked=tol, seconds=spent, status="time")
                else:
                    row.update(attempt(worker, solver, tol, limit, options.budget))
                    spent = limit if row["status"] == "time" else 0.0
                results.add(row)
        worker.stop()


def machine(path, limit):
    """What a reader needs to place the times; path: what was said of earlier rows."""
    limits = set(json.loads(path.read_text()).get("limits", []) if path.exists() else []) | {limit}
    model = platform.processor()
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if os.path.exists("/proc/cpuinfo") else []:
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "libsiconos-numerics7"], capture_output=True,
                             text=True, check=False).stdout if os.path.exists("/usr/bin/dpkg-query") else ""
    commit = subprocess.run(["git", "-C", str(ROOT), "describe", "--always"], capture_output=True,
                            text=True, check=False).stdout.strip()
    # what is measured is not what is written down about it
    changed = ["git", "-C", str(ROOT), "diff", "--quiet", "HEAD", "--", ".", ":!bench/results", ":!docs"]
    if commit and subprocess.run(changed, check=False).returncode != 0:
        commit += "-dirty"
    load = round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else 0
    return {"date": datetime.date.today().isoformat(), "processor": model, "cores": os.cpu_count(),
            "system": platform.system(), "siconos": version, "commit": commit, "limits": sorted(limits),
            "load": load}


def arguments():
    places = os.environ.get("MOREAU_FCLIB") or str(ROOT.parent / "shared" / "fclib")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", default=places, help="folder of *.hdf5 files (MOREAU_FCLIB)")
    parser.add_argument("--build", default=str(ROOT / "build"), help="build folder with the workers")
    parser.add_argument("--results", default=None, help="CSV file (bench/results/solvers.csv)")
    parser.add_argument("--only", default="*", help="pattern of problem names")
    parser.add_argument("--solver", nargs="+", default=["*"], help="patterns of configurations")
    parser.add_argument("--tol", type=float, nargs="+", default=[1e-4, 1e-8, 1e-12])
    parser.add_argument("--limit", type=float, default=20.0, help="seconds of processor time of one solve")
    parser.add_argument("--least", type=float, default=0.2, help="seconds that every solve gets")
    parser.add_argument("--budget", type=float, default=0.1, help="seconds of repetitions for a median")
    parser.add_argument("--again", choices=PROGRAMS, help="measure this program's rows again")
    parser.add_argument("--contacts", type=int, default=10**9, help="most contacts")
    parser.add_argument("--quick", action="store_true", help="small problems at 1e-4 and 1e-8, in a minute or two")
    options = parser.parse_args()
    if options.quick:
        options.tol, options.limit, options.budget, options.least = [1e-4, 1e-8], 1.0, 0.02, 0.05
        options.contacts = min(options.contacts, 60)
    name = "solvers-quick.csv" if options.quick else "solvers.csv"
    options.results = pathlib.Path(options.results or ROOT / "bench" / "results" / name)
    return options


def size_of(workers, problem):
    worker = Worker(next(iter(workers.values())), problem)
    worker.start()
    worker.stop()
    return worker.contacts


def main():
    options = arguments()
    build = pathlib.Path(options.build)
    programs = {"moreau": [str(build / "moreau"), "bench", "worker"],
                "siconos": [str(build / "bench" / "peers" / "solvers_siconos")]}
    programs = {name: command for name, command in programs.items() if os.path.exists(command[0])}
    if "moreau" not in programs:
        sys.exit(f"{options.build}/moreau: not there; build it with `make bench-solvers`")
    if "siconos" not in programs:
        print("Siconos is not there to compare with; bench/solvers/reference.sh says how to get it", file=sys.stderr)
    problems = sorted(path for path in pathlib.Path(options.problems).glob("*.hdf5")
                      if fnmatch.fnmatchcase(path.stem, options.only))
    if not problems:
        sys.exit(f"{options.problems}: no problems there")
    about = options.results.with_suffix(".json")
    results = Results(options.results, (options.only, options.again) if options.again else None)
    sized = sorted((size_of(programs, path), path) for path in problems)
    for contacts, path in sized:
        if contacts > options.contacts:
            continue
        print(f"{path.stem} ({contacts} contacts)", flush=True)
        compare(path, {name: Worker(program, path) for name, program in programs.items()}, results, options)
        about.write_text(json.dumps(machine(about, options.limit), indent=1) + "\n")


if __name__ == "__main__":
    main()
