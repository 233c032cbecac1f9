// Caches, playback, archives and pictures of sets.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { load } from "../support/load.mjs";

test("the block cache reads across blocks, stays bounded and reads ahead", async () => {
    const { BlockCache } = await load("source/bytes.ts");
    const size = 5 * 1024 * 1024 + 17;
    const asked = [];
    const at = (k) => (k * 7 + (k >> 8)) & 255;
    const source = {
        size,
        measure() {},
        fetch(from, to) {
            asked.push([from, to]);
            return Uint8Array.from({ length: to - from }, (_, k) => at(from + k));
        },
    };
    const cache = new BlockCache(source, 4);
    const into = new Uint8Array(300000);
    assert.equal(cache.read(into, 100000), 300000);
    assert.ok(into.every((v, k) => v === at(100000 + k)));
    // past the end only what is there
    assert.equal(cache.read(into, size - 5), 5);
    assert.equal(cache.read(into, size + 5), 0);
    // in a row: fewer requests than blocks
    const before = cache.requests;
    for (let k = 0; k < 20; k++) cache.read(into.subarray(0, 1), k * 256 * 1024);
    assert.ok(cache.requests - before < 12, `${cache.requests - before} requests`);
    assert.ok(asked.every(([from, to]) => to - from <= 1024 * 1024));
    assert.ok(cache.blocks.size <= 4);
});

test("the block cache asks anew when the same bytes are read twice in a row, and gives up in the end", async () => {
    const { BlockCache } = await load("source/bytes.ts");
    let now = 1;
    const source = { size: 600000, measure() {}, fetch: (from, to) => new Uint8Array(to - from).fill(now) };
    const cache = new BlockCache(source);
    const into = new Uint8Array(8);
    cache.read(into, 262140);
    now = 2;
    // another read in between: what is kept will do
    cache.read(into, 0);
    cache.read(into, 262140);
    assert.ok(into.every((v) => v === 1));
    // both blocks that the read lies in
    cache.read(into, 262140);
    assert.ok(into.every((v) => v === 2));
    cache.begin();
    now = 3;
    cache.read(into, 262140);
    assert.ok(into.every((v) => v === 2));
    assert.throws(() => {
        for (let k = 0; k < 100; k++) cache.read(into, 262140);
    }, /stays damaged/);
    cache.begin();
    assert.equal(cache.read(into, 262140), 8);
});

test("the frame cache drops the oldest once it is full", async () => {
    const { ByteCache } = await load("frames.ts");
    const cache = new ByteCache(100);
    for (let k = 0; k < 10; k++) cache.set(k, { data: new Uint8Array(40) });
    assert.ok(cache.total <= 100 && cache.size === 2);
    assert.ok(cache.get(9) && cache.get(8) && !cache.get(0));
    cache.get(8);
    cache.set(10, { data: new Uint8Array(40) });
    assert.ok(cache.get(8) && !cache.get(9));
    cache.set(11, { data: new Uint8Array(400) });
    assert.equal(cache.size, 1);
});

test("playback finds frames by time and a fitting speed", async () => {
    const { rowAt, ordinarySpeed } = await load("ui/player.ts");
    const times = [0, 0.1, 0.2, 0.2, 0.5];
    assert.equal(rowAt(times, 5, -1), 0);
    assert.equal(rowAt(times, 5, 0.15), 1);
    assert.equal(rowAt(times, 5, 0.2), 3);
    assert.equal(rowAt(times, 5, 9), 4);
    assert.equal(ordinarySpeed(10), 1);
    assert.ok(ordinarySpeed(0.12) <= 0.02);
    assert.ok(ordinarySpeed(3600) >= 100);
});

test("archives open with unzip", async (t) => {
    const { zip, crc32 } = await load("ui/zip.ts");
    assert.equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926);
    const parts = zip([
        { name: "a.txt", bytes: new TextEncoder().encode("hello") },
        { name: "b/ü.bin", bytes: new Uint8Array(1000) },
    ]);
    const folder = mkdtempSync(join(tmpdir(), "zip-"));
    const file = join(folder, "x.zip");
    writeFileSync(file, Buffer.concat(parts));
    const test_ = spawnSync("python3", [
        "-c",
        "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), z.namelist(), z.read('a.txt'))",
        file,
    ]);
    rmSync(folder, { recursive: true });
    if (test_.error) return t.skip("no python3");
    assert.equal(test_.stdout.toString().trim(), "None ['a.txt', 'b/ü.bin'] b'hello'");
});

test("the inside of a set on the line, also where the point touches", async () => {
    const { crossings, cavity } = await load("path/cavity.ts");
    const borders = [
        {
            points: [
                [0, -1],
                [10, -1],
            ],
        },
        {
            points: [
                [0, 1],
                [10, 1],
            ],
        },
    ];
    const cross = crossings(borders, [1, 5, 9]);
    assert.deepEqual(cross, [
        [-1, 1],
        [-1, 1],
        [-1, 1],
    ]);
    // on the right border at 5: the inside is to the left, as before and after
    assert.deepEqual(cavity(cross, [0, 1, 1], 1e-9), [
        [-1, 1],
        [-1, 1],
        [-1, 1],
    ]);
    assert.deepEqual(cavity(cross, [-1, -1, 0], 1e-9), [
        [-1, 1],
        [-1, 1],
        [-1, 1],
    ]);
});

test("curves of a scene's plot share an axis", async () => {
    const { merge } = await load("plot/charts.ts");
    const [x, [a, b]] = merge([
        { x: [0, 2], y: [5, null] },
        { x: [1, 2], y: [7, 8] },
    ]);
    assert.deepEqual(x, [0, 1, 2]);
    assert.deepEqual(a, [5, undefined, null]);
    assert.deepEqual(b, [undefined, 7, 8]);
});

test("meshes of round solids have outward normals and their radius", async () => {
    const { capsule, cylinder } = await load("draw/round.ts");
    for (const mesh of [capsule([0, 0, -1], [0, 0, 1], 0.5), cylinder([0, 0, -1], [0, 0, 1], 0.5)]) {
        for (let k = 0; k < mesh.position.length; k += 3) {
            const [x, y, z] = mesh.position.slice(k, k + 3);
            assert.ok(Math.hypot(x, y) <= 0.5 + 1e-12 && Math.abs(z) <= 1.5 + 1e-12);
            // about the axis z the tangents are x and y, and places are in radii
            mesh.mark.slice(k, k + 3).forEach((v, i) => assert.ok(Math.abs(v - [x, y, z][i] / 0.5) < 1e-12));
        }
        for (let k = 0; k < mesh.index.length; k += 3) {
            const [a, b, c] = mesh.index.slice(k, k + 3).map((i) => mesh.position.slice(3 * i, 3 * i + 3));
            const [u, v] = [b.map((w, i) => w - a[i]), c.map((w, i) => w - a[i])];
            const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            // convex about the origin: the normal looks away from it
            assert.ok(n[0] * a[0] + n[1] * a[1] + n[2] * a[2] >= -1e-12);
        }
    }
});
