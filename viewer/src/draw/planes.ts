// Planes of a world as patches around what is in view; a plane ends where another begins, so that a box is a room.
import * as THREE from "three";
import { cross, dot, tangent3, type Vec3 } from "../measure/geometry";
import { tickStep } from "../measure/scale";
import { material, PLANE, type Shared } from "./materials";
import type { Flat } from "./shapes";

// the part of a polygon where n·x ≥ offset
export function clip(polygon: Vec3[], normal: Vec3, offset: number): Vec3[] {
    const out: Vec3[] = [];
    polygon.forEach((a, k) => {
        const b = polygon[(k + 1) % polygon.length]!;
        const [da, db] = [dot(a, normal) - offset, dot(b, normal) - offset];
        if (da >= 0) out.push(a);
        if (da >= 0 === db >= 0) return;
        const s = da / (da - db);
        out.push([a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]), a[2] + s * (b[2] - a[2])]);
    });
    return out;
}

// a patch with the directions along it; its lines count from the origin of its body
interface Patch {
    corners: Vec3[];
    t: Vec3;
    s: Vec3;
}

function patch(plane: Flat, others: Flat[], centre: Vec3, reach: number, flat: boolean): Patch {
    const n = plane.normal;
    const along = dot(centre, n) - plane.offset;
    const foot = centre.map((c, i) => c - along * n[i]!) as Vec3;
    if (flat) {
        // below the edge: n·x from the offset down
        const t: Vec3 = [-n[1], n[0], 0];
        const down: Vec3 = [-n[0], -n[1], 0];
        const corner = (a: number, b: number) => foot.map((f, i) => f + a * t[i]! + b * down[i]!) as Vec3;
        return {
            corners: [corner(-reach, 0), corner(-reach, reach), corner(reach, reach), corner(reach, 0)],
            t,
            s: down,
        };
    }
    const t = tangent3(n);
    const s = cross(n, t);
    const corner = (a: number, b: number) => foot.map((f, i) => f + reach * (a * t[i]! + b * s[i]!)) as Vec3;
    let corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
    for (const other of others) {
        if (other !== plane && Math.abs(dot(other.normal, n)) < 0.999)
            corners = clip(corners, other.normal, other.offset);
    }
    return { corners, t, s };
}

// `place`: where a plane's body is; patches are in its frame
export function planeMesh(
    planes: Flat[],
    shared: Shared,
    centre: Vec3,
    reach: number,
    flat: boolean,
    place: (row: number) => Vec3,
): THREE.Mesh {
    const [position, row, grid, index]: number[][] = [[], [], [], []];
    const spacing = tickStep(reach, 6);
    for (const plane of planes) {
        const at = place(plane.row);
        // the others as they are in this body's frame
        const others = planes.map((other) => {
            const apart = place(other.row).map((c, i) => c - at[i]!) as Vec3;
            return other === plane ? plane : { ...other, offset: other.offset + dot(apart, other.normal) };
        });
        const seen = centre.map((c, i) => c - at[i]!) as Vec3;
        const { corners, t, s } = patch(plane, others, seen, flat ? 40 * reach : reach, flat);
        const base = row!.length;
        corners.forEach((c, k) => {
            position!.push(...c);
            row!.push(plane.row);
            if (flat) grid!.push(dot(c, t), -(dot(c, plane.normal) - plane.offset));
            else grid!.push(dot(c, t) / spacing, dot(c, s) / spacing);
            if (k > 1) index!.push(base, base + k - 1, base + k);
        });
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(position!, 3));
    geometry.setAttribute("aRow", new THREE.Float32BufferAttribute(row!, 1));
    geometry.setAttribute("aGrid", new THREE.Float32BufferAttribute(grid!, 2));
    geometry.setIndex(index!);
    const look = material(
        PLANE,
        shared,
        {
            uLine: { value: new THREE.Color() },
            uFill: { value: new THREE.Color() },
            uReach: { value: 1.2 * reach },
            uLift: { value: 0 },
        },
        {
            transparent: true,
            depthWrite: false,
            depthTest: !flat,
            side: flat ? THREE.DoubleSide : THREE.FrontSide,
        },
    );
    const mesh = new THREE.Mesh(geometry, look);
    mesh.frustumCulled = false;
    mesh.renderOrder = -2;
    return mesh;
}
