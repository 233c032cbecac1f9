// Sweeps and systems: the path with its events and outlines, and discs shown as the bodies of a world.
import type { RunFile } from "./file";
import type { Bodies, Contacts, Frame, Path, Series, World } from "./types";

// rows of /path that count: all of a finished run, else those the last checkpoint names
export function pathRows(file: RunFile, finished: boolean): number {
    const rows = Math.min(file.rows("/path/t"), file.rows("/path/x"));
    if (finished) return rows;
    const t = file.reals("/frames/t");
    let last = t.length - 1;
    while (last >= 0 && !Number.isFinite(t[last]!)) last--;
    return last < 0 ? 0 : Math.min(rows, file.reals("/frames/path_rows", last, 1)[0]!);
}

function readEvents(file: RunFile): Path["events"] {
    const ends = file.reals("/events/gap_end");
    const gaps = file.u32("/events/gaps");
    const texts: string[] = [];
    let from = 0;
    for (const end of ends) {
        texts.push(Array.from(gaps.subarray(from, end), (g) => g + 1).join(" "));
        from = end;
    }
    return {
        t: file.reals("/events/t"),
        type: file.u8("/events/type"),
        size: file.reals("/events/size"),
        gaps: texts,
    };
}

// the whole path; of a very long one every so many rows, so that at most `most` numbers are read
export function readPath(file: RunFile, rows: number, most: number): Path {
    const n = file.number("coordinates", 1);
    const m = file.number("multipliers", 0);
    const stride = Math.max(1, Math.ceil((rows * (n + 2 * m)) / most));
    const at = (name: string) =>
        file.has(name) ? file.reals(name, 0, Math.min(rows, file.rows(name)), stride) : null;
    return {
        n,
        m,
        discs: file.number("discs", 0) === 1,
        t: at("/path/t")!,
        x: at("/path/x")!,
        u: at("/path/u"),
        lambda: at("/path/lambda"),
        gap: at("/path/gap"),
        events: readEvents(file),
        outlines: {
            t: file.reals("/outlines/t"),
            end: file.reals("/outlines/end"),
            points: file.reals("/outlines/points"),
        },
    };
}

export function readSeries(file: RunFile, most: number): Series {
    const names = file.texts("/series/names", "/series/name_end");
    const width = names.length;
    const valued = file.has("/series/values");
    const rows = Math.min(file.rows("/series/t"), valued ? file.rows("/series/values") : Infinity);
    const stride = Math.max(1, Math.ceil((rows * Math.max(width, 1)) / most));
    const t = file.reals("/series/t", 0, rows, stride);
    const all = valued ? file.reals("/series/values", 0, rows, stride) : new Float64Array(0);
    const columns = names.map((_, c) => Float64Array.from(t, (_v, k) => all[k * width + c]!));
    return { t, names, columns };
}

function discBodies(radius: Float64Array, walls: Float64Array): Bodies {
    const discs = radius.length;
    const count = discs + walls.length / 4;
    const filled = <T extends { fill(v: number): T }>(array: T, value: number) => array.fill(value);
    const ends = Float64Array.from({ length: count }, (_, k) => k + 1);
    const vertexEnd = ends.map((e) => (e <= discs ? e : discs + 2 * (e - discs)));
    const geometry = new Float64Array(4 * count);
    radius.forEach((r, k) => (geometry[4 * k] = r));
    const vertices = new Float64Array(2 * (discs + walls.length / 2));
    vertices.set(walls, 2 * discs);
    const kinds = Uint8Array.from({ length: count }, (_, k) => (k < discs ? 0 : 2));
    return {
        count,
        id: Uint32Array.from(ends),
        kind: kinds.map((k) => (k ? 1 : 0)),
        group: new Uint32Array(count),
        flags: new Uint32Array(count),
        mass: filled(new Float64Array(count), 0),
        area: Float64Array.from(ends, (_, k) => (k < discs ? Math.PI * radius[k]! ** 2 : 0)),
        inertia: new Float64Array(count),
        axes: null,
        names: Array.from(ends, () => ""),
        partEnd: ends,
        vertexEnd,
        faceEnd: null,
        partKind: kinds,
        partVertexFirst: new Uint32Array(count),
        partVertexCount: Uint32Array.from(kinds, (k) => (k ? 2 : 1)),
        partLink: null,
        partGeometry: geometry,
        vertices,
        faces: null,
    };
}

export interface Discs {
    radius: Float64Array;
    walls: Float64Array;
    holdEnd: Float64Array;
}

// discs of a sweep as a world of dimension 2: every row of the path is a frame
export function readDiscs(file: RunFile, rows: number): [World, Discs] {
    const radius = file.reals("/discs/radius");
    const walls = file.has("/discs/walls") ? file.reals("/discs/walls") : new Float64Array(0);
    const holdEnd = file.reals("/path/hold_end", 0, rows);
    const bodies = discBodies(radius, walls);
    const frames = {
        count: rows,
        t: file.reals("/path/t", 0, rows),
        step: file.reals("/path/step", 0, rows),
        bodyCount: new Float64Array(rows).fill(bodies.count),
        contactCount: holdEnd.map((end, k) => end - (k ? holdEnd[k - 1]! : 0)),
        energy: null,
        measures: null,
        counts: null,
    };
    return [
        { dim: 2, gravity: [], groups: [], discs: true, bodies, frames, laws: null, joints: null, observed: [] },
        { radius, walls, holdEnd },
    ];
}

// the nearest point of a segment
function onWall(walls: Float64Array, w: number, x: number, y: number): [number, number] {
    const [ax, ay, bx, by] = [walls[4 * w]!, walls[4 * w + 1]!, walls[4 * w + 2]!, walls[4 * w + 3]!];
    const [dx, dy] = [bx - ax, by - ay];
    const s = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
    return [ax + s * dx, ay + s * dy];
}

function holdContacts(discs: Discs, x: Float64Array, pair: Uint32Array, lambda: Float64Array): Contacts {
    const { radius, walls } = discs;
    const count = lambda.length;
    const c: Contacts = {
        count,
        id1: new Uint32Array(count),
        id2: new Uint32Array(count),
        point: new Float64Array(2 * count),
        normal: new Float64Array(2 * count),
        gap: new Float64Array(count),
        impulse: new Float64Array(2 * count),
        velocity: new Float64Array(2 * count),
        status: new Uint8Array(count),
        law: null,
        memory: null,
    };
    for (let k = 0; k < count; k++) {
        const [a, b] = [pair[2 * k]!, pair[2 * k + 1]!];
        const [ax, ay] = [x[2 * a]!, x[2 * a + 1]!];
        const wall = b >= radius.length;
        const [bx, by] = wall ? onWall(walls, b - radius.length, ax, ay) : [x[2 * b]!, x[2 * b + 1]!];
        const apart = Math.hypot(ax - bx, ay - by) || 1;
        const [nx, ny] = [(ax - bx) / apart, (ay - by) / apart];
        c.id1[k] = a + 1;
        c.id2[k] = b + 1;
        c.normal.set([nx, ny], 2 * k);
        c.point.set([ax - radius[a]! * nx, ay - radius[a]! * ny], 2 * k);
        c.gap[k] = apart - radius[a]! - (wall ? 0 : radius[b]!);
        c.impulse[2 * k] = lambda[k]!;
        c.status[k] = lambda[k]! > 0 ? 1 : 0;
    }
    return c;
}

export function readDiscFrame(file: RunFile, world: World, discs: Discs, k: number): Frame {
    const n = discs.radius.length;
    const before = Math.max(0, k - 1);
    const both = file.reals("/path/x", before, k - before + 1);
    const x = both.subarray(both.length - 2 * n);
    const dt = world.frames.t[k]! - world.frames.t[before]!;
    const count = world.bodies.count;
    const [q, u] = [new Float64Array(3 * count), new Float64Array(3 * count)];
    for (let i = 0; i < n; i++) {
        for (const c of [0, 1]) {
            q[3 * i + c] = x[2 * i + c]!;
            u[3 * i + c] = dt > 0 ? (x[2 * i + c]! - both[2 * i + c]!) / dt : 0;
        }
    }
    const radius = new Float64Array(count);
    radius.set(discs.radius);
    const from = k ? discs.holdEnd[k - 1]! : 0;
    const held = discs.holdEnd[k]! - from;
    const contacts = holdContacts(
        discs,
        x,
        file.u32("/holds/pair", from, held),
        file.reals("/holds/lambda", from, held),
    );
    return {
        index: k,
        t: world.frames.t[k]!,
        count,
        id: world.bodies.id.slice(),
        q,
        u,
        radius,
        contacts,
        observed: null,
        cell: null,
    };
}
