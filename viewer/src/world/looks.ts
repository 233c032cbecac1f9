// Sides from which a world in space is seen, with the vertical axis against gravity.
import { cross, type Vec3 } from "../measure/geometry";
import type { World } from "../run/types";

// the coordinate axis nearest to being against gravity; z without gravity
export function upOf(world: World): Vec3 {
    if (world.dim === 2) return [0, 1, 0];
    const g = world.gravity;
    let axis = 2;
    for (const k of [0, 1]) if (Math.abs(g[k] ?? 0) > Math.abs(g[axis] ?? 0)) axis = k;
    const up: Vec3 = [0, 0, 0];
    up[axis] = (g[axis] ?? 0) > 0 ? -1 : 1;
    return up;
}

// two level axes: right and away as seen from the front
function level(up: Vec3): [Vec3, Vec3] {
    const right: Vec3 = Math.abs(up[0]) > 0.5 ? [0, 1, 0] : [1, 0, 0];
    return [right, cross(up, right)];
}

const sum = (a: number, u: Vec3, b: number, v: Vec3, c: number, w: Vec3): Vec3 =>
    [0, 1, 2].map((i) => a * u[i]! + b * v[i]! + c * w[i]!) as Vec3;

// directions to look from: front, side, top, oblique
export const LOOKS: Record<number, (up: Vec3) => Vec3> = {
    1: (up) => sum(0, level(up)[0], -1, level(up)[1], 0, up),
    2: (up) => sum(1, level(up)[0], 0, level(up)[1], 0, up),
    3: (up) => sum(0, level(up)[0], -1e-4, level(up)[1], 1, up),
    4: (up) => sum(0.46, level(up)[0], -0.8, level(up)[1], 0.38, up),
};
