"""Solvers of contact problems compared: FCLIB files, and a performance profile.

Problems are the FCLIB files of a folder, or, without one, those of the steps of a small pile that this script drops.

    python3 solve_fclib.py [OUTPUT.png] [FOLDER]
"""
import glob
import os
import sys
import tempfile

import moreau
import numpy as np


def make_problems(folder, count=8):
    """Steps of a pile of discs and boxes as FCLIB files."""
    world = moreau.World(dim=2, h=2e-3, gravity=(0, -9.81))
    world.law(friction=0.4)
    world.body(shape=moreau.Halfplane(), fixed=True)
    rng = np.random.default_rng(1)
    for i in range(30):
        shape = moreau.Disc(0.05) if i % 2 else moreau.Rectangle(0.1, 0.08)
        world.body(shape=shape, density=2600, position=(0.12 * (i % 5) + rng.uniform(0, 0.01), 0.06 + 0.12 * (i // 5)))
    world.keep_problem(True)
    for k in range(count):
        world.step(60)
        problem = world.problem()
        if problem is not None:
            problem.title = f"pile at t = {world.time:g} s"
            problem.write(os.path.join(folder, f"pile-{k:02d}.hdf5"))


def main(output="profile.png", folder=None, solvers=("nlgs", "newton", "ipm", "apgd", "auto")):
    with tempfile.TemporaryDirectory() as own:
        if folder is None:
            make_problems(own)
        files = sorted(glob.glob(os.path.join(folder or own, "*.hdf5")))
        costs = {name: [] for name in solvers}
        for path in files:
            problem = moreau.read_problem(path)
            for name in solvers:
                s = problem.solve(name, tol=1e-8, max_iter=100000, max_seconds=2)
                # a solver that misses its tolerance says so
                costs[name].append(s.seconds if s.solved else np.inf)
            best = min(solvers, key=lambda n: costs[n][-1])
            print(f"{os.path.basename(path)}: {problem.contacts} contacts, fastest {best} ({1e3 * costs[best][-1]:.2f} ms)")
    for name in solvers:
        print(f"{name:8s} solves {np.isfinite(costs[name]).sum()} of {len(files)}")

    import matplotlib.pyplot as plt
    from moreau import plot
    ax = plot.performance_profile(costs)
    ax.figure.savefig(output, dpi=150)
    return costs


if __name__ == "__main__":
    main(*sys.argv[1:3])
