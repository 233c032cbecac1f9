// The resultant of contact forces across a plane, and what friction can be told from a frame.
import type { Frame, World } from "../run/types";
import { centreAt, cutPeriod } from "./cell";
import { contactImpulse, contactPoint, cross, tangential, type Vec3 } from "./geometry";
import type { Rows } from "./rows";

export interface Resultant {
    force: Vec3;
    // about the mean of the contact points, weighted with the size of the normal impulse
    moment: Vec3;
    centre: Vec3;
    contacts: number;
}

// A contact counts when the line it acts along crosses x·axis = place: from centre to centre, or from a centre to the
// contact where the other body is fixed or moved.  The force is that on the side where x·axis is larger.  In a
// periodic cell the cut is taken with its images: a contact counts when its ends are in different slices between them.
export function resultant(
    world: World,
    rows: Rows,
    frame: Frame,
    h: number,
    axis: number,
    place: number,
): Resultant {
    const out: Resultant = { force: [0, 0, 0], moment: [0, 0, 0], centre: [0, 0, 0], contacts: 0 };
    const c = frame.contacts;
    if (!c) return out;
    const { dim, bodies } = world;
    const crossing: [Vec3, Vec3, number][] = [];
    const period = cutPeriod(frame.cell, axis);
    const slice = (x: number) => (period > 0 ? Math.ceil((x - place) / period) : x > place ? 1 : 0);
    let weights = 0;
    for (let k = 0; k < c.count; k++) {
        const point = contactPoint(c, dim, k);
        const ends = [c.id1[k]!, c.id2[k]!].map((id) => {
            const row = rows.in(frame, id);
            return row >= 0 && bodies.kind[rows.body(id)] === 0 ? centreAt(frame, dim, row, point) : point;
        });
        const [first, second] = ends.map((x) => slice(x[axis]!));
        if (first === second) continue;
        const sign = first! > second! ? 1 : -1;
        const force = contactImpulse(c, dim, k).map((s) => (sign * s) / h) as Vec3;
        const weight = Math.abs(c.impulse[dim * k]!);
        crossing.push([point, force, weight]);
        weights += weight;
    }
    for (const [point, , weight] of crossing) {
        for (let i = 0; i < 3; i++)
            out.centre[i]! += weights > 0 ? (weight / weights) * point[i]! : point[i]! / crossing.length;
    }
    for (const [point, force] of crossing) {
        const arm = point.map((p, i) => p - out.centre[i]!) as Vec3;
        const moment = cross(arm, force);
        for (let i = 0; i < 3; i++) {
            out.force[i]! += force[i]!;
            out.moment[i]! += moment[i]!;
        }
    }
    out.contacts = crossing.length;
    return out;
}

export interface Friction {
    // largest ratio of tangential to normal impulse among sliding contacts of the same two groups; NaN: none slides
    sliding: number;
    // that of the contact itself
    mobilised: number;
}

// Run files of earlier programs do not tell coefficients of friction; a sliding contact shows its own.
export function friction(world: World, rows: Rows, frame: Frame, contact: number): Friction {
    const c = frame.contacts!;
    const { dim, bodies } = world;
    const ratio = (k: number) =>
        c.impulse[dim * k]! > 0 ? tangential(c.impulse, dim, k) / c.impulse[dim * k]! : NaN;
    const groups = (k: number) =>
        [c.id1[k]!, c.id2[k]!]
            .map((id) => bodies.group[rows.body(id)] ?? 0)
            .sort((a, b) => a - b)
            .join(" ");
    const wanted = groups(contact);
    let sliding = NaN;
    for (let k = 0; k < c.count; k++) {
        if (c.status[k] !== 2 || groups(k) !== wanted) continue;
        const r = ratio(k);
        if (r > (Number.isNaN(sliding) ? -1 : sliding)) sliding = r;
    }
    return { sliding, mobilised: ratio(contact) };
}
