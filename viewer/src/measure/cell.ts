// Periodic cells: images of bodies, how far apart those of a cut are, and the outline.
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
    const corner = numbers.slice(0, 3);
    return { corner, edges, along, inverse: edges.map((_, k) => cofactor(edges, k % 3, Math.floor(k / 3)) / volume) };
}

const times = (A: number[], x: Vec3): Vec3 =>
    [0, 1, 2].map((i) => A[3 * i]! * x[0] + A[3 * i + 1]! * x[1] + A[3 * i + 2]! * x[2]) as Vec3;

// the image of a place that is less than half the cell from a point
function imageAt(cell: Cell, x: Vec3, point: Vec3): Vec3 {
    const k = times(cell.inverse, point.map((p, i) => p - x[i]!) as Vec3);
    const shift = times(cell.edges, k.map((v, i) => (cell.along[i] ? Math.floor(v + 0.5) : 0)) as Vec3);
    return x.map((v, i) => v + shift[i]!) as Vec3;
}

// the centre of a body in the image that touches at a point
export function centreAt(frame: Frame, dim: number, row: number, point: Vec3): Vec3 {
    const x = position(frame, dim, row);
    return frame.cell ? imageAt(frame.cell, x, point) : x;
}

// the way from one place to the next, in halves at either face where it leads through faces of the cell
export function wayBetween(cell: Cell | null, a: Vec3, b: Vec3): [Vec3, Vec3][] {
    const there = cell ? imageAt(cell, b, a) : b;
    const shift = there.map((v, i) => v - b[i]!) as Vec3;
    if (!shift.some((v) => v !== 0)) return [[a, b]];
    const middle = a.map((v, i) => 0.5 * (v + there[i]!)) as Vec3;
    return [
        [a, middle],
        [middle.map((v, i) => v - shift[i]!) as Vec3, b],
    ];
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

// a corner of the cell: bit k says at which end of edge k, as far as there is a period
function cornerOf(cell: Cell, bits: number): Vec3 {
    const ends = [0, 1, 2].map((k) => (cell.along[k] ? (bits >> k) & 1 : 0)) as Vec3;
    return times(cell.edges, ends).map((v, i) => v + cell.corner[i]!) as Vec3;
}

// makes a box [low, high] by axes as wide as the cell; what has no period has no ends
export function includeCell(cell: Cell, box: number[][]): void {
    for (let bits = 0; bits < 8; bits++) {
        cornerOf(cell, bits).forEach((v, i) => {
            if (cell.along[i]) box[i] = [Math.min(box[i]![0]!, v), Math.max(box[i]![1]!, v)];
        });
    }
}

// edges of the faces; along axes without a period they go from one side of what is seen to the other
export function cellEdges(cell: Cell, dim: number, low: Vec3, high: Vec3): [Vec3, Vec3][] {
    const axes = [0, 1, 2].slice(0, dim);
    const place = (bits: number) =>
        cornerOf(cell, bits).map((v, i) =>
            cell.along[i] || i >= dim ? v : (bits >> i) & 1 ? high[i]! : low[i]!,
        ) as Vec3;
    return axes.flatMap((k) => {
        const others = axes.filter((i) => i !== k);
        if (!others.some((i) => cell.along[i])) return [];
        const corners = Array.from({ length: 1 << dim }, (_, bits) => bits).filter((bits) => !((bits >> k) & 1));
        return corners.map((bits): [Vec3, Vec3] => [place(bits), place(bits | (1 << k))]);
    });
}
