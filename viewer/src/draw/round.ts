// Meshes of round solids about an axis: capsules and cylinders.
import { cross, length, tangent3, type Vec3 } from "../measure/geometry";

export interface Mesh {
    position: number[];
    normal: number[];
    index: number[];
    // place from the middle in radii, across the axis (twice) and along it: the signs say in which eighth it lies
    mark: number[];
}

const AROUND = 20;
const CAP = 5;

interface Ring {
    // along the axis from the middle of the end, radius, and the slope of the normal
    end: 0 | 1;
    along: number;
    radius: number;
    normalAlong: number;
}

// rings from one end to the other joined by quads; `breaks` are rings that the next is not joined to
function lathe(a: Vec3, b: Vec3, radius: number, rings: Ring[], breaks: number[]): Mesh {
    const span: Vec3 = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const size = length(span);
    const axis: Vec3 = size > 0 ? [span[0] / size, span[1] / size, span[2] / size] : [0, 0, 1];
    const t = tangent3(axis);
    const s = cross(axis, t);
    const mesh: Mesh = { position: [], normal: [], index: [], mark: [] };
    rings.forEach((ring, r) => {
        const centre = ring.end ? b : a;
        const out = Math.sqrt(Math.max(0, 1 - ring.normalAlong ** 2));
        for (let k = 0; k < AROUND; k++) {
            const [c, d] = [Math.cos((2 * Math.PI * k) / AROUND), Math.sin((2 * Math.PI * k) / AROUND)];
            for (let i = 0; i < 3; i++) {
                const side = c * t[i]! + d * s[i]!;
                mesh.position.push(centre[i]! + ring.along * axis[i]! + ring.radius * side);
                mesh.normal.push(ring.normalAlong * axis[i]! + out * side);
            }
            const along = ring.along + (ring.end ? 0.5 : -0.5) * size;
            mesh.mark.push((ring.radius * c) / radius, (ring.radius * d) / radius, along / radius);
            if (r + 1 === rings.length || breaks.includes(r)) continue;
            const [p, q] = [r * AROUND + k, r * AROUND + ((k + 1) % AROUND)];
            mesh.index.push(p, q, q + AROUND, p, q + AROUND, p + AROUND);
        }
    });
    return mesh;
}

export function capsule(a: Vec3, b: Vec3, radius: number): Mesh {
    const rings: Ring[] = [];
    for (const end of [0, 1] as const) {
        for (let k = 0; k <= CAP; k++) {
            const angle = ((end ? k : k - CAP) / CAP) * (Math.PI / 2);
            rings.push({
                end,
                along: radius * Math.sin(angle),
                radius: radius * Math.cos(angle),
                normalAlong: Math.sin(angle),
            });
        }
    }
    return lathe(a, b, radius, rings, []);
}

export function cylinder(a: Vec3, b: Vec3, radius: number): Mesh {
    const ring = (end: 0 | 1, r: number, normalAlong: number): Ring => ({
        end,
        along: 0,
        radius: r,
        normalAlong,
    });
    return lathe(
        a,
        b,
        radius,
        [
            ring(0, 0, -1),
            ring(0, radius, -1),
            ring(0, radius, 0),
            ring(1, radius, 0),
            ring(1, radius, 1),
            ring(1, 0, 1),
        ],
        [1, 3],
    );
}
