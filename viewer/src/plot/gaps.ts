// Distances of a point on the line from the borders of its set, from the recorded lines of the border.
import { crossings, lines } from "../path/cavity";
import type { Path } from "../run/types";
import { type Chart, curveColour } from "./chart";

export function gapChart(path: Path): Chart | null {
    if (path.gap && path.m > 0) return null;
    if (path.n !== 1 || path.outlines.t.length === 0 || path.t.length < 2) return null;
    const borders = lines(path.outlines);
    const curves = borders.slice(0, 6).map((border, b) => {
        const cross = crossings([border], Array.from(path.t));
        const values = Array.from(path.t, (_, k) => {
            const near = cross[k]!.map((c) => Math.abs(path.x[k]! - c));
            return near.length ? Math.min(...near) : null;
        });
        return { name: `border ${b + 1}`, values, colour: curveColour(b) };
    });
    return {
        key: "gaps",
        title: "gaps",
        x: path.t,
        xLabel: "time, s",
        yLabel: "distance from the border",
        curves,
        timed: true,
    };
}
