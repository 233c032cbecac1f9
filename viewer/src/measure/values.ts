// Numbers of bodies by which they are coloured, one per row of the frame; NaN where a body has none.
import type { Frame, World } from "../run/types";
import { contactImpulse, contactPoint, position } from "./geometry";
import type { Rows } from "./rows";

export interface Quantity {
    key: string;
    name: string;
    unit: string;
    contacts: boolean;
    // scales do not end below this: what is smaller is rest
    least: number;
}

export const QUANTITIES: Quantity[] = [
    { key: "speed", name: "speed", unit: "m/s", contacts: false, least: 1e-6 },
    { key: "spin", name: "spin", unit: "rad/s", contacts: false, least: 1e-6 },
    { key: "energy", name: "kinetic energy", unit: "J", contacts: false, least: 1e-12 },
    { key: "pressure", name: "pressure", unit: "Pa", contacts: true, least: 1e-6 },
    { key: "contacts", name: "contacts that push", unit: "", contacts: true, least: 1 },
    { key: "mass", name: "mass", unit: "kg", contacts: false, least: 0 },
    { key: "group", name: "group", unit: "", contacts: false, least: 0 },
];

export const DISC_QUANTITIES: Quantity[] = [
    { key: "multipliers", name: "sum of multipliers", unit: "m/s", contacts: true, least: 1e-9 },
    { key: "speed", name: "speed since the row before", unit: "m/s", contacts: false, least: 1e-6 },
    { key: "contacts", name: "holds", unit: "", contacts: true, least: 1 },
];

// sizes of vectors within rows of velocities: columns [from, to); plain loops, since frames have many bodies
function sizes(frame: Frame, dim: number, from: number, to: number): Float64Array {
    const width = dim === 2 ? 3 : 6;
    const out = new Float64Array(frame.count);
    for (let k = 0; k < frame.count; k++) {
        let sum = 0;
        for (let c = from; c < to; c++) sum += frame.u[width * k + c]! ** 2;
        out[k] = Math.sqrt(sum);
    }
    return out;
}

// spins are along the principal axes, as the moments of inertia are
function kinetic(world: World, rows: Rows, frame: Frame): Float64Array {
    const { bodies, dim } = world;
    return Float64Array.from({ length: frame.count }, (_, k) => {
        const body = rows.body(frame.id[k]!);
        if (dim === 2) {
            const [vx, vy, w] = [frame.u[3 * k]!, frame.u[3 * k + 1]!, frame.u[3 * k + 2]!];
            return 0.5 * (bodies.mass[body]! * (vx * vx + vy * vy) + bodies.inertia[body]! * w * w);
        }
        let energy = 0;
        for (let c = 0; c < 3; c++) {
            energy += 0.5 * bodies.mass[body]! * frame.u[6 * k + c]! ** 2;
            energy += 0.5 * bodies.inertia[3 * body + c]! * frame.u[6 * k + 3 + c]! ** 2;
        }
        return energy;
    });
}

// −(1/(dim V)) Σ f·(x_c − x): a third (half) of the trace of the Love–Weber tensor, compression positive
export function pressures(world: World, rows: Rows, frame: Frame, h: number): Float64Array {
    const { bodies, dim } = world;
    const out = new Float64Array(frame.count);
    const contacts = frame.contacts;
    if (!contacts) return out.fill(NaN);
    for (let c = 0; c < contacts.count; c++) {
        const impulse = contactImpulse(contacts, dim, c);
        const point = contactPoint(contacts, dim, c);
        for (const [id, sign] of [
            [contacts.id1[c]!, 1],
            [contacts.id2[c]!, -1],
        ] as const) {
            const row = rows.in(frame, id);
            if (row < 0) continue;
            const x = position(frame, dim, row);
            let work = 0;
            for (let i = 0; i < dim; i++) work += sign * impulse[i]! * (point[i]! - x[i]!);
            out[row]! -= work;
        }
    }
    for (let k = 0; k < frame.count; k++) {
        const volume = bodies.area[rows.body(frame.id[k]!)]!;
        out[k] = volume > 0 ? out[k]! / (dim * volume * h) : NaN;
    }
    return out;
}

// of contacts that push: how many a body has, or the sum of their normal impulses
function perContact(world: World, rows: Rows, frame: Frame, count: boolean): Float64Array {
    const out = new Float64Array(frame.count);
    const contacts = frame.contacts;
    if (!contacts) return out.fill(NaN);
    for (let c = 0; c < contacts.count; c++) {
        const normal = contacts.impulse[world.dim * c]!;
        if (normal === 0) continue;
        for (const id of [contacts.id1[c]!, contacts.id2[c]!]) {
            const row = rows.in(frame, id);
            if (row >= 0) out[row]! += count ? 1 : normal;
        }
    }
    return out;
}

export function quantity(key: string, world: World, rows: Rows, frame: Frame, h: number): Float64Array {
    const ofBody = (table: ArrayLike<number>) =>
        Float64Array.from({ length: frame.count }, (_, k) => table[rows.body(frame.id[k]!)] ?? NaN);
    switch (key) {
        case "speed":
            return sizes(frame, world.dim, 0, world.dim);
        case "spin":
            return sizes(frame, world.dim, world.dim, world.dim === 2 ? 3 : 6);
        case "energy":
            return kinetic(world, rows, frame);
        case "pressure":
            return pressures(world, rows, frame, h);
        case "contacts":
            return perContact(world, rows, frame, true);
        case "multipliers":
            return perContact(world, rows, frame, false);
        case "mass":
            return ofBody(world.bodies.mass);
        default:
            return ofBody(world.bodies.group);
    }
}
