#!/usr/bin/env python3
"""Many seeds of the sandpile and of the biaxial test: docs/figures/statistics.md.

Every finished run is kept as a small file in docs/figures/data, so that a run that was stopped goes on where it was.
"""

import argparse
import json
import math
import os
import sys
import time

from program import ROOT, Program, lua_list

DATA = os.path.join(ROOT, "docs", "figures", "data")
PAGE = os.path.join(ROOT, "docs", "figures", "statistics.md")
SANDPILE = {"scene": "examples/sandpile.lua", "set": {}, "seeds": 20}
BIAXIAL = {"scene": "examples/papers/biaxial.lua", "set": {"strain": 15}, "seeds": 10}
CASES = {"biaxial": BIAXIAL, "sandpile": SANDPILE}
# piles of 1000 grains at these steps, s: what the step does
STEPS = (2e-3, 1e-3, 5e-4, 2.5e-4)
for number, step in enumerate(STEPS):
    CASES[f"steps-sandpile-{number}"] = {**SANDPILE, "set": {"grains": 1000, "h": step}, "seeds": 4}
# and samples of 1024 discs, solved to 1e-5
for number, step in enumerate((1e-4, 5e-5, 2.5e-5)):
    CASES[f"steps-biaxial-{number}"] = {**BIAXIAL, "set": {"h": step, "tol": 1e-5, "solver": "auto"}, "seeds": (6, 8, 6)[number]}
# what half the step and a tenth of the tolerance change: scene, what is set, what is changed, seeds of each
REFINED = {
    "fine-biaxial": ("biaxial", {"h": 1.25e-5, "solver": "auto"}, {"-half": {"h": 6.25e-6}, "-tight": {"tol": 1e-5}}, (8, 8, 4)),
    "fine-sandpile": ("sandpile", {"h": 2.5e-4}, {"-half": {"h": 1.25e-4}, "-tight": {"tol": 5e-5}}, (20, 8, 6)),
    "small-biaxial": ("biaxial", {"side": 14, "strain": 5.25, "tol": 1e-5, "solver": "auto"}, {"-half": {"h": 5e-5}, "-tight": {"tol": 1e-6}}, (8, 8, 8)),
    "small-sandpile": ("sandpile", {"grains": 1000, "h": 1.25e-4}, {"-half": {"h": 6.25e-5}, "-tight": {"tol": 5e-5}}, (8, 8, 8)),
}
for name, (base, settings, variants, seeds) in REFINED.items():
    for (suffix, change), count in zip({"": {}, **variants}.items(), seeds):
        CASES[name + suffix] = {"scene": CASES[base]["scene"], "set": {**settings, **change}, "seeds": count}


INSTANT, WINDOWS = "sliding contacts / all, in an instant", "sliding contacts / all, over 2 ms"


def path_of(case, seed):
    return os.path.join(DATA, f"{case}-{seed}.json")


def rounded(value):
    if isinstance(value, list):
        return [rounded(v) for v in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def few_missed(about):
    """Of a tolerance that is set one step in ten thousand may miss it, by ten times at most: what it is compared with has that everywhere."""
    tol = about["set"].get("tol", 0)
    return lambda r: r["solver"]["unconverged_steps"] <= 1e-4 * r["steps"] and r["solver"]["worst_residual"] <= 10 * tol


def compute(program, case, seed):
    about = CASES[case]
    r = program.run(about["scene"], None, about["set"], seed=seed, missed=few_missed(about))
    kept = {"case": case, "seed": seed, "set": about["set"], "seconds": round(r["wall_seconds"], 1), "steps": r["steps"],
            "missed": r["solver"]["unconverged_steps"], "balance_error": r["energy"]["balance_error"], "work": rounded(r["energy"]["work_external"]),
            "report": {name: rounded(value) for name, value in r["report"].items()}}
    part = path_of(case, seed) + ".part"
    with open(part, "w", encoding="utf-8") as file:
        json.dump(kept, file, separators=(",", ":"))
        file.write("\n")
    os.replace(part, path_of(case, seed))


def results(case):
    found = []
    for seed in range(1, CASES[case]["seeds"] + 1):
        if os.path.exists(path_of(case, seed)):
            with open(path_of(case, seed), encoding="utf-8") as file:
                found.append(json.load(file))
    return found


# ---- numbers -------------------------------------------------------------------------------------------------------


def mean(values):
    return sum(values) / len(values) if values else math.nan


def spread(values):
    """Standard deviation of one of them."""
    m = mean(values)
    return math.sqrt(sum((v - m) ** 2 for v in values) / (len(values) - 1)) if len(values) > 1 else math.nan


def quantities(case, runs):
    """Name and one value for each run."""
    def of(key):
        return [r["report"][key] for r in runs if key in r["report"]]
    whole = [r for r in runs if "pressure" in r["report"]]
    if "biaxial" in case:
        return {"peak σ₁/σ₂": of("peak"), "residual σ₁/σ₂ (last third)": of("residual"), "initial void ratio": of("void_initial"),
                "void ratio at the end": of("void_final"), "friction loss / work in shear": of("friction_over_work"),
                WINDOWS: of("sliding_in_windows"), "their share of the normal impulse": of("impulse_sliding_in_windows"),
                "friction / its limit, over 2 ms": of("friction_mobilised"), INSTANT: of("sliding_between_discs")}
    return {"slope (degrees)": of("slope_degrees"), "thrust across a cut / weight": [thrust(r) for r in whole],
            "held by the sides": of("held_by_the_sides"), "pressure at the centre / ρgφH": [centre(r) for r in whole],
            "coordination": of("coordination")}


def thrust(r):
    return (r["report"]["cut_left"][0] - r["report"]["cut_right"][0]) / (2 * r["report"]["weight"])


def hydrostatic(r):
    """Pressure under the top of the triangle of the same weight and width."""
    return r["report"]["weight"] / r["report"]["half_width"]


def profile(r, bins):
    """Pressure over the hydrostatic one against |x| / half width: means of the two halves, `bins` of them."""
    sums, counts = [0.0] * bins, [0] * bins
    for x, p in zip(r["report"]["pressure_at"], r["report"]["pressure"]):
        k = int(abs(x) / r["report"]["half_width"] * bins)
        if k < bins:
            sums[k] += p / hydrostatic(r)
            counts[k] += 1
    return [s / c if c else math.nan for s, c in zip(sums, counts)]


def centre(r):
    return profile(r, 10)[0]


# ---- the page ------------------------------------------------------------------------------------------------------


def summary(case):
    """Rows: a quantity, its mean with the error of the mean, and its spread."""
    rows = ["| | mean | seed to seed |", "|---|---|---|"]
    return rows + [f"| {name} | {shown(values)} | {spread(values):.2g} |" for name, values in quantities(case, results(case)).items() if len(values) > 1]


def shown(values):
    return f"{mean(values):.4g} ± {spread(values) / math.sqrt(len(values)):.1g}" if len(values) > 1 else f"{values[0]:.4g}" if values else ""


def refined(case):
    """Rows: means with their errors, with half of the step and a tenth of the tolerance, and the largest change over the spread."""
    rows = ["| | mean | seed to seed | half the step | tenth of the tolerance | largest change / spread |", "|---|---|---|---|---|---|"]
    names = [case, *(case + suffix for suffix in REFINED[case][2])]
    plain, *variants = [quantities(case, results(name)) for name in names]
    beyond, sure = [], []
    for name, values in plain.items():
        others = [v.get(name, []) for v in variants]
        if len(values) < 2:
            continue
        most = max((abs(mean(o) - mean(values)) / spread(values) for o in others if o), default=math.nan)
        beyond += [name] if most >= 1 else []
        # means of few variants scatter themselves
        errors = [spread(values) * math.sqrt(1 / len(values) + 1 / len(o)) for o in others if o]
        sure += [name] if any(abs(mean(o) - mean(values)) > 2 * e for o, e in zip([o for o in others if o], errors)) else []
        rows.append(f"| {name} | {shown(values)} | {spread(values):.2g} | " + " | ".join(shown(o) for o in others) + f" | {most:.2f} |")
    seeds = [len(results(name)) for name in names]
    windows = [len(v[WINDOWS]) for v in (plain, *variants)] if WINDOWS in plain else seeds
    return rows + ["", f"Seeds: {seeds[0]}, {seeds[1]} with half the step, {seeds[2]} with a tenth of the tolerance"
                   + (f" (rows over windows: {windows[0]}, {windows[1]} and {windows[2]})" if windows != seeds and windows[0] else "") + ". Changed by more than the spread: "
                   + (", ".join(beyond) or "nothing") + "; by more than twice the error of the difference of means: " + (", ".join(sure) or "nothing") + "."]


CURVES = {"curve_ratio": "σ₁/σ₂", "curve_void": "void ratio", "curve_loss": "friction loss / (σ₂ × area × strain)",
          "curve_sliding": "sliding contacts / all, in an instant"}


def root_mean(values):
    """Root of the mean square."""
    return math.sqrt(mean([v * v for v in values]))


def curves(name, key):
    """One curve for each run that has them."""
    return [r["report"][key] for r in results(name) if key in r["report"]]


def curve_of(runs):
    return [mean(values) for values in zip(*runs)]


def along_curves(case):
    """Rows: how far curves of the variants are from those of the case, and these from seed to seed, root mean squares over twentieths of the deformation."""
    names = [case, *(case + suffix for suffix in REFINED[case][2])]
    rows = ["| curve | mean | seed to seed | half the step | tenth of the tolerance | largest change / spread |", "|---|---|---|---|---|---|"]
    counts = [len(curves(name, "curve_ratio")) for name in names]
    if min(counts) < 2:
        return []
    for key, title in CURVES.items():
        plain, *variants = [curves(name, key) for name in names]
        scatter = root_mean([spread(values) for values in zip(*plain)])
        changes = [root_mean([a - b for a, b in zip(curve_of(plain), curve_of(v))]) for v in variants]
        rows.append(f"| {title} | {mean(curve_of(plain)):.4g} | {scatter:.2g} | " + " | ".join(f"{c:.2g}" for c in changes) + f" | {max(changes) / scatter:.2f} |")
    chance = [math.sqrt(1 / counts[0] + 1 / n) for n in counts[1:]]
    return rows + ["", f"Seeds: {counts[0]}, {counts[1]} with half the step, {counts[2]} with a tenth of the tolerance; of as many samples that differ in nothing but the seed, "
                   f"changes of {chance[0]:.2f} and {chance[1]:.2f} of the spread are to be expected."]


def dip(runs):
    """Means of the innermost tenth and of the ring from 0.1 to 0.3 of the half width, their difference, and its error over seeds.

    The ring is chosen beforehand: the largest of many bins would be too large by its own scatter.
    """
    profiles = [profile(r, 10) for r in runs]
    inner, ring = [p[0] for p in profiles], [mean(p[1:3]) for p in profiles]
    differences = [a - b for a, b in zip(inner, ring)]
    return mean(inner), mean(ring), mean(differences), spread(differences) / math.sqrt(len(differences))


def draw_profile(program, folder, runs):
    bins = 20
    profiles = [profile(r, bins) for r in runs]
    at = [(k + 0.5) / bins for k in range(bins)]
    means = [mean([p[k] for p in profiles]) for k in range(bins)]
    errors = [spread([p[k] for p in profiles]) / math.sqrt(len(runs)) for k in range(bins)]
    program.draw('plot { title = "pressure on the ground, mean of ' + str(len(runs)) + ' piles", x = "distance from the middle / half width", '
                 'y = "pressure / that of a triangle at its middle", curves = { '
                 f'{{ name = "computed, with the error of the mean", x = {lua_list(at)}, y = {lua_list(means)}, error = {lua_list(errors)}, style = "both" }}, '
                 '{ name = "weight of the column above", x = {0, 1}, y = {1, 0}, style = "dashed" } } }', folder, "sandpile-pressure", "--width", "900")


WHY_SANDPILE = (
    "Grains that meet at speed v are up to vh/2 deep in each other for a moment, and what pushes them apart shakes the pile; what is shaken probably settles with "
    "more contacts. Piles of 1000 grains with other steps, means and their errors:")
FINE_SANDPILE = "Do half the step and a tenth of the tolerance change more than another seed does? Piles of 3000 grains with a step of 0.25 ms:"
SMALL_SANDPILE = "Piles of 1000 grains with a step of 0.125 ms:"
FINE_BIAXIAL = (
    "What friction does not take of the work is lost in impacts: with 1e-4 of the impulses unresolved the sample trembles. Samples of 1024 discs to 5.25 %, "
    "solved to 1e-5, with several steps, means and their errors:")
CHANGE_BIAXIAL = (
    "Do half the step and a tenth of the tolerance change more than another seed does? The same samples with a step of 0.0125 ms and the tolerance 1e-4:")
# the table is of runs with window=0.001, 0.002, 0.004 and near=0.8, 0.9, 0.99, strain=1.5, and the sums of what slid in each step
SLIDING = """What slides? A contact slides in an instant when its force is at the limit of friction in the step: the ratio of MJ96's Fig. 7. That share rises with shorter steps and is not claimed to converge; a number read from one step of length h has no reason to, as [what steps approach are impulses over times that stay](../theory/measures.md). Contacts tremble: fewer bear a force within the same step the shorter it is, and those that do come to the limit for a moment and leave it. The gap up to which contacts count, 1e-7 m, has no part in it (one sample at 0.0125 ms and 1e-4: 0.133, with 1e-8 and 1e-9 m 0.139 and 0.136), nor have contacts that bear next to nothing: of those that bear more than a tenth of the mean force 0.086, 0.091, 0.105, 0.106 and 0.118 slide in two samples to 1.2 % with steps from 0.1 to 0.00625 ms, each half of the one before.

Over windows of 2 ms (0.07 % of deformation) a contact counts when it bore anything, and slides when the sum of its tangential impulses is at least 0.9 of µ times the sum of the normal ones. Three numbers were looked at: how many do, how much of the normal impulse goes through them, and the sum of all tangential impulses over their limits. Two samples to 1.5 %, from 0.5 % on, solved to 1e-5:

| | 0.1 ms | 0.05 ms | 0.025 ms | 0.0125 ms |
|---|---|---|---|---|
| in an instant | 0.124 | 0.128 | 0.134 | 0.138 |
| in an instant, share of the normal impulse | 0.040 | 0.043 | 0.047 | 0.051 |
| over 1 ms | 0.099 | 0.089 | 0.082 | 0.079 |
| over 2 ms | 0.085 | 0.075 | 0.069 | 0.069 |
| over 2 ms, at least 0.8 of the limit | 0.136 | 0.125 | 0.118 | 0.114 |
| over 2 ms, at least 0.99 of the limit | 0.043 | 0.040 | 0.033 | 0.035 |
| over 4 ms | 0.069 | 0.062 | 0.058 | 0.060 |
| over 2 ms, share of the normal impulse | 0.030 | 0.025 | 0.021 | 0.024 |
| over 2 ms, friction / its limit | 0.333 | 0.325 | 0.320 | 0.313 |

The first two of the three go on changing: in the samples to 5.25 % what slides over a window falls by a twentieth when the step is halved, more than its scatter over seeds, which is a thirtieth. Probably a share above a bar goes on counting what trembles across it even where the sums of contacts change no more. The third has no bar: it comes down by a sixteenth from 0.1 to 0.0125 ms, and changes by half of its spread when 0.0125 ms is halved. The ratio of sliding contacts, however read, is not found independent of the step in samples as large as these."""
TIGHTER = (
    "Peak strengths and void ratios do not change beyond the spread. A tighter tolerance changes residual strengths by a little more than it, which means of so few need not settle, and leaves less to impacts and more to friction: "
    "of the work a hundredth more, two and a half times what large samples scatter, and of its limit a fiftieth more. The ratio of sliding contacts changes with the step, in an instant and over windows; of the curves only its own changes by more than the spread. Whether what the tolerance does has come to an end at 1e-5 is not known for 1024 discs, as not every step can be solved further. With 0.025 ms and 1e-6 those at the beginning of "
    "shear, of 1870 contacts, take seconds each, and the first miss the tolerance; with 0.0125 ms and 3e-6 one run missed it in 8 of 32 021 steps (worst 7.5e-5).")
ALONG = (
    "These are means over the whole test. Along it, in twentieths of the deformation, which is coarser than the curves of [the figures](biaxial.md) and finer than the means: how far mean curves are from each other and those of samples from their mean, root mean squares:")
SMALL_BIAXIAL = "Smaller samples scatter more, and all of their steps can be solved further. Samples of 196 discs with a step of 0.1 ms and the tolerance 1e-5:"


SANDPILE_STEPS = ([*(f"steps-sandpile-{k}" for k in range(len(STEPS))), "small-sandpile"], (*STEPS, REFINED["small-sandpile"][1]["h"]))
BIAXIAL_STEPS = ([*(f"steps-biaxial-{k}" for k in range(3)), "fine-biaxial-tight"], (1e-4, 5e-5, 2.5e-5, 1.25e-5))


def by_steps(names, steps):
    """Rows: quantities of cases by the step."""
    columns = [quantities(name, results(name)) for name in names]
    rows = ["| | " + " | ".join(f"{1e3 * h:g} ms" for h in steps) + " |", "|---" * (len(columns) + 1) + "|"]
    return rows + [f"| {name} | " + " | ".join(shown(c[name]) for c in columns) + " |" for name in columns[0] if any(c[name] for c in columns)]


def missed_steps():
    """How many of these there are."""
    found = [(name, r) for name in CASES for r in results(name) if r.get("missed", 0) > 0]
    if not found:
        return "No run kept has one."
    return "There are " + ", ".join(f"{r['missed']} in run {r['seed']} of {name}" for name, r in found) + "."


def page(program, folder):
    os.makedirs(folder, exist_ok=True)
    lines = ["# Many seeds", "", "Written by `make figures-stats` from the runs in [data](data), one file for each; what is missing is computed first. "
             "Solver tolerance 5e-4 (sandpile, h = 2 ms) and 1e-4 (biaxial test, h = 0.1 ms) unless said otherwise.", ""]
    piles, tests = results("sandpile"), results("biaxial")
    if len(piles) > 1:
        draw_profile(program, folder, piles)
        inner, ring, difference, error = dip(piles)
        lines += [f"## Sandpile: {len(piles)} piles of 3000 discs", "", "![pressure on the ground](../images/figures/sandpile-pressure.png)", "",
                  f"Is there a dip? In the innermost tenth the mean pressure is {inner:.3f} of that under the middle of a triangle, from 0.1 to 0.3 "
                  f"of the half width it is {ring:.3f} (a triangle has 0.95 and 0.80). The difference is {difference:+.3f} ± {error:.3f} (error of the mean over seeds): "
                  + verdict(difference, error), "", *summary("sandpile"), "", WHY_SANDPILE, "", *by_steps(*SANDPILE_STEPS), "", FINE_SANDPILE, "", *refined("fine-sandpile"), "",
                  SMALL_SANDPILE, "", *refined("small-sandpile"), ""]
    if len(tests) > 1:
        worst = max(abs(r["balance_error"] / r["work"]) for r in tests)
        lines += [f"## Biaxial test: {len(tests)} samples of 1024 discs to 15 %", "", *summary("biaxial"), "", *strength(tests), "",
                  f"Energy balance: at most {worst:.1e} of the work done.", "", FINE_BIAXIAL, "", *by_steps(*BIAXIAL_STEPS), "", CHANGE_BIAXIAL, "", *refined("fine-biaxial"), "", ALONG, "", *along_curves("fine-biaxial"), "", TIGHTER, "", SLIDING, "", SMALL_BIAXIAL, "", *refined("small-biaxial"), "", *along_curves("small-biaxial"), ""]
    lines += ["A run with another step or tolerance is another history of the same sample, so that means are compared, not runs. "
              "A run of which some step ends above the tolerance is not kept, but for tests whose tolerance is set: there one step in ten thousand may end above it, by ten times at most. "
              + missed_steps(), ""]
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def verdict(difference, error):
    if difference < -2 * error:
        return "a dip of more than twice its error."
    if difference > -error:
        return "no dip beyond its error, as MJ96 find for their data."
    return "a dip between one and two errors, which these seeds do not settle."


def strength(tests):
    peak, residual = quantities("biaxial", tests)["peak σ₁/σ₂"], quantities("biaxial", tests)["residual σ₁/σ₂ (last third)"]

    rowe = math.tan(math.pi / 4 + math.atan(0.5) / 2) ** 2

    def sine(ratio):
        return (ratio - 1) / (ratio + 1)
    return [f"As friction angles, sin φ = (σ₁ − σ₂)/(σ₁ + σ₂): peak {sine(mean(peak)):.3f} ({math.degrees(math.asin(sine(mean(peak)))):.1f}°), "
            f"residual {sine(mean(residual)):.3f} ({math.degrees(math.asin(sine(mean(residual)))):.1f}°), from {sine(min(residual)):.3f} to "
            f"{sine(max(residual)):.3f} over seeds. The source at hand prints no strength. Bounds: Rowe's stress-dilatancy relation (Proceedings of the Royal "
            f"Society A 269, 1962) for grains that only slide gives σ₁/σ₂ = tan²(45° + φ_µ/2) = {rowe:.2f} at constant volume for friction 0.5; discs roll "
            "instead and must stay below it, which "
            + ("all residual values do." if max(residual) < rowe else "not all residual values do.")
            + " Simulations of flowing discs (da Cruz and others, Physical Review E 72, 2005; GDR MiDi, European Physical Journal E 14, 2004) give "
            "effective frictions of a quarter to a third in the slow limit; those numbers are quoted, not checked against print."]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=os.path.join(ROOT, "build", "moreau"))
    parser.add_argument("--only", help="a case")
    parser.add_argument("--first", type=int, default=1, help="seed to begin with, for several of these at once")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no run after so many")
    parser.add_argument("--page", action="store_true", help="write the page from the runs there are")
    options = parser.parse_args()
    program = Program(os.path.abspath(options.program), threads=1)
    os.makedirs(DATA, exist_ok=True)
    begin = time.monotonic()
    for case in CASES:
        for seed in range(options.first, CASES[case]["seeds"] + 1):
            late = time.monotonic() - begin > 60 * options.minutes
            if options.page or late or (options.only and case != options.only) or os.path.exists(path_of(case, seed)):
                continue
            print(f"{case}, seed {seed}", file=sys.stderr, flush=True)
            compute(program, case, seed)
    page(program, os.path.join(ROOT, "docs", "images", "figures"))


if __name__ == "__main__":
    main()
