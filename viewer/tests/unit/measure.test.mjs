// Small functions with answers known beforehand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../support/load.mjs";

const close = (a, b, tolerance = 1e-12) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

test("numbers are written shortly", async () => {
    const { number, bytes } = await load("measure/scale.ts");
    assert.equal(number(0), "0");
    assert.equal(number(-1.5), "−1.5");
    assert.equal(number(1e-9), "10⁻⁹");
    assert.equal(number(-2.5e12), "−2.5·10¹²");
    assert.equal(number(3500, 12), "3500");
    assert.equal(number(NaN), "–");
    assert.equal(bytes(2100000000), "2.1 GB");
});

test("round numbers, ticks and quantiles", async () => {
    const { roundUp, ticks, quantile } = await load("measure/scale.ts");
    assert.equal(roundUp(0.7), 0.75);
    assert.equal(roundUp(5), 5);
    close(roundUp(1.01e-17), 1.5e-17, 1e-30);
    assert.equal(roundUp(0), 1);
    assert.deepEqual(ticks(0, 1, 5), [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
    assert.deepEqual(ticks(1, 1, 5), []);
    assert.equal(quantile([5, NaN, 1, 3, 2, 4], 0.5), 3);
    assert.ok(Number.isNaN(quantile([], 0.5)));
});

test("turning by quaternions: a quarter about z takes x to y", async () => {
    const { rotate, quatMultiply } = await load("measure/geometry.ts");
    const q = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];
    rotate(q, [1, 0, 0]).forEach((v, i) => close(v, [0, 1, 0][i]));
    rotate(quatMultiply(q, q), [1, 0, 0]).forEach((v, i) => close(v, [-1, 0, 0][i]));
});

test("tangents of contacts follow the rule of the run file", async () => {
    const { tangent3, contactImpulse, dot } = await load("measure/geometry.ts");
    tangent3([0, 0, 1]).forEach((v, i) => close(v, [1, 0, 0][i]));
    for (const n of [
        [0.6, 0, 0.8],
        [0.48, -0.64, -0.6],
        [0.6, 0.8, 0],
    ]) {
        const t = tangent3(n);
        close(dot(t, n), 0);
        close(Math.hypot(...t), 1);
        tangent3(n.map((v) => -v)).forEach((v, i) => close(v, -t[i]));
    }
    const c = { normal: Float64Array.from([0, 0, 1]), impulse: Float64Array.from([5, 2, 3]) };
    contactImpulse(c, 3, 0).forEach((v, i) => close(v, [2, 3, 5][i]));
    const flat = { normal: Float64Array.from([0, 1]), impulse: Float64Array.from([5, 2]) };
    contactImpulse(flat, 2, 0).forEach((v, i) => close(v, [-2, 5, 0][i]));
});

// relative luminance, WCAG
const luminance = (rgb) => {
    const [r, g, b] = rgb.map((c) =>
        c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

test("colour maps get lighter all the way", async () => {
    const { MAPS, mapped } = await load("measure/colours.ts");
    for (const [name, map] of Object.entries(MAPS)) {
        for (let k = 8; k <= 255; k += 8) {
            const [a, b] = [k - 8, k].map((i) => luminance(mapped(map, i / 255)));
            assert.ok(b > a, `${name} at ${k}`);
        }
    }
    assert.deepEqual(mapped(MAPS.dusk, NaN), [150, 150, 150]);
    assert.deepEqual(mapped(MAPS.dusk, 7), mapped(MAPS.dusk, 1));
});

test("the energy budget closes when no energy is made", async () => {
    const { budget } = await load("plot/energy.ts");
    const a = (...v) => Float64Array.from(v);
    const kinetic = a(0, 3, 0),
        potential = a(-2, -6, -7),
        work = a(0, 1, 2),
        friction = a(0, 1, 3),
        impact = a(0, 1, 4);
    const { layers, supplied, worst } = budget(kinetic, potential, work, friction, impact);
    assert.deepEqual([...layers.at(-1).top], [5, 6, 7]);
    assert.deepEqual([...supplied], [5, 6, 7]);
    close(worst, 0);
    // a joule that comes from nowhere is seen
    close(budget(a(0, 4, 0), potential, work, friction, impact).worst, 1);
});
