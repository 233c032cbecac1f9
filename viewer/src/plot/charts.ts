// Charts of what a run recorded: the solver's record, observed series, plots of the scene, paths.
import { ENERGIES, type Path, type ScenePlot, type Series, type Steps } from "../run/types";
import { type Chart, type Curve, curveColour } from "./chart";

const positive = (values: ArrayLike<number>) => Array.from(values, (v) => (v > 0 ? v : null));

// residual and iterations of every step against time
export function solverChart(steps: Steps, h: number, t0: number): Chart {
    const zero = steps.step[0] ?? 0;
    return {
        key: "solver",
        title: "solver",
        x: Float64Array.from(steps.step, (s) => t0 + (s - zero + 1) * h),
        xLabel: "time, s",
        yLabel: "residual",
        yLog: steps.residual.some((v) => v > 0),
        right: "iterations, contacts",
        timed: true,
        note: "No steps were recorded.",
        curves: [
            { name: "iterations", values: steps.iterations, colour: curveColour(5), right: true },
            { name: "contacts", values: steps.contacts, colour: curveColour(6), right: true },
            { name: "residual", values: positive(steps.residual), colour: curveColour(1) },
        ],
    };
}

export function seriesCharts(series: Series): Chart[] {
    return series.names.flatMap((name, k): Chart[] =>
        ENERGIES.includes(name)
            ? []
            : [
                  {
                      key: `series-${name}`,
                      title: name,
                      x: series.t,
                      xLabel: "time, s",
                      yLabel: name,
                      timed: true,
                      curves: [{ name, values: series.columns[k]!, colour: curveColour(0) }],
                  },
              ],
    );
}

// curves of a scene's plot share one axis: all their x, sorted, with gaps where a curve has no point
export function merge(
    curves: { x: (number | null)[]; y: (number | null)[] }[],
): [number[], (number | null)[][]] {
    const all = [...new Set(curves.flatMap((c) => c.x.filter((v): v is number => v !== null)))].sort(
        (a, b) => a - b,
    );
    const row = new Map(all.map((v, k) => [v, k]));
    const columns = curves.map((c) => {
        const out: (number | null | undefined)[] = new Array(all.length).fill(undefined);
        c.x.forEach((v, k) => v !== null && (out[row.get(v)!] = c.y[k] ?? null));
        return out as (number | null)[];
    });
    return [all, columns];
}

export function sceneChart(plot: ScenePlot, number: number): Chart {
    const sorted = (c: ScenePlot["curves"][number]) =>
        c.x.every((v, k) => k === 0 || (v ?? 0) >= (c.x[k - 1] ?? 0));
    const [x, columns] = merge(plot.curves);
    const curves = plot.curves.map((c, k): Curve => ({
        name: c.name,
        values: columns[k]!,
        colour: curveColour(k),
        dashed: c.style === "dashed",
        points: c.style === "points" || !sorted(c),
    }));
    return {
        key: `plot-${number}`,
        title: plot.title || `plot ${number + 1}`,
        x,
        xLabel: plot.x.label,
        yLabel: plot.y.label,
        yLog: plot.y.log,
        xLog: plot.x.log,
        curves,
        timed: false,
    };
}

const MOST_CURVES = 8;

function columns(values: Float64Array, width: number, rows: number, letter: string): Curve[] {
    // of many, those that vary most
    const range = (c: number) => {
        let [low, high] = [Infinity, -Infinity];
        for (let k = 0; k < rows; k++) {
            low = Math.min(low, values[k * width + c]!);
            high = Math.max(high, values[k * width + c]!);
        }
        return high - low;
    };
    let chosen = Array.from({ length: width }, (_, c) => c);
    if (width > MOST_CURVES) {
        const ranges = chosen.map(range);
        chosen = chosen
            .sort((a, b) => ranges[b]! - ranges[a]!)
            .slice(0, MOST_CURVES)
            .sort((a, b) => a - b);
    }
    return chosen.map((c, k) => ({
        name: `${letter}${c + 1}`,
        values: Float64Array.from({ length: rows }, (_, r) => values[r * width + c]!),
        colour: curveColour(k),
    }));
}

export function pathCharts(path: Path, letter: string): Chart[] {
    const rows = path.t.length;
    const many = (n: number) => (n > MOST_CURVES ? ` (the ${MOST_CURVES} of ${n} that vary most)` : "");
    const timed = (key: string, title: string, yLabel: string, curves: Curve[]): Chart => ({
        key,
        title,
        x: path.t,
        xLabel: "time, s",
        yLabel,
        curves,
        timed: true,
    });
    const out: Chart[] = [];
    if (!path.discs)
        out.push(timed("x", "position" + many(path.n), letter, columns(path.x, path.n, rows, letter)));
    if (path.u)
        out.push(timed("u", "velocity" + many(path.n), "velocity", columns(path.u, path.n, rows, "u")));
    if (path.gap && path.m > 0) {
        // files of earlier programs that a later one went on with do not tell the first gaps
        const curves = columns(path.gap, path.m, rows, "g").map((c) => ({
            ...c,
            values: Array.from(c.values, (v) => (Number.isNaN(v) ? null : v)),
        }));
        out.push(timed("gaps", "gaps" + many(path.m), "gap", curves));
    }
    if (path.lambda && path.m > 0) {
        out.push(timed("lambda", "multipliers" + many(path.m), "λ", columns(path.lambda, path.m, rows, "λ")));
    }
    return out;
}
