// Periodic cells: images of bodies, and how far apart those of a cut are.
import type { Cell, Frame } from "../run/types";
import { position, type Vec3 } from "./geometry";

const cofactor = (H: number[], i: number, j: number): number => {
    const at = (r: number, c: number) => H[3 * ((i + r) % 3) + ((j + c) % 3)]!;
    return at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1);
};

// from a row of /frames/cell (docs/format.md): a corner, edges, velocity gradient, which axes are periodic; null
// where there is no cell
export function cellOf(row: ArrayLike<number>): Cell | null {
    const numbers = Array.from(row);
    const [edges, along] = [numbers.slice(3, 12), numbers.slice(21, 24).map((v) => v !== 0)];
    const volume = [0, 1, 2].reduce((sum, j) => sum + edges[j]! * cofactor(edges, 0, j), 0);
    if (numbers.length < 24 || !along.includes(true) || !(volume > 0) || !Number.isFinite(volume)) return null;
    return { edges, along, inverse: edges.map((_, k) => cofactor(edges, k % 3, Math.floor(k / 3)) / volume) };
}

const times = (A: number[], x: Vec3): Vec3 =>
    [0, 1, 2].map((i) => A[3 * i]! * x[0] + A[3 * i + 1]! * x[1] + A[3 * i + 2]! * x[2]) as Vec3;

// the centre of a body in the image that touches at a point
export function centreAt(frame: Frame, dim: number, row: number, point: Vec3): Vec3 {
    const x = position(frame, dim, row);
    const { cell } = frame;
    if (!cell) return x;
    const k = times(cell.inverse, point.map((p, i) => p - x[i]!) as Vec3);
    const shift = times(cell.edges, k.map((v, i) => (cell.along[i] ? Math.floor(v + 0.5) : 0)) as Vec3);
    return x.map((v, i) => v + shift[i]!) as Vec3;
}

// the centre of a body, and a contact in the image that it touches there
export function contactFrom(frame: Frame, dim: number, row: number, point: Vec3): [Vec3, Vec3] {
    const [x, there] = [position(frame, dim, row), centreAt(frame, dim, row, point)];
    return [x, point.map((p, i) => p - (there[i]! - x[i]!)) as Vec3];
}

// the way along an axis after which a cut across it comes again, where it comes along one edge of the cell only;
// 0: never
export function cutPeriod(cell: Cell | null, axis: number): number {
    if (!cell) return 0;
    const rises = [0, 1, 2].filter((e) => {
        const edge = [0, 1, 2].map((i) => cell.edges[3 * i + e]!);
        return cell.along[e] && Math.abs(edge[axis]!) > 1e-9 * Math.hypot(...edge);
    });
    return rises.length === 1 ? Math.abs(cell.edges[3 * axis + rises[0]!]!) : 0;
}
