// The law of a contact as the file tells it, and what the law leaves open to its impulse: a cone, or a cylinder.
import type { Contacts, Frame, World } from "../run/types";
import {
    contactImpulse,
    contactNormal,
    cross,
    dot,
    length,
    orientation,
    rotate,
    tangent3,
    tangential,
    type Vec3,
} from "./geometry";
import type { Rows } from "./rows";

export interface Law {
    friction: number;
    restitution: number;
    tangentialRestitution: number;
    staticFriction: number;
    friction2: number;
    axis: Vec3;
    cohesion: number;
    gluey: boolean;
    threshold: number;
    rolling: number;
    spinning: number;
    registered: boolean;
}

const COLUMNS = 14;

// the law of a contact; null: the file does not tell it
export function lawOf(world: World, c: Contacts, k: number): Law | null {
    const row = c.law?.[k] ?? 0;
    const x = world.laws?.subarray(COLUMNS * (row - 1), COLUMNS * row);
    if (row === 0 || !x || x.length < COLUMNS) return null;
    return {
        friction: x[0]!,
        restitution: x[1]!,
        tangentialRestitution: x[2]!,
        staticFriction: x[3]!,
        friction2: x[4]!,
        axis: [x[5]!, x[6]!, x[7]!],
        cohesion: x[8]!,
        gluey: x[9]! !== 0,
        threshold: x[10]!,
        rolling: x[11]!,
        spinning: x[12]!,
        registered: x[13]! !== 0,
    };
}

const turned = (law: Law) => law.axis.some((a) => a !== 0);

// Where the impulse S of a contact may lie: S + pull n is in the cone |S_1/mu1|² + |S_2/mu2|² ≤ S_N², or, with a
// threshold, in the cylinder |S_T| ≤ radius.
export interface Allowed {
    // tangents; the second is missing in the plane
    t1: Vec3;
    t2: Vec3;
    mu1: number;
    mu2: number;
    // how many times wider the cone is for a contact that has not slid in the step before
    still: number;
    // N s
    pull: number;
    radius: number;
}

// the tangent along which a law with two frictions has the first of them
function lawTangent(world: World, rows: Rows, frame: Frame, k: number, law: Law): Vec3 {
    const c = frame.contacts!;
    const n = contactNormal(c, 3, k);
    const moves = (id: number) => world.bodies.kind[rows.body(id)] === 0;
    const owner = moves(c.id1[k]!) && !moves(c.id2[k]!) ? c.id2[k]! : c.id1[k]!;
    const row = rows.in(frame, owner);
    const axis = row < 0 ? law.axis : rotate(orientation(frame, 3, row), law.axis);
    const along = dot(axis, n);
    const t = axis.map((a, i) => a - along * n[i]!) as Vec3;
    const size = length(t);
    return size > 1e-6 * length(axis) ? (t.map((v) => v / size) as Vec3) : tangent3(n);
}

// null where the law is not known or is one that was registered from C
export function allowed(world: World, rows: Rows, frame: Frame, k: number, h: number): Allowed | null {
    const c = frame.contacts!;
    const law = lawOf(world, c, k);
    if (!law || law.registered) return null;
    const { dim } = world;
    const n = contactNormal(c, dim, k);
    const t1 =
        dim === 2
            ? ([-n[1], n[0], 0] as Vec3)
            : turned(law)
              ? lawTangent(world, rows, frame, k, law)
              : tangent3(n);
    const glue = law.gluey ? Math.max(0, -(c.memory?.[k] ?? 0)) : 0;
    const sticky = law.staticFriction > law.friction && law.threshold === 0;
    return {
        t1,
        t2: dim === 2 ? [0, 0, 0] : cross(n, t1),
        mu1: law.friction,
        mu2: turned(law) ? law.friction2 : law.friction,
        still: sticky ? law.staticFriction / law.friction : 1,
        pull: h * law.cohesion + glue,
        radius: h * law.threshold,
    };
}

// how much of the friction there is a contact uses: 1 on the border of the cone; NaN where nothing can be used
export function mobilised(world: World, frame: Frame, k: number, a: Allowed): number {
    const c = frame.contacts!;
    const S = contactImpulse(c, world.dim, k);
    const normal = c.impulse[world.dim * k]! + a.pull;
    if (a.radius > 0) return tangential(c.impulse, world.dim, k) / a.radius;
    const part = (t: Vec3, mu: number) => {
        const s = Math.abs(dot(S, t));
        return mu > 0 ? s / (mu * normal) : s > 0 ? Infinity : 0;
    };
    return normal > 0 ? Math.hypot(part(a.t1, a.mu1), world.dim === 3 ? part(a.t2, a.mu2) : 0) : NaN;
}

// By how much the contacts of a frame miss Coulomb's law, as they were recorded: without restitution, cohesion and
// other additions the law holds between impulse and velocity as they are.
export interface Misses {
    contacts: number;
    // largest −U_N, m/s
    approach: number;
    // largest |S_T| − µ S_N or −S_N, N s
    outside: number;
    // largest U·S + µ |U_T| S_N, J: 0 where the pair obeys the law
    bipotential: number;
}

function isPlain(law: Law, status: number): boolean {
    const sticks = law.staticFriction > law.friction && status !== 2;
    return (
        !law.registered &&
        !turned(law) &&
        !law.gluey &&
        !sticks &&
        law.restitution === 0 &&
        law.tangentialRestitution === 0 &&
        law.cohesion === 0 &&
        law.threshold === 0 &&
        law.rolling === 0 &&
        law.spinning === 0
    );
}

export function misses(world: World, frame: Frame): Misses | null {
    const c = frame.contacts;
    const { dim } = world;
    const out: Misses = { contacts: 0, approach: 0, outside: 0, bipotential: 0 };
    const laws = new Map<number, Law | null>();
    for (let k = 0; c?.law && k < c.count; k++) {
        const row = c.law[k]!;
        if (!laws.has(row)) laws.set(row, lawOf(world, c, k));
        const law = laws.get(row);
        if (!law || !isPlain(law, c.status[k]!)) continue;
        const [S, U] = [c.impulse, c.velocity];
        const [normal, approach] = [S[dim * k]!, U[dim * k]!];
        let power = 0;
        for (let i = 0; i < dim; i++) power += S[dim * k + i]! * U[dim * k + i]!;
        out.contacts++;
        out.approach = Math.max(out.approach, -approach);
        out.outside = Math.max(out.outside, -normal, tangential(S, dim, k) - law.friction * normal);
        out.bipotential = Math.max(out.bipotential, power + law.friction * tangential(U, dim, k) * normal);
    }
    return out.contacts > 0 ? out : null;
}
