// Numbers of what is picked.
import { friction } from "../measure/cut";
import { allowed, lawOf, mobilised } from "../measure/law";
import { contactPoint, position, spin, tangential, velocity, type Vec3 } from "../measure/geometry";
import type { Rows } from "../measure/rows";
import { number } from "../measure/scale";
import { quantity } from "../measure/values";
import { STATUS_NAMES } from "../measure/colours";
import type { Frame, World } from "../run/types";

export type Rows2 = [string, string][];

export const vector = (v: ArrayLike<number>, dim: number) =>
    Array.from({ length: dim }, (_, i) => number(v[i]!, 4)).join(", ");

const KINDS = ["moves", "fixed", "prescribed motion"];

function title(world: World, rows: Rows, id: number): string {
    const name = world.bodies.names[rows.body(id)];
    return name ? `${name} (${id})` : String(id);
}

export function bodyNumbers(world: World, rows: Rows, frame: Frame, h: number, id: number): Rows2 {
    const body = rows.body(id);
    const row = rows.in(frame, id);
    const { dim, bodies } = world;
    const out: Rows2 = [
        ["body", title(world, rows, id)],
        ["kind", KINDS[bodies.kind[body]!] ?? "?"],
    ];
    if (world.groups.length) out.push(["group", world.groups[bodies.group[body]!] ?? ""]);
    if (bodies.mass[body]! > 0) out.push(["mass, kg", number(bodies.mass[body]!)]);
    if (row < 0) return [...out, ["", "not in this frame"]];
    const turning = spin(frame, bodies, dim, row, body);
    out.push([dim === 2 ? "x, y, m" : "x, y, z, m", vector(position(frame, dim, row), dim)]);
    if (dim === 2 && !world.discs) out.push(["angle, rad", number(frame.q[3 * row + 2]!)]);
    out.push(["velocity, m/s", vector(velocity(frame, dim, row), dim)]);
    if (world.discs) return out;
    out.push(["spin, rad/s", dim === 2 ? number(turning[2]) : vector(turning, 3)]);
    out.push(["kinetic energy, J", number(quantity("energy", world, rows, frame, h)[row]!)]);
    world.observed.forEach((name, c) =>
        out.push([name, number(frame.observed?.[world.observed.length * row + c] ?? NaN)]),
    );
    if (frame.contacts) {
        out.push(["contacts that push", number(quantity("contacts", world, rows, frame, h)[row]!)]);
        out.push([
            dim === 2 ? "pressure, N/m" : "pressure, Pa",
            number(quantity("pressure", world, rows, frame, h)[row]!),
        ]);
    }
    return out;
}

export function contactNumbers(world: World, rows: Rows, frame: Frame, h: number, k: number): Rows2 {
    const c = frame.contacts;
    if (!c || k >= c.count) return [["contact", "not in this frame"]];
    const { dim } = world;
    const at = (values: Float64Array) => Array.from(values.subarray(dim * k, dim * (k + 1)));
    const out: Rows2 = [
        ["contact of", `${title(world, rows, c.id1[k]!)} and ${title(world, rows, c.id2[k]!)}`],
        ["point, m", vector(contactPoint(c, dim, k) as Vec3, dim)],
        ["gap, m", number(c.gap[k]!)],
    ];
    if (world.discs) return [...out, ["multiplier, m/s", number(c.impulse[2 * k]!)]];
    out.push(
        ["state", STATUS_NAMES[c.status[k]!] ?? "?"],
        ["impulse n, t, N s", vector(at(c.impulse), dim)],
        ["normal force, N", number(c.impulse[dim * k]! / h)],
        ["tangential force, N", number(tangential(c.impulse, dim, k) / h)],
        ["velocity n, t, m/s", vector(at(c.velocity), dim)],
        ...lawNumbers(world, rows, frame, h, k),
    );
    return out;
}

// the law of a contact and how much of its friction is used
function lawNumbers(world: World, rows: Rows, frame: Frame, h: number, k: number): Rows2 {
    const law = lawOf(world, frame.contacts!, k);
    const seen = friction(world, rows, frame, k);
    const ratio: [string, string] = ["tangential / normal", number(seen.mobilised, 4)];
    if (!law) {
        const sliding = Number.isNaN(seen.sliding) ? "none of these groups slides" : number(seen.sliding, 4);
        return [ratio, ["law", "not in this file"], ["friction seen sliding", sliding]];
    }
    if (law.registered) return [ratio, ["law", "one of the program's own"]];
    const parts: [string, number][] = [
        ["friction µ", law.friction],
        ["static friction", law.staticFriction],
        ["friction across the axis", law.friction2],
        [`cohesion, ${world.dim === 2 ? "N/m" : "N"}`, law.cohesion],
        [`threshold, ${world.dim === 2 ? "N/m" : "N"}`, law.threshold],
        ["rolling, m", law.rolling],
        ["spinning, m", law.spinning],
        ["restitution", law.restitution],
        ["tangential restitution", law.tangentialRestitution],
    ];
    const a = allowed(world, rows, frame, k, h)!;
    return [
        ratio,
        ...parts
            .filter(([, v], i) => i === 0 || v !== 0)
            .map(([name, v]): [string, string] => [name, number(v, 4)]),
        ...(law.gluey ? [["glue, N s", number(a.pull, 4)] as [string, string]] : []),
        ["friction used", share(mobilised(world, frame, k, a))],
    ];
}

const share = (used: number) => (Number.isFinite(used) ? `${number(100 * used, 4)} %` : "–");

// the same contact in another frame: the one of the same bodies that is nearest
export function sameContact(world: World, old: Frame, k: number, now: Frame): number {
    const [a, b] = [old.contacts, now.contacts];
    if (!a || !b || k < 0 || k >= a.count) return -1;
    if (old === now) return k;
    let [best, nearest] = [-1, Infinity];
    for (let j = 0; j < b.count; j++) {
        if (b.id1[j] !== a.id1[k] || b.id2[j] !== a.id2[k]) continue;
        const [p, q] = [contactPoint(a, world.dim, k), contactPoint(b, world.dim, j)];
        const away = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
        if (away < nearest) [best, nearest] = [j, away];
    }
    return best;
}
