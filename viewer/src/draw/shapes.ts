// Shapes of the table of bodies as geometry: balls (discs, spheres), meshes with edges, planes and segments.
// All is in the frame of its body; the row of the body goes with every vertex.
import { cross, length, type Vec3 } from "../measure/geometry";
import { type Bodies, Part, type World } from "../run/types";
import { capsule, cylinder, type Mesh } from "./round";

// in one of the light eighths all over
const UNMARKED: Vec3 = [-1, 1, 1];

export class MeshList {
    position: number[] = [];
    normal: number[] = [];
    row: number[] = [];
    index: number[] = [];
    mark: number[] = [];
    edge: number[] = [];
    edgeRow: number[] = [];

    add(row: number, mesh: Mesh): void {
        const base = this.row.length;
        for (const v of mesh.position) this.position.push(v);
        for (const v of mesh.normal) this.normal.push(v);
        for (const v of mesh.mark) this.mark.push(v);
        for (let k = 0; k < mesh.position.length / 3; k++) this.row.push(row);
        for (const i of mesh.index) this.index.push(base + i);
    }

    // a flat face with its border
    face(row: number, corners: Vec3[], normal: Vec3): void {
        const base = this.row.length;
        corners.forEach((c, k) => {
            this.position.push(...c);
            this.normal.push(...normal);
            this.mark.push(...UNMARKED);
            this.row.push(row);
            if (k > 1) this.index.push(base, base + k - 1, base + k);
            this.edge.push(...c, ...corners[(k + 1) % corners.length]!);
            this.edgeRow.push(row, row);
        });
    }
}

export interface Ball {
    row: number;
    centre: Vec3;
    radius: number;
}

export interface Flat {
    row: number;
    normal: Vec3;
    offset: number;
}

export interface Shapes {
    balls: Ball[];
    moving: MeshList;
    fixed: MeshList;
    planes: Flat[];
    segments: { row: number; from: Vec3; to: Vec3; radius: number }[];
}

// normal of a polygon in space by Newell's sums
function newell(corners: Vec3[]): Vec3 {
    let n: Vec3 = [0, 0, 0];
    for (let k = 1; k + 1 < corners.length; k++) {
        const [a, b, c] = [corners[0]!, corners[k]!, corners[k + 1]!];
        const part = cross([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]);
        n = [n[0] + part[0], n[1] + part[1], n[2] + part[2]];
    }
    const size = length(n) || 1;
    return [n[0] / size, n[1] / size, n[2] / size];
}

function addFaces(list: MeshList, bodies: Bodies, row: number, part: number, corners: Vec3[]): void {
    const faces = bodies.faces!;
    let at = (row ? bodies.faceEnd![row - 1]! : 0) + bodies.partLink![2 * part]!;
    for (let f = 0; f < bodies.partLink![2 * part + 1]!; f++) {
        const count = faces[at]!;
        const face = Array.from(faces.subarray(at + 1, at + 1 + count), (v) => corners[v]!);
        if (face.every(Boolean)) list.face(row, face, newell(face));
        at += 1 + count;
    }
}

function addPart(shapes: Shapes, world: World, row: number, part: number): void {
    const { bodies, dim } = world;
    const first = (row ? bodies.vertexEnd[row - 1]! : 0) + bodies.partVertexFirst[part]!;
    const corners: Vec3[] = [];
    for (let k = 0; k < bodies.partVertexCount[part]!; k++) {
        const v = bodies.vertices.subarray(dim * (first + k), dim * (first + k + 1));
        corners.push([v[0]!, v[1]!, dim === 3 ? v[2]! : 0]);
    }
    const geometry = bodies.partGeometry.subarray((dim + 2) * part, (dim + 2) * (part + 1));
    const radius = geometry[0]!;
    const list = bodies.kind[row] === 0 ? shapes.moving : shapes.fixed;
    switch (bodies.partKind[part]) {
        case Part.disc:
        case Part.sphere:
            shapes.balls.push({ row, centre: corners[0] ?? [0, 0, 0], radius });
            break;
        case Part.polygon:
            list.face(row, corners, [0, 0, 1]);
            break;
        case Part.segment:
            shapes.segments.push({ row, from: corners[0]!, to: corners[1]!, radius });
            break;
        case Part.halfPlane:
        case Part.plane:
            shapes.planes.push({
                row,
                normal: [geometry[1]!, geometry[2]!, dim === 3 ? geometry[3]! : 0],
                offset: geometry[dim + 1]!,
            });
            break;
        case Part.capsule:
            list.add(row, capsule(corners[0]!, corners[1]!, radius));
            break;
        case Part.cylinder:
            list.add(row, cylinder(corners[0]!, corners[1]!, radius));
            break;
        case Part.polyhedron:
            addFaces(list, bodies, row, part, corners);
            break;
        case Part.triangle:
            list.face(row, corners.slice(0, 3), newell(corners.slice(0, 3)));
            break;
    }
}

export function shapesOf(world: World): Shapes {
    const shapes: Shapes = {
        balls: [],
        moving: new MeshList(),
        fixed: new MeshList(),
        planes: [],
        segments: [],
    };
    let part = 0;
    for (let row = 0; row < world.bodies.count; row++) {
        for (; part < world.bodies.partEnd[row]!; part++) addPart(shapes, world, row, part);
    }
    return shapes;
}
