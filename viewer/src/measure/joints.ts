// Where the joints of a frame are, and the lines that show them.
import type { Frame, Joints, World } from "../run/types";
import { wayBetween } from "./cell";
import { cross, length, orientation, position, rotate, type Vec3 } from "./geometry";
import type { Rows } from "./rows";

export const SPRING = 5;
const TEETH = 12;

export interface JointPlace {
    kind: number;
    // its points on both bodies, in the world
    ends: [Vec3, Vec3];
}

const along = (a: Vec3, s: number, d: Vec3): Vec3 => [a[0] + s * d[0], a[1] + s * d[1], a[2] + s * d[2]];

// null where a body of it is not in the frame
function end(world: World, rows: Rows, frame: Frame, id: number, anchor: Float64Array, k: number): Vec3 | null {
    const { dim } = world;
    const local: Vec3 = [anchor[dim * k]!, anchor[dim * k + 1]!, dim === 3 ? anchor[dim * k + 2]! : 0];
    if (id === 0) return local;
    const row = rows.in(frame, id);
    return row < 0 ? null : along(position(frame, dim, row), 1, rotate(orientation(frame, dim, row), local));
}

function placeOf(world: World, rows: Rows, frame: Frame, joints: Joints, k: number): JointPlace | null {
    if (frame.index < joints.first[k]! || frame.index >= joints.until[k]!) return null;
    const a = end(world, rows, frame, joints.bodies[2 * k]!, joints.anchor1, k);
    const b = end(world, rows, frame, joints.bodies[2 * k + 1]!, joints.anchor2, k);
    if (!a || !b || ![...a, ...b].every(Number.isFinite)) return null;
    return { kind: joints.kind[k]!, ends: [a, b] };
}

export function jointPlaces(world: World, rows: Rows, frame: Frame): JointPlace[] {
    const out: JointPlace[] = [];
    for (let k = 0; world.joints && k < world.joints.count; k++) {
        const place = placeOf(world, rows, frame, world.joints, k);
        if (place) out.push(place);
    }
    return out;
}

// a direction across a way, in the plane of the picture where it lies in that
function across(d: Vec3): Vec3 {
    const axis: Vec3 = Math.abs(d[2]) < 0.9 * length(d) ? [0, 0, 1] : [1, 0, 0];
    const n = cross(axis, d);
    return n.map((v) => v / length(n)) as Vec3;
}

function zigzag(a: Vec3, b: Vec3): [Vec3, Vec3][] {
    const d = b.map((v, i) => v - a[i]!) as Vec3;
    const [n, aside] = [across(d), 0.04 * length(d)];
    const corner = (i: number): Vec3 => {
        const off = i === 0 || i === TEETH ? 0 : i % 2 ? aside : -aside;
        return along(along(a, 0.2 + (0.6 * i) / TEETH, d), off, n);
    };
    const points = [a, ...Array.from({ length: TEETH + 1 }, (_, i) => corner(i)), b];
    return points.slice(1).map((p, i): [Vec3, Vec3] => [points[i]!, p]);
}

// lines from one point to the other, through the faces of a cell; none where they coincide but for rounding
export function jointLines(frame: Frame, place: JointPlace): [Vec3, Vec3][] {
    const [a, b] = place.ends;
    const apart = length(b.map((v, i) => v - a[i]!) as Vec3);
    if (!(apart > 1e-9 * Math.max(...a.map(Math.abs), ...b.map(Math.abs)))) return [];
    const ways = wayBetween(frame.cell, a, b);
    return place.kind === SPRING && ways.length === 1 ? zigzag(a, b) : ways;
}
