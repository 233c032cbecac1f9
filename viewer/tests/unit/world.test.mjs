// Quantities of bodies, the resultant across a cut and friction, for small worlds made by hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../support/load.mjs";

const close = (a, b, tolerance = 1e-12) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);
const reals = (...v) => Float64Array.from(v);

// two discs of radius 1 upon each other on a floor at y = 0, at rest under their weights of 10 N
function tower() {
    const bodies = {
        count: 3,
        id: Uint32Array.of(1, 2, 3),
        kind: Uint8Array.of(1, 0, 0),
        group: Uint32Array.of(0, 1, 1),
        flags: new Uint32Array(3),
        mass: reals(0, 1, 1),
        area: reals(0, Math.PI, Math.PI),
        inertia: reals(0, 0.5, 0.5),
    };
    const frame = {
        index: 0,
        t: 0,
        count: 3,
        id: Uint32Array.of(1, 2, 3),
        q: reals(0, 0, 0, 0, 1, 0, 0, 3, 0),
        u: reals(0, 0, 0, 3, 4, 2, 0, 0, 0),
        radius: reals(0, 1, 1),
        contacts: {
            count: 2,
            id1: Uint32Array.of(2, 3),
            id2: Uint32Array.of(1, 2),
            point: reals(0, 0, 0, 2),
            normal: reals(0, 1, 0, 1),
            gap: reals(0, 0),
            impulse: reals(2, 0.5, 1, 0),
            velocity: reals(0, 0, 0, 0),
            status: Uint8Array.of(2, 1),
        },
    };
    return [{ dim: 2, discs: false, groups: ["default", "grains"], bodies }, frame];
}

test("kinetic energy and speed", async () => {
    const { quantity } = await load("measure/values.ts");
    const { Rows } = await load("measure/rows.ts");
    const [world, frame] = tower();
    const rows = new Rows(world.bodies);
    close(quantity("speed", world, rows, frame, 0.1)[1], 5);
    close(quantity("energy", world, rows, frame, 0.1)[1], 0.5 * 25 + 0.5 * 0.5 * 4);
    assert.equal(quantity("contacts", world, rows, frame, 0.1)[1], 2);
});

test("pressure is half the trace of the Love–Weber tensor", async () => {
    const { pressures } = await load("measure/values.ts");
    const { Rows } = await load("measure/rows.ts");
    const [world, frame] = tower();
    // lower disc: 20 N from below and 10 N from above, each 1 m from the centre; upper: 10 N from below
    const p = pressures(world, new Rows(world.bodies), frame, 0.1);
    close(p[1], (20 + 10) / (2 * Math.PI));
    close(p[2], 10 / (2 * Math.PI));
    assert.ok(Number.isNaN(p[0]));
});

test("the resultant across a cut carries the weight above it", async () => {
    const { resultant } = await load("measure/cut.ts");
    const { Rows } = await load("measure/rows.ts");
    const [world, frame] = tower();
    const rows = new Rows(world.bodies);
    const at = (y) => resultant(world, rows, frame, 0.1, 1, y);
    close(at(2.5).force[1], 10);
    close(at(0.5).force[1], 20);
    close(at(0.5).force[0], -5);
    assert.equal(at(0.5).contacts, 1);
    assert.equal(at(3.5).contacts, 0);
    // moments are about the crossing's own centre: one contact has none
    close(at(0.5).moment[2], 0);
});

test("friction is told by sliding contacts of the same groups", async () => {
    const { friction } = await load("measure/cut.ts");
    const { Rows } = await load("measure/rows.ts");
    const [world, frame] = tower();
    const rows = new Rows(world.bodies);
    close(friction(world, rows, frame, 0).sliding, 0.25);
    assert.ok(Number.isNaN(friction(world, rows, frame, 1).sliding));
    close(friction(world, rows, frame, 1).mobilised, 0);
});

test("a plane patch ends where another plane begins", async () => {
    const { clip } = await load("draw/planes.ts");
    const square = [
        [-1, -1, 0],
        [1, -1, 0],
        [1, 1, 0],
        [-1, 1, 0],
    ];
    const half = clip(square, [1, 0, 0], 0);
    assert.equal(half.length, 4);
    assert.ok(half.every(([x]) => x >= 0));
    assert.equal(clip(square, [1, 0, 0], 2).length, 0);
});
