// Pictures of sweeps and systems in the plane: water, the moving set, phase portraits, profiles.
import { css, mapped, MAPS } from "../measure/colours";
import { EVENTS, type Path } from "../run/types";
import { token } from "../ui/theme";
import { cavity, crossings, lines } from "./cavity";
import type { Extent, Picture, Plane } from "./plane";

const WATER = { free: "#7fb7dd", held: "#1565a8" };

function extentOf(xs: Iterable<number>, ys: Iterable<number>): Extent {
    const range = (values: Iterable<number>): [number, number] => {
        let [a, b] = [Infinity, -Infinity];
        for (const v of values) {
            if (!Number.isFinite(v)) continue;
            a = Math.min(a, v);
            b = Math.max(b, v);
        }
        return a <= b ? [a, b] : [0, 1];
    };
    return { x: range(xs), y: range(ys) };
}

export const column = (values: Float64Array, width: number, c: number) =>
    Float64Array.from({ length: Math.floor(values.length / width) }, (_, k) => values[k * width + c]!);

const held = (path: Path, k: number) => {
    for (let c = 0; c < path.m; c++) if (path.lambda![k * path.m + c]! !== 0) return true;
    return false;
};

function polyline(pen: CanvasRenderingContext2D, points: Iterable<[number, number]>): void {
    pen.beginPath();
    let first = true;
    for (const [x, y] of points) {
        if (first) pen.moveTo(x, y);
        else pen.lineTo(x, y);
        first = false;
    }
}

function dot(pen: CanvasRenderingContext2D, x: number, y: number): void {
    pen.beginPath();
    pen.arc(x, y, 6, 0, 2 * Math.PI);
    pen.fillStyle = token("accent");
    pen.fill();
    pen.strokeStyle = token("surface");
    pen.lineWidth = 2;
    pen.stroke();
}

// rock: everything that is not the cavity, row by row of pixels
function rock(
    pen: CanvasRenderingContext2D,
    plane: Plane,
    path: Path,
    borders: ReturnType<typeof lines>,
): void {
    const x = path.x;
    const [t0, t1] = [path.t[0]!, path.t[path.t.length - 1]!];
    const [top, bottom] = [Math.ceil(plane.py(t0)), Math.floor(plane.py(t1))].map((p) =>
        Math.max(0, Math.min(p, plane.canvas.clientHeight)),
    );
    const rows = Array.from({ length: Math.max(0, bottom! - top!) }, (_, k) => top! + k);
    const times = rows.map((p) => plane.yAt(p + 0.5));
    let k = 0;
    const at = times.map((t) => {
        while (k + 1 < path.t.length && path.t[k + 1]! <= t) k++;
        const j = Math.min(k + 1, path.t.length - 1);
        const s = path.t[j]! > path.t[k]! ? (t - path.t[k]!) / (path.t[j]! - path.t[k]!) : 0;
        return x[k]! + Math.min(1, Math.max(0, s)) * (x[j]! - x[k]!);
    });
    const cross = crossings(borders, times);
    const range = Math.abs(plane.xAt(1000) - plane.xAt(0)) / 1000;
    const inside = cavity(cross, at, 2 * range);
    pen.fillStyle = token("soft");
    inside.forEach((interval, row) => {
        if (!interval) return;
        const [a, b] = [Math.max(-1e4, plane.px(interval[0])), Math.min(1e4, plane.px(interval[1]))];
        if (interval[0] > -Infinity) pen.fillRect(-10, rows[row]!, a + 10, 1);
        if (interval[1] < Infinity) pen.fillRect(b, rows[row]!, 1e4, 1);
    });
}

// the water picture of Moreau: time runs downward, the set is a cavity in rock, the path a stream
export function water(path: Path, k: number): Picture {
    const borders = lines(path.outlines);
    const xs = [...path.x, ...borders.flatMap((b) => b.points.map((p) => p[1]))];
    return {
        xLabel: "x",
        yLabel: "time, s",
        equal: false,
        down: true,
        extent: extentOf(xs, path.t),
        draw(pen, plane) {
            rock(pen, plane, path, borders);
            pen.strokeStyle = token("wall");
            pen.lineWidth = 1.5;
            for (const { points } of borders) {
                polyline(
                    pen,
                    points.map(([t, x]) => [plane.px(x), plane.py(t)]),
                );
                pen.stroke();
            }
            const stream = (from: number, to: number, alpha: number) => {
                pen.globalAlpha = alpha;
                for (let r = Math.max(1, from); r <= to; r++) {
                    const on = path.lambda ? held(path, r) : false;
                    pen.strokeStyle = on ? WATER.held : WATER.free;
                    pen.lineWidth = on ? 5 : 3;
                    pen.lineCap = "round";
                    polyline(pen, [
                        [plane.px(path.x[r - 1]!), plane.py(path.t[r - 1]!)],
                        [plane.px(path.x[r]!), plane.py(path.t[r]!)],
                    ]);
                    pen.stroke();
                }
                pen.globalAlpha = 1;
            };
            stream(k + 1, path.t.length - 1, 0.3);
            stream(0, k, 1);
            dot(pen, plane.px(path.x[k]!), plane.py(path.t[k]!));
        },
    };
}

// the border of the set near time t: recorded ones are drawn whole, between two it goes along straight lines
export function borderAt(
    borders: ReturnType<typeof lines>,
    t: number,
): { points: [number, number][]; exact: boolean } | null {
    const after = borders.findIndex((b) => b.t >= t);
    const b = borders[after < 0 ? borders.length - 1 : after];
    if (!b) return null;
    const a = borders[Math.max(0, (after < 0 ? borders.length : after) - 1)]!;
    if (b.t <= t || a === b) return { points: b.points, exact: Math.abs(b.t - t) < 1e-9 * (1 + Math.abs(t)) };
    if (a.points.length !== b.points.length) {
        return { points: t - a.t < b.t - t ? a.points : b.points, exact: a.t === t };
    }
    const s = (t - a.t) / (b.t - a.t);
    return {
        points: a.points.map((p, i) => [
            p[0] + s * (b.points[i]![0] - p[0]),
            p[1] + s * (b.points[i]![1] - p[1]),
        ]),
        exact: s === 0,
    };
}

// the path in the plane of two coordinates, coloured by time, over the border of the set
export function planePath(path: Path, k: number, first: number, second: number, letter: string): Picture {
    const [xs, ys] = [column(path.x, path.n, first), column(path.x, path.n, second)];
    const borders = path.n === 2 ? lines(path.outlines) : [];
    const times = path.t;
    const span = times[times.length - 1]! - times[0]! || 1;
    const shade = (t: number, alpha: number) =>
        css(mapped(MAPS["dusk"]!, (0.85 * (t - times[0]!)) / span), alpha);
    const tone = (points: [number, number][]) => {
        // borders far outside the path do not shrink the picture
        const e = extentOf(xs, ys);
        const reach = 0.6 * Math.max(e.x[1] - e.x[0], e.y[1] - e.y[0]);
        return points.filter(
            ([x, y]) => x > e.x[0] - reach && x < e.x[1] + reach && y > e.y[0] - reach && y < e.y[1] + reach,
        );
    };
    const near = borders.flatMap((b) => tone(b.points));
    return {
        xLabel: `${letter}${first + 1}`,
        yLabel: `${letter}${second + 1}`,
        equal: true,
        down: false,
        extent: extentOf([...xs, ...near.map((p) => p[0])], [...ys, ...near.map((p) => p[1])]),
        draw(pen, plane) {
            for (const border of borders) {
                polyline(
                    pen,
                    border.points.map(([x, y]) => [plane.px(x), plane.py(y)]),
                );
                pen.strokeStyle = shade(border.t, 0.3);
                pen.lineWidth = 1;
                pen.stroke();
            }
            const now = borderAt(borders, times[k]!);
            if (now) {
                polyline(
                    pen,
                    now.points.map(([x, y]) => [plane.px(x), plane.py(y)]),
                );
                pen.strokeStyle = shade(times[k]!, 1);
                pen.lineWidth = 2.2;
                pen.setLineDash(now.exact ? [] : [7, 5]);
                pen.stroke();
                pen.setLineDash([]);
            }
            trace(pen, plane, xs, ys, k, (r) => shade(times[r]!, 1));
        },
    };
}

function trace(
    pen: CanvasRenderingContext2D,
    plane: Plane,
    xs: Float64Array,
    ys: Float64Array,
    k: number,
    colour: (row: number) => string,
): void {
    pen.lineWidth = 1;
    pen.strokeStyle = token("line");
    polyline(
        pen,
        Array.from(xs, (x, r): [number, number] => [plane.px(x), plane.py(ys[r]!)]),
    );
    pen.stroke();
    pen.lineWidth = 2;
    pen.lineJoin = "round";
    const pieces = 200;
    for (let piece = 0; piece < pieces; piece++) {
        const [a, b] = [Math.floor((piece * k) / pieces), Math.floor(((piece + 1) * k) / pieces)];
        if (b <= a) continue;
        pen.strokeStyle = colour(a);
        polyline(
            pen,
            Array.from({ length: b - a + 1 }, (_, i): [number, number] => [
                plane.px(xs[a + i]!),
                plane.py(ys[a + i]!),
            ]),
        );
        pen.stroke();
    }
    dot(pen, plane.px(xs[k]!), plane.py(ys[k]!));
}

// velocity against position of one coordinate
export function portrait(path: Path, k: number, c: number): Picture {
    const [xs, us] = [column(path.x, path.n, c), column(path.u!, path.n, c)];
    const span = path.t[path.t.length - 1]! - path.t[0]! || 1;
    return {
        xLabel: `q${c + 1}`,
        yLabel: `u${c + 1}`,
        equal: false,
        down: false,
        extent: extentOf(xs, us),
        draw: (pen, plane) =>
            trace(pen, plane, xs, us, k, (r) =>
                css(mapped(MAPS["dusk"]!, (0.85 * (path.t[r]! - path.t[0]!)) / span)),
            ),
    };
}

// all coordinates side by side at one time
export function profile(path: Path, k: number, letter: string): Picture {
    const at = (row: number) => Array.from({ length: path.n }, (_, c) => path.x[row * path.n + c]!);
    return {
        xLabel: "coordinate",
        yLabel: letter,
        equal: false,
        down: false,
        extent: extentOf([1, path.n], path.x),
        draw(pen, plane) {
            for (const [row, colour, width] of [
                [0, token("line"), 1.5],
                [k, token("accent"), 2],
            ] as const) {
                polyline(
                    pen,
                    at(row).map((v, c): [number, number] => [plane.px(c + 1), plane.py(v)]),
                );
                pen.strokeStyle = colour;
                pen.lineWidth = width;
                pen.stroke();
            }
        },
    };
}

// what happened last before a time
export function lastEvents(path: Path, t: number, most: number): [string, string][] {
    const out: [string, string][] = [];
    for (let k = path.events.t.length - 1; k >= 0 && out.length < most; k--) {
        if (path.events.t[k]! > t) continue;
        const gaps = path.events.gaps[k];
        const text = EVENTS[path.events.type[k]!] ?? "?";
        out.push([
            `${path.events.t[k]!.toPrecision(6)} s`,
            gaps ? `${text}, gap ${gaps.length > 40 ? gaps.slice(0, 40) + " …" : gaps}` : text,
        ]);
    }
    return out;
}
