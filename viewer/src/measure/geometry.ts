// Places, turns and tangents of bodies and contacts, in the conventions of the run file.
import type { Bodies, Contacts, Frame } from "../run/types";

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];

// quaternions are w, x, y, z
export function quatMultiply(a: Quat, b: Quat): Quat {
    return [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ];
}

export function rotate(q: Quat, v: Vec3): Vec3 {
    const [w, x, y, z] = q;
    const t: Vec3 = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
    return [
        v[0] + w * t[0] + y * t[2] - z * t[1],
        v[1] + w * t[1] + z * t[0] - x * t[2],
        v[2] + w * t[2] + x * t[1] - y * t[0],
    ];
}

export const cross = (a: Vec3, b: Vec3): Vec3 => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);

// the first tangent of a contact in space, a function of its unit normal alone: docs/format.md
export function tangent3(n: Vec3): Vec3 {
    const e = n[2] < 0 || Object.is(n[2], -0) ? -1 : 1;
    const a = -1 / (e + n[2]);
    return [e + a * n[0] * n[0], a * n[0] * n[1], -n[0]];
}

export function position(frame: Frame, dim: number, row: number): Vec3 {
    const q = frame.q;
    return dim === 2 ? [q[3 * row]!, q[3 * row + 1]!, 0] : [q[7 * row]!, q[7 * row + 1]!, q[7 * row + 2]!];
}

export function orientation(frame: Frame, dim: number, row: number): Quat {
    const q = frame.q;
    if (dim === 2) return [Math.cos(q[3 * row + 2]! / 2), 0, 0, Math.sin(q[3 * row + 2]! / 2)];
    return [q[7 * row + 3]!, q[7 * row + 4]!, q[7 * row + 5]!, q[7 * row + 6]!];
}

export function velocity(frame: Frame, dim: number, row: number): Vec3 {
    const u = frame.u;
    return dim === 2 ? [u[3 * row]!, u[3 * row + 1]!, 0] : [u[6 * row]!, u[6 * row + 1]!, u[6 * row + 2]!];
}

const TURNS = 32;

// spin in world axes: in space it is recorded along the principal axes
export function spin(frame: Frame, bodies: Bodies, dim: number, row: number, body: number): Vec3 {
    if (dim === 2) return [0, 0, frame.u[3 * row + 2]!];
    const w: Vec3 = [frame.u[6 * row + 3]!, frame.u[6 * row + 4]!, frame.u[6 * row + 5]!];
    if (!(bodies.flags[body]! & TURNS) || !bodies.axes) return w;
    const axes = bodies.axes.subarray(4 * body, 4 * body + 4);
    return rotate(quatMultiply(orientation(frame, dim, row), [axes[0]!, axes[1]!, axes[2]!, axes[3]!]), w);
}

const at = (array: Float64Array, dim: number, k: number): Vec3 => [
    array[dim * k]!,
    array[dim * k + 1]!,
    dim === 3 ? array[dim * k + 2]! : 0,
];

export const contactPoint = (c: Contacts, dim: number, k: number): Vec3 => at(c.point, dim, k);
export const contactNormal = (c: Contacts, dim: number, k: number): Vec3 => at(c.normal, dim, k);

// impulse on body 1 in world axes
export function contactImpulse(c: Contacts, dim: number, k: number): Vec3 {
    const n = contactNormal(c, dim, k);
    if (dim === 2) {
        const [rn, rt] = [c.impulse[2 * k]!, c.impulse[2 * k + 1]!];
        return [rn * n[0] - rt * n[1], rn * n[1] + rt * n[0], 0];
    }
    const t = tangent3(n);
    const s = cross(n, t);
    const [rn, r1, r2] = [c.impulse[3 * k]!, c.impulse[3 * k + 1]!, c.impulse[3 * k + 2]!];
    return [0, 1, 2].map((i) => rn * n[i]! + r1 * t[i]! + r2 * s[i]!) as Vec3;
}

// size of the tangential part
export function tangential(values: Float64Array, dim: number, k: number): number {
    return dim === 2 ? Math.abs(values[2 * k + 1]!) : Math.hypot(values[3 * k + 1]!, values[3 * k + 2]!);
}
