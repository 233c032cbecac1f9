"""Schemes on a vibro-impact system: a mass on a spring, shaken, with a stop on one side.

    q'' + q = cos(w t),   q >= -0.1,   restitution 0.7

The event-driven scheme with a small step is the reference; the others are run with falling steps, and the slope of
their errors is their order in practice (at impacts it is one at best).

    python3 compare_schemes.py [OUTPUT.png]
"""
import sys

import moreau
import numpy as np

T = 10.0
SCHEMES = ("moreau", "moreau-jean", "paoli-schatzman", "mabrouk", "alpha")


def run(scheme, h):
    # numpy's functions take the numbers with derivatives that gaps and forces are called with
    system = moreau.System(q=[0.2], u=[0.0], h=h, scheme=scheme, restitution=0.7, potential=lambda t, q: 0.5 * q[0]**2,
                           force=lambda t, q: [-q[0] + np.cos(2.3 * t)], gaps=[lambda t, q: q[0] + 0.1])
    return system.run(T)


def main(output="schemes.png", steps=(0.02, 0.01, 0.005, 0.0025)):
    reference = run("event-driven", 1e-3)
    impacts = [e.t for e in reference.events if e.type == "impact"]
    print(f"{len(impacts)} impacts, the first at t = {impacts[0]:.6f} s")
    errors = {}
    for scheme in SCHEMES:
        errors[scheme] = []
        for h in steps:
            path = run(scheme, h)
            exact = np.interp(path.t, reference.t, reference.q[:, 0])
            errors[scheme].append(np.abs(path.q[:, 0] - exact).max())
        order = np.polyfit(np.log(steps), np.log(errors[scheme]), 1)[0]
        print(f"{scheme:18s} largest error {errors[scheme][-1]:.2e} m at h = {steps[-1]:g} s, order {order:.2f}")

    import matplotlib.pyplot as plt
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    left.plot(reference.t, reference.q[:, 0], "k", lw=1, label="event-driven")
    coarse = run("moreau", steps[0])
    left.plot(coarse.t, coarse.q[:, 0], "--", lw=1, label=f"moreau, h = {steps[0]:g} s")
    left.axhline(-0.1, color="0.6", lw=3)
    left.set(xlabel="t (s)", ylabel="q (m)")
    left.legend()
    for scheme, e in errors.items():
        right.loglog(steps, e, "o-", label=scheme)
    right.set(xlabel="h (s)", ylabel="largest error (m)")
    right.legend(fontsize=8)
    figure.savefig(output, dpi=150)
    return errors


if __name__ == "__main__":
    main(*sys.argv[1:2])
