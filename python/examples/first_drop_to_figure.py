"""From the first drop to a figure: a biaxial test of discs, over several seeds.

Discs are pressed together in a box by two walls under a pressure p, then the upper wall comes down at a given speed
while the right one keeps the pressure.  The ratio of the stresses against the strain has a peak where the packing gives
way; seeds give the scatter.  Units: m, kg, s, N, per metre of depth.

    python3 first_drop_to_figure.py [OUTPUT.png]
"""
import sys

import moreau
import numpy as np

PRESSURE = 1e4  # N/m
SPEED = 0.05  # m/s, of the upper wall
N = 8  # discs along a side


def build(seed):
    """A loose square of discs between four walls; gives the world and the two walls that press."""
    rng = np.random.default_rng(seed)
    world = moreau.World(dim=2, h=5e-4)
    side = N * 0.026
    wall = {"group": "wall", "collides_with": ["grain"]}
    world.body(shape=moreau.Halfplane((0, 1)), fixed=True, **wall)
    world.body(shape=moreau.Halfplane((1, 0)), fixed=True, **wall)
    top = world.body(shape=moreau.Rectangle(3 * side, 0.02), position=(side, side + 0.01), mass=20, free=["y"],
                     applied_force=(0, -PRESSURE * side), **wall)
    right = world.body(shape=moreau.Rectangle(0.02, 3 * side), position=(side + 0.01, side), mass=20, free=["x"],
                       applied_force=(-PRESSURE * side, 0), **wall)
    for i in range(N):
        for j in range(N):
            world.body(shape=moreau.Disc(rng.uniform(0.008, 0.012)), density=2600, group="grain",
                       position=(0.013 + 0.026 * i + rng.uniform(-1e-3, 1e-3), 0.013 + 0.026 * j + rng.uniform(-1e-3, 1e-3)))
    return world, top, right


def size(top, right):
    """Width and height of the sample."""
    return right.position[0] - 0.01, top.position[1] - 0.01


def test(seed, strain=0.06):
    """Strain, stress ratio and the contacts at the end."""
    world, top, right = build(seed)
    # pressed without friction: the densest packings come that way
    world.run(until=0.3)
    for _ in range(10):
        w, h = size(top, right)
        top.applied_force, right.applied_force = (0, -PRESSURE * w), (-PRESSURE * h, 0)
        world.step(40)
    # now with friction, and the upper wall moves as told
    w0, h0 = size(top, right)
    y0, t0 = top.position[1], world.time
    top.remove()
    world.law(between=("grain", "grain"), friction=0.5)
    top = world.body(shape=moreau.Rectangle(3 * w0, 0.02), position=(w0, y0), group="wall", collides_with=["grain"],
                     motion=lambda t: {"y": y0 - SPEED * (t - t0)})
    rows = []
    while h0 - size(top, right)[1] < strain * h0:
        forces = []
        for _ in range(20):
            world.step()
            forces.append(top.force[1])
        w, h = size(top, right)
        right.applied_force = (-PRESSURE * h, 0)
        rows.append((1 - h / h0, np.mean(forces) / w / PRESSURE))
    return np.array(rows), world


def main(output="biaxial.png", seeds=(1, 2, 3)):
    results = [test(seed) for seed in seeds]
    n = min(len(r) for r, _ in results)
    strain = results[0][0][:n, 0]
    ratio = np.array([r[:n, 1] for r, _ in results])
    world = results[0][1]
    print(world)
    print(f"peak of sigma_1 / sigma_2: {ratio.max(axis=1).mean():.2f} +- {ratio.max(axis=1).std():.2f}")
    world.draw(color="stress").save(output.replace(".png", "-sample.png"))

    import matplotlib.pyplot as plt
    from moreau import plot
    figure = plt.figure(figsize=(10, 3.2), layout="constrained")
    axes = [figure.add_subplot(1, 3, 1), figure.add_subplot(1, 3, 2), figure.add_subplot(1, 3, 3, projection="polar")]
    axes[0].fill_between(100 * strain, ratio.min(axis=0), ratio.max(axis=0), alpha=0.3)
    axes[0].plot(100 * strain, ratio.mean(axis=0))
    axes[0].set(xlabel="strain (%)", ylabel=r"$\sigma_1 / \sigma_2$", title=f"{len(seeds)} seeds")
    plot.forces(world.contacts, axes[1], bins=15)
    plot.fabric(world.contacts, axes[2], bins=24)
    axes[2].set_title("directions of contacts")
    figure.savefig(output, dpi=150)
    return strain, ratio


if __name__ == "__main__":
    main(*sys.argv[1:2])
