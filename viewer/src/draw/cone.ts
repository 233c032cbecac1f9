// The set in which the impulse of a contact may lie, as a surface at the contact: a cone, elliptic where the law has two
// frictions, moved back where the contact bears a pull, or a cylinder where the law has a threshold.
import * as THREE from "three";
import type { Vec3 } from "../measure/geometry";
import type { Allowed } from "../measure/law";

const AROUND = 48;

export interface Surface {
    // corners of triangles
    corners: number[];
    // lines of its border
    lines: [Vec3, Vec3][];
}

const at = (x: Vec3, ...parts: [number, Vec3][]): Vec3 =>
    [0, 1, 2].map((i) => parts.reduce((sum, [s, d]) => sum + s * d[i]!, x[i]!)) as Vec3;

// points around `centre`; in the plane there are two
function ring(centre: Vec3, a: Allowed, r1: number, r2: number, flat: boolean): Vec3[] {
    if (flat) return [at(centre, [r1, a.t1]), at(centre, [-r1, a.t1])];
    return Array.from({ length: AROUND }, (_, k) => {
        const angle = (2 * Math.PI * k) / AROUND;
        return at(centre, [r1 * Math.cos(angle), a.t1], [r2 * Math.sin(angle), a.t2]);
    });
}

const pairs = (points: Vec3[], flat: boolean): [Vec3, Vec3][] =>
    points.slice(0, flat ? 1 : AROUND).map((p, k) => [p, points[(k + 1) % points.length]!]);

// apex at `point`, less the pull; `height` of it is drawn; `scale` makes lengths of impulses
export function coneSurface(
    point: Vec3,
    normal: Vec3,
    a: Allowed,
    height: number,
    scale: number,
    wider: number,
    flat: boolean,
): Surface {
    const apex = at(point, [-scale * a.pull, normal]);
    const round = a.radius > 0;
    const top = at(apex, [height, normal]);
    const [r1, r2] = round
        ? [scale * a.radius, scale * a.radius]
        : [wider * a.mu1 * height, wider * a.mu2 * height];
    const upper = ring(top, a, r1, r2, flat);
    const lower = round ? ring(apex, a, r1, r2, flat) : upper.map(() => apex);
    const out: Surface = { corners: [], lines: [] };
    const [above, below] = [pairs(upper, flat), pairs(lower, flat)];
    above.forEach(([u, v], k) => {
        const [x, y] = below[k]!;
        out.corners.push(...u, ...v, ...y, ...(round ? [...u, ...y, ...x] : []));
    });
    out.lines = flat
        ? upper.map((u, k): [Vec3, Vec3] => [lower[k]!, u])
        : [...above, ...(round ? below : [])];
    return out;
}

export function surfaceGeometry(surface: Surface): THREE.BufferGeometry {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(surface.corners, 3));
    return geometry;
}
