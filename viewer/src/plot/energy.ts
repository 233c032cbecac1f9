// The energy budget: what there is and what was lost, stacked, beside what was there at first and came in.
import type { Series } from "../run/types";
import { token } from "../ui/theme";
import type { Chart } from "./chart";

export interface Budget {
    // tops of the layers: lost in impacts, lost in friction, potential, kinetic on top
    layers: { name: string; top: Float64Array; own: Float64Array }[];
    // energy at the start and the work done since: the stack closes when its top is the same
    supplied: Float64Array;
    worst: number;
}

// Potential energies count from the least of the run, so that no layer is negative.
export function budget(
    kinetic: Float64Array,
    potential: Float64Array,
    work: Float64Array,
    friction: Float64Array,
    impact: Float64Array,
): Budget {
    const least = potential.reduce((m, v) => Math.min(m, v), Infinity);
    const parts: [string, Float64Array][] = [
        ["lost in impacts", impact],
        ["lost in friction", friction],
        ["potential", potential.map((v) => v - least)],
        ["kinetic", kinetic],
    ];
    const sum = new Float64Array(kinetic.length);
    const layers = parts.map(([name, values]) => {
        for (let k = 0; k < sum.length; k++) sum[k]! += values[k]!;
        return { name, top: sum.slice(), own: values };
    });
    const start = sum.length ? sum[0]! - work[0]! : 0;
    const supplied = work.map((w) => start + w);
    let worst = 0;
    sum.forEach((s, k) => (worst = Math.max(worst, Math.abs(s - supplied[k]!) || 0)));
    return { layers, supplied, worst };
}

const COLOURS = ["#9a9a9a", "#d55e00", "#56b4e9", "#0072b2"];

export function energyChart(series: Series): Chart | null {
    const column = (name: string) => series.columns[series.names.indexOf(name)];
    const [kinetic, potential, work, friction, impact] = [
        "kinetic",
        "potential",
        "work_external",
        "dissipated_friction",
        "dissipated_impact",
    ].map(column);
    if (!kinetic || !potential || !work || !friction || !impact || series.t.length < 2) return null;
    const { layers, supplied } = budget(kinetic, potential, work, friction, impact);
    return {
        key: "energy",
        title: "energy",
        x: series.t,
        xLabel: "time, s",
        yLabel: "energy, J",
        timed: true,
        curves: [
            ...layers.map((layer, k) => ({
                name: layer.name,
                values: layer.top,
                own: layer.own,
                colour: COLOURS[k]!,
                fillTo: k ? k - 1 : ("axis" as const),
            })),
            { name: "start + work done", values: supplied, colour: token("text"), dashed: true },
        ],
    };
}
