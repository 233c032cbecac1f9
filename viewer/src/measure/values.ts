// Numbers of bodies by which they are coloured, one per row of the frame; NaN where a body has none.
import type { Frame, World } from "../run/types";
import { centreAt } from "./cell";
import { contactImpulse, contactPoint } from "./geometry";
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

// columns that the scene observes come after those that every world has
export const quantitiesOf = (world: World): Quantity[] =>
    world.discs
        ? DISC_QUANTITIES
        : [
              ...QUANTITIES,
              ...world.observed.map((name, k) => ({
                  key: `${OBSERVED}${k}`,
                  name,
                  unit: "",
                  contacts: false,
                  least: 0,
              })),
          ];

const OBSERVED = "observed-";
export const isObserved = (key: string) => key.startsWith(OBSERVED);

export const DISC_QUANTITIES: Quantity[] = [
    { key: "multipliers", name: "sum of multipliers", unit: "m/s", contacts: true, least: 1e-9 },
    { key: "speed", name: "speed since the row before", unit: "m/s", contacts: false, least: 1e-6 },
    { key: "contacts", name: "holds", unit: "", contacts: true, least: 1 },
];

// sizes of vectors within rows of velocities: columns [from, to); plain loops, since frames have many bodies
function sizes(frame: Frame, dim: number, from: number, to: number, out: Float64Array): Float64Array {
    const width = dim === 2 ? 3 : 6;
    for (let k = 0; k < frame.count; k++) {
        let sum = 0;
        for (let c = from; c < to; c++) sum += frame.u[width * k + c]! * frame.u[width * k + c]!;
        out[k] = Math.sqrt(sum);
    }
    return out;
}

// spins are along the principal axes, as the moments of inertia are
function kinetic(world: World, rows: Rows, frame: Frame, out: Float64Array): Float64Array {
    const { bodies, dim } = world;
    const [width, turns] = dim === 2 ? [3, 1] : [6, 3];
    for (let k = 0; k < frame.count; k++) {
        const body = rows.body(frame.id[k]!);
        let energy = 0;
        for (let c = 0; c < width; c++) {
            const u = frame.u[width * k + c]!;
            const inertia = c < dim ? bodies.mass[body]! : bodies.inertia[turns * body + c - dim]!;
            energy += 0.5 * inertia * u * u;
        }
        out[k] = energy;
    }
    return out;
}

// −(1/(dim V)) Σ f·(x_c − x): a third (half) of the trace of the Love–Weber tensor, compression positive
export function pressures(
    world: World,
    rows: Rows,
    frame: Frame,
    h: number,
    out = new Float64Array(frame.count),
): Float64Array {
    const { bodies, dim } = world;
    const contacts = frame.contacts;
    if (!contacts) return out.fill(NaN);
    out.fill(0);
    for (let c = 0; c < contacts.count; c++) {
        const impulse = contactImpulse(contacts, dim, c);
        const point = contactPoint(contacts, dim, c);
        for (const [id, sign] of [
            [contacts.id1[c]!, 1],
            [contacts.id2[c]!, -1],
        ] as const) {
            const row = rows.in(frame, id);
            if (row < 0) continue;
            const x = centreAt(frame, dim, row, point);
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
function perContact(world: World, rows: Rows, frame: Frame, count: boolean, out: Float64Array): Float64Array {
    const contacts = frame.contacts;
    if (!contacts) return out.fill(NaN);
    out.fill(0);
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

// the numbers go to `out`, one per row of the frame, which frames that follow each other may share
export function quantity(
    key: string,
    world: World,
    rows: Rows,
    frame: Frame,
    h: number,
    out = new Float64Array(frame.count),
): Float64Array {
    const ofBody = (table: ArrayLike<number>) => {
        for (let k = 0; k < frame.count; k++) out[k] = table[rows.body(frame.id[k]!)] ?? NaN;
        return out;
    };
    if (isObserved(key)) {
        const [width, column] = [world.observed.length, Number(key.slice(OBSERVED.length))];
        for (let k = 0; k < frame.count; k++) out[k] = frame.observed?.[width * k + column] ?? NaN;
        return out;
    }
    switch (key) {
        case "speed":
            return sizes(frame, world.dim, 0, world.dim, out);
        case "spin":
            return sizes(frame, world.dim, world.dim, world.dim === 2 ? 3 : 6, out);
        case "energy":
            return kinetic(world, rows, frame, out);
        case "pressure":
            return pressures(world, rows, frame, h, out);
        case "contacts":
            return perContact(world, rows, frame, true, out);
        case "multipliers":
            return perContact(world, rows, frame, false, out);
        case "mass":
            return ofBody(world.bodies.mass);
        default:
            return ofBody(world.bodies.group);
    }
}
