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

// two discs of radius 0.5 side by side in a cell 2 m long, pressed upon each other by 10 N in the middle and through its faces
function row() {
    const [world, frame] = tower();
    Object.assign(world.bodies, { kind: Uint8Array.of(0, 0), area: reals(Math.PI / 4, Math.PI / 4), id: Uint32Array.of(1, 2) });
    Object.assign(world.bodies, { count: 2, group: new Uint32Array(2), flags: new Uint32Array(2), mass: reals(1, 1) });
    const contacts = {
        ...frame.contacts,
        id1: Uint32Array.of(2, 1),
        id2: Uint32Array.of(1, 2),
        point: reals(1, 1, 2, 1),
        normal: reals(1, 0, 1, 0),
        impulse: reals(1, 0, 1, 0),
    };
    const q = reals(0.5, 1, 0, 1.5, 1, 0);
    return [world, { ...frame, count: 2, id: Uint32Array.of(1, 2), q, radius: reals(0.5, 0.5), contacts }];
}

test("bodies touch through the faces of a periodic cell", async () => {
    const { pressures } = await load("measure/values.ts");
    const { resultant } = await load("measure/cut.ts");
    const { cellOf, centreAt, contactFrom, cutPeriod } = await load("measure/cell.ts");
    const { Rows } = await load("measure/rows.ts");
    for (const lean of [0, 0.6]) {
        const [world, frame] = row();
        frame.cell = cellOf([0, 0, 0, 2, lean, 0, 0, 3, 0, 0, 0, 1, ...new Array(9).fill(0), 1, 1, 0]);
        const rows = new Rows(world.bodies);
        // 10 N on either side, half a metre from the centre
        pressures(world, rows, frame, 0.1).forEach((p) => close(p, (2 * 10 * 0.5) / (2 * (Math.PI / 4))));
        centreAt(frame, 2, 0, [2, 1, 0]).forEach((v, i) => close(v, [2.5, 1, 0][i]));
        // the contact at the right face, seen from the disc at the left one
        const [from, to] = contactFrom(frame, 2, 0, [2, 1, 0]);
        from.forEach((v, i) => close(v, [0.5, 1, 0][i]));
        to.forEach((v, i) => close(v, [0, 1, 0][i]));
        // an image through the upper face is moved by the edge that leans
        centreAt(frame, 2, 0, [0.5 + lean, 3.6, 0]).forEach((v, i) => close(v, [0.5 + lean, 4, 0][i]));
        close(cutPeriod(frame.cell, 1), 3);
        close(cutPeriod(frame.cell, 0), lean > 0 ? 0 : 2);
        for (const x of lean > 0 ? [] : [0.2, 0.9, 1.2, 1.7]) {
            const cut = resultant(world, rows, frame, 0.1, 0, x);
            close(cut.force[0], 10);
            assert.equal(cut.contacts, 1);
        }
    }
    const none = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, ...new Array(9).fill(0), 0, 0, 0];
    assert.equal(cellOf(none), null);
    assert.equal(cellOf([...none.slice(0, 3), NaN, ...none.slice(4, 21), 1, 1, 0]), null);
    assert.equal(cellOf([]), null);
});

// the tower above: a spring from the right of disc 2 to the world, a hinge between both discs that goes in frame 1
function joined() {
    const [world, frame] = tower();
    world.joints = {
        count: 2,
        kind: Uint8Array.of(5, 0),
        bodies: Uint32Array.of(2, 0, 3, 2),
        anchor1: reals(1, 0, 0, -1),
        anchor2: reals(5, 1, 0, 1),
        first: reals(0, 0),
        until: reals(Infinity, 1),
    };
    return [world, frame];
}

test("joints are where their bodies are, while they are there", async () => {
    const { jointPlaces, jointLines } = await load("measure/joints.ts");
    const { Rows } = await load("measure/rows.ts");
    const [world, frame] = joined();
    // disc 2 is at (0, 1), a quarter turned: its right is up; disc 3 is at (0, 3)
    frame.q[5] = Math.PI / 2;
    const [spring, hinge] = jointPlaces(world, new Rows(world.bodies), frame);
    const expected = [
        [0, 2, 0],
        [5, 1, 0],
        [0, 2, 0],
        [-1, 1, 0],
    ];
    [...spring.ends, ...hinge.ends].forEach((x, k) => x.forEach((v, i) => close(v, expected[k][i])));
    // a zigzag of 14 lines about the straight one, from end to end
    const lines = jointLines(frame, spring);
    assert.equal(lines.length, 14);
    assert.deepEqual([lines[0][0], lines[13][1]], spring.ends);
    for (const [a] of lines) close((a[1] - 2) * 5 + a[0], 0, 0.04 * 26 + 1e-12);
    assert.deepEqual(jointLines(frame, { kind: 0, ends: [[1, 2, 0], [1, 2, 0]] }), []);
    assert.equal(jointPlaces(world, new Rows(world.bodies), { ...frame, index: 1 }).length, 1);
});

test("a rod goes through the faces of a periodic cell, and what holds a body is in view", async () => {
    const { jointLines } = await load("measure/joints.ts");
    const { worldBounds } = await load("draw/bounds.ts");
    const { Rows } = await load("measure/rows.ts");
    const cell = {
        corner: [0, 0, 0],
        edges: [6, 0, 0, 0, 1, 0, 0, 0, 1],
        inverse: [1 / 6, 0, 0, 0, 1, 0, 0, 0, 1],
        along: [true, false, false],
    };
    const rod = { kind: 4, ends: [[0.5, 2, 0], [5.5, 2, 0]] };
    const lines = jointLines({ cell }, rod).map((line) => line.map((x) => x[0]));
    assert.deepEqual(lines, [[0.5, 0], [6, 5.5]]);
    const [world, frame] = joined();
    world.bodies.vertexEnd = reals(0, 0, 0);
    world.bodies.vertices = reals();
    const { high } = worldBounds(world, new Rows(world.bodies), [frame]);
    assert.equal(high[0], 5);
});

test("a periodic cell is outlined along its faces and is in view as a whole", async () => {
    const { cellEdges, cellOf, wayBetween } = await load("measure/cell.ts");
    const { worldBounds } = await load("draw/bounds.ts");
    const { Rows } = await load("measure/rows.ts");
    const cell = (corner, edges, along) => cellOf([...corner, ...edges, ...new Array(9).fill(0), ...along]);
    const text = (edges) => edges.map(([a, b]) => `${a} to ${b}`).sort();
    const [low, high] = [
        [-5, -6, -7],
        [5, 6, 7],
    ];
    // a parallelogram in the plane, its second edge leaning by 0.5
    const leaning = cell([-1, 2, 0], [2, 0.5, 0, 0, 3, 0, 0, 0, 1], [1, 1, 0]);
    assert.deepEqual(
        text(cellEdges(leaning, 2, low, high)),
        ["-1,2,0 to 1,2,0", "-0.5,5,0 to 1.5,5,0", "-1,2,0 to -0.5,5,0", "1,2,0 to 1.5,5,0"].sort(),
    );
    // one period in the plane: two lines across what is seen
    const strip = cell([-1, 2, 0], [2, 0, 0, 0, 3, 0, 0, 0, 1], [1, 0, 0]);
    assert.deepEqual(text(cellEdges(strip, 2, low, high)), ["-1,-6,0 to -1,6,0", "1,-6,0 to 1,6,0"].sort());
    // in space: four edges along each axis, and none across a single period's axis
    const ends = ([a, b]) => a.filter((v, i) => v !== b[i]).length;
    const column = cellEdges(cell([0, 0, 0], [1, 0, 0, 0, 2, 0, 0, 0, 3], [1, 1, 0]), 3, low, high);
    assert.equal(column.length, 12);
    assert.ok(column.every((edge) => ends(edge) === 1));
    assert.equal(column.filter(([a, b]) => a[2] === -7 && b[2] === 7).length, 4);
    const slab = cellEdges(cell([0, 0, 0], [1, 0, 0, 0, 2, 0, 0, 0, 3], [0, 0, 1]), 3, low, high);
    assert.equal(slab.length, 8);
    assert.ok(slab.every(([a, b]) => a[2] === b[2] && (a[2] === 0 || a[2] === 3)));
    // two discs between 0 and 2 along x, between 0.5 and 1.5 along y
    const [world, frame] = row();
    Object.assign(world.bodies, { vertexEnd: reals(0, 0), vertices: reals() });
    const seen = worldBounds(world, new Rows(world.bodies), [{ ...frame, cell: leaning }]);
    assert.deepEqual([seen.low, seen.high].map((v) => v.slice(0, 2)), [[-1, 0.5], [2, 5]]);
    // a way out through the right face and in at the left one
    const way = wayBetween(leaning, [0.8, 2.5, 0], [-0.8, 2.7, 0]);
    const wanted = [[0.8, 2.5], [1, 2.6], [-1, 2.6], [-0.8, 2.7]];
    way.flat().forEach((x, k) => wanted[k].forEach((v, i) => close(x[i], v)));
    for (const none of [leaning, null])
        assert.deepEqual(wayBetween(none, [0, 3, 0], [0.4, 3, 0]), [[[0, 3, 0], [0.4, 3, 0]]]);
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

// one contact of a floor and a ball in space, with a law
function grip(law, impulse, more = {}) {
    const a = (...x) => Float64Array.from(x);
    const bodies = {
        count: 2,
        id: Uint32Array.of(1, 2),
        kind: Uint8Array.of(1, 0),
        group: Uint32Array.of(0, 0),
    };
    const row = a(0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    for (const [column, value] of Object.entries(law)) row[column] = value;
    const contacts = {
        count: 1,
        id1: Uint32Array.of(1),
        id2: Uint32Array.of(2),
        point: a(0, 0, 0),
        normal: a(0, 0, 1),
        gap: a(0),
        impulse: a(...impulse),
        velocity: a(0, 0, 0),
        status: Uint8Array.of(1),
        law: Uint32Array.of(1),
        memory: a(0),
        ...more,
    };
    const q = a(0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0);
    const frame = { index: 0, t: 0, count: 2, id: Uint32Array.of(1, 2), q, contacts };
    return [{ dim: 3, bodies, laws: row, observed: [], frames: {} }, frame];
}

test("the cone of friction is that of the contact's law", async () => {
    const { allowed, lawOf, mobilised } = await load("measure/law.ts");
    const { Rows } = await load("measure/rows.ts");
    const told = (law, impulse, more) => {
        const [world, frame] = grip(law, impulse, more);
        const a = allowed(world, new Rows(world.bodies), frame, 0, 0.1);
        return [a, a && mobilised(world, frame, 0, a)];
    };
    // µ = 0.5: an impulse of 2 along n may have 1 across
    close(told({}, [2, 0.6, 0.8])[1], 1);
    close(told({}, [2, 0.3, 0.4])[1], 0.5);
    // cohesion bears h c = 0.1 · 20 more
    const [pulled, used] = told({ 8: 20 }, [2, 1, 0]);
    close(pulled.pull, 2);
    close(used, 0.5);
    // glue bears what is remembered
    close(told({ 9: 1 }, [1, 1, 0], { memory: Float64Array.of(-3) })[1], 0.5);
    // two frictions: 0.5 along (1, 1, 0), 0.25 across it; the file's tangents of (0, 0, 1) are e_x and e_y
    const s = Math.SQRT1_2;
    close(told({ 4: 0.25, 5: 1, 6: 1 }, [1, 0.5 * s, 0.5 * s])[1], 1);
    close(told({ 4: 0.25, 5: 1, 6: 1 }, [1, 0.25 * s, -0.25 * s])[1], 1);
    // a threshold of 10 N: h · 10 whatever the normal impulse
    close(told({ 10: 10 }, [7, 0, 0.5])[1], 0.5);
    // static friction widens the cone; a law of the program's own, or none, has no cone
    close(told({ 3: 0.75 }, [2, 0, 0])[0].still, 1.5);
    assert.equal(told({ 13: 1 }, [1, 0, 0])[0], null);
    const [world, frame] = grip({}, [1, 0, 0], { law: Uint32Array.of(0) });
    assert.equal(lawOf(world, frame.contacts, 0), null);
});

test("contacts are held against Coulomb's law", async () => {
    const { misses } = await load("measure/law.ts");
    const check = (impulse, velocity, law = {}, status = 2) => {
        const v = { velocity: Float64Array.from(velocity), status: Uint8Array.of(status) };
        return misses(...grip(law, impulse, v));
    };
    // sliding against the force, at the border: all of it holds
    const sound = check([2, 0.6, 0.8], [0, -3, -4]);
    assert.equal(sound.contacts, 1);
    for (const part of ["approach", "outside", "bipotential"]) close(sound[part], 0);
    // sliding inside the cone: U·S + µ |U_T| S_N = −0.5 · 5 + 0.5 · 5 · 2
    close(check([2, 0.3, 0.4], [0, -3, -4]).bipotential, 2.5);
    close(check([2, 0.6, 1.8], [0, 0, 0]).outside, Math.hypot(0.6, 1.8) - 1);
    close(check([0, 0, 0], [-0.25, 0, 0]).approach, 0.25);
    // with restitution the law holds for other velocities: not told
    assert.equal(check([2, 0, 0], [1, 0, 0], { 1: 0.5 }), null);
});

test("a cone in the plane is a wedge, moved back by what the contact bears", async () => {
    const { coneSurface } = await load("draw/cone.ts");
    const a = { t1: [-1, 0, 0], t2: [0, 0, 0], mu1: 0.5, mu2: 0.5, still: 1, pull: 2, radius: 0 };
    const wedge = coneSurface([0, 0, 0], [0, 1, 0], a, 4, 0.25, 1, true);
    assert.equal(wedge.corners.length, 9);
    assert.deepEqual(wedge.lines[0], [
        [0, -0.5, 0],
        [-2, 3.5, 0],
    ]);
    const tube = coneSurface([0, 0, 0], [0, 1, 0], { ...a, pull: 0, radius: 3 }, 4, 0.5, 1, true);
    assert.deepEqual(tube.lines[1], [
        [1.5, 0, 0],
        [1.5, 4, 0],
    ]);
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
