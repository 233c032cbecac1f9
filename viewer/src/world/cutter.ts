// The cut through a world and the resultant of contact forces across it.
import type { Bounds } from "../draw/bounds";
import type { Ribbons } from "../draw/ribbons";
import { resultant } from "../measure/cut";
import { length, type Vec3 } from "../measure/geometry";
import type { Rows } from "../measure/rows";
import { number } from "../measure/scale";
import type { Frame, World } from "../run/types";
import { vector } from "./numbers";
import type { WorldState } from "./state";

export function cutPlace(state: WorldState, bounds: Bounds): number {
    const { axis, share } = state.cut;
    return bounds.low[axis]! + share * (bounds.high[axis]! - bounds.low[axis]!);
}

// whether a point lies on the side that the cut hides; null: it hides nothing
export function hiddenBy(state: WorldState, place: number | null): ((x: Vec3) => boolean) | null {
    const { axis, flip } = state.cut;
    if (place === null) return null;
    return flip ? (x) => x[axis]! < place : (x) => x[axis]! > place;
}

// corners of the cut within the bounds, relative to their centre
function corners(axis: number, place: number, bounds: Bounds, dim: number): Vec3[] {
    const [u, v] = [0, 1, 2].filter((i) => i !== axis) as [number, number];
    const half = (i: number) => 0.5 * (bounds.high[i]! - bounds.low[i]!);
    const signs =
        dim === 2
            ? [
                  [-1, 0],
                  [1, 0],
              ]
            : [
                  [-1, -1],
                  [1, -1],
                  [1, 1],
                  [-1, 1],
              ];
    return signs.map(([a, b]) => {
        const x: Vec3 = [0, 0, 0];
        x[axis] = place - bounds.centre[axis]!;
        x[u] = a! * half(u);
        if (dim === 3) x[v] = b! * half(v);
        return x;
    });
}

// draws the cut and its resultant; the rows of numbers for the panel
export function showCut(
    world: World,
    rows: Rows,
    frame: Frame,
    h: number,
    state: WorldState,
    bounds: Bounds,
    lines: Ribbons,
): [string, string][] {
    lines.clear();
    const out: [string, string][] = [];
    if (state.cut.on && frame.contacts) {
        const place = cutPlace(state, bounds);
        const border = corners(state.cut.axis, place, bounds, world.dim);
        const sides = world.dim === 2 ? 1 : border.length;
        for (let k = 0; k < sides; k++)
            lines.add(border[k]!, border[(k + 1) % border.length]!, 2, [120, 120, 120], 0.9);
        const sum = resultant(world, rows, frame, world.discs ? 1 : h, state.cut.axis, place);
        const size = length(sum.force);
        if (size > 0) {
            const from = sum.centre.map((c, i) => c - bounds.centre[i]!) as Vec3;
            const scale = (0.35 * bounds.radius) / size;
            lines.add(from, from.map((c, i) => c + scale * sum.force[i]!) as Vec3, 6, [220, 25, 105]);
        }
        out.push(
            ["at, m", number(place)],
            ["contacts crossed", String(sum.contacts)],
            [
                world.discs ? "resultant, m/s" : world.dim === 2 ? "force, N/m" : "force, N",
                vector(sum.force, world.dim),
            ],
            ["its size", number(size)],
        );
        if (!world.discs)
            out.push(
                ["moment", world.dim === 2 ? number(sum.moment[2]) : vector(sum.moment, 3)],
                ["about, m", vector(sum.centre, world.dim)],
            );
    }
    lines.show();
    return out;
}
