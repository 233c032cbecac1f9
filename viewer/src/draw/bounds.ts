// What a picture should show: the moving bodies without those that flew away, the walls near them, what joints hold
// them, and a periodic cell.
import { includeCell } from "../measure/cell";
import { position, type Vec3 } from "../measure/geometry";
import { jointPlaces } from "../measure/joints";
import type { Rows } from "../measure/rows";
import { quantile } from "../measure/scale";
import type { Frame, World } from "../run/types";

export interface Bounds {
    low: Vec3;
    high: Vec3;
    centre: Vec3;
    radius: number;
}

export function bounds(low: Vec3, high: Vec3): Bounds {
    const centre = low.map((v, i) => 0.5 * (v + high[i]!)) as Vec3;
    const radius = 0.5 * Math.hypot(...low.map((v, i) => high[i]! - v));
    return { low, high, centre, radius: radius > 0 ? radius : 1 };
}

interface Boxes {
    low: number[][];
    high: number[][];
}

function collect(world: World, rows: Rows, frames: Frame[], moving: boolean): Boxes {
    const out: Boxes = { low: [[], [], []], high: [[], [], []] };
    for (const frame of frames) {
        for (let k = 0; k < frame.count; k++) {
            const body = rows.body(frame.id[k]!);
            const radius = frame.radius[k]!;
            if (body < 0 || (world.bodies.kind[body] === 0) !== moving || !Number.isFinite(radius)) continue;
            const x = position(frame, world.dim, k);
            if (!x.every(Number.isFinite) || (!moving && radius === 0)) continue;
            for (let i = 0; i < world.dim; i++) {
                out.low[i]!.push(x[i]! - radius);
                out.high[i]!.push(x[i]! + radius);
            }
        }
    }
    return out;
}

// corners of walls, as large as they are
function wallBox(world: World, rows: Rows, frame: Frame): [Vec3, Vec3] | null {
    const { bodies, dim } = world;
    const [low, high]: [Vec3, Vec3] = [
        [Infinity, Infinity, dim === 2 ? 0 : Infinity],
        [-Infinity, -Infinity, dim === 2 ? 0 : -Infinity],
    ];
    for (let body = 0; body < bodies.count; body++) {
        const row = bodies.kind[body] === 0 ? -1 : rows.in(frame, bodies.id[body]!);
        if (row < 0) continue;
        const x = position(frame, dim, row);
        for (let v = body ? bodies.vertexEnd[body - 1]! : 0; v < bodies.vertexEnd[body]!; v++) {
            for (let i = 0; i < dim; i++) {
                const c = x[i]! + bodies.vertices[dim * v + i]!;
                low[i] = Math.min(low[i]!, c);
                high[i] = Math.max(high[i]!, c);
            }
        }
    }
    return low[0] <= high[0] ? [low, high] : null;
}

// makes a box [low, high] by axes as wide as joints of which one point lies in it
function includeJoints(world: World, rows: Rows, frame: Frame, box: number[][]): void {
    const whole = box.map((side) => [...side]);
    const inside = (x: Vec3) => x.every((v, i) => v >= whole[i]![0]! && v <= whole[i]![1]!);
    for (const { ends } of frame.cell ? [] : jointPlaces(world, rows, frame)) {
        for (const x of ends.some(inside) ? ends : [])
            x.forEach((v, i) => (box[i] = [Math.min(box[i]![0]!, v), Math.max(box[i]![1]!, v)]));
    }
}

export function worldBounds(world: World, rows: Rows, frames: Frame[]): Bounds {
    const { low, high } = collect(world, rows, frames, true);
    const walls = frames.length ? wallBox(world, rows, frames[frames.length - 1]!) : null;
    const none = low[0]!.length === 0;
    if (none) return walls ? bounds(...walls) : bounds([-1, -1, 0], [1, 1, 0]);
    const box = [0, 1, 2].map((i) => {
        if (i >= world.dim) return [0, 0];
        // the outermost thousandth goes when it is far away
        const [a, b] = [quantile(low[i]!, 0.001), quantile(high[i]!, 0.999)];
        const margin = b - a;
        const least = low[i]!.reduce((m, v) => Math.min(m, v), Infinity);
        const most = high[i]!.reduce((m, v) => Math.max(m, v), -Infinity);
        return [Math.max(least, a - margin), Math.min(most, b + margin)];
    });
    const reach = 0.12 * Math.max(...box.map(([a, b]) => b! - a!));
    if (walls) {
        box.forEach((side, i) => {
            side[0] = Math.min(side[0]!, Math.max(walls[0][i]!, side[0]! - reach));
            side[1] = Math.max(side[1]!, Math.min(walls[1][i]!, side[1]! + reach));
        });
    }
    for (const frame of frames) includeJoints(world, rows, frame, box);
    for (const { cell } of frames) if (cell) includeCell(cell, box);
    return bounds(box.map((b) => b[0]!) as Vec3, box.map((b) => b[1]!) as Vec3);
}
