// The set of a process on the line, from the lines of its border: which interval of each time is the inside.
import type { Path } from "../run/types";

export type Interval = [number, number];

export const lines = (outlines: Path["outlines"]): { t: number; points: [number, number][] }[] => {
    let from = 0;
    return Array.from(outlines.t, (t, k) => {
        const end = outlines.end[k]!;
        const points: [number, number][] = [];
        for (let p = from; p < end; p++) points.push([outlines.points[2 * p]!, outlines.points[2 * p + 1]!]);
        from = end;
        return { t, points };
    });
};

// where the borders are at each of some times, sorted
export function crossings(borders: { points: [number, number][] }[], times: number[]): number[][] {
    return times.map((t) => {
        const out: number[] = [];
        for (const { points } of borders) {
            for (let k = 1; k < points.length; k++) {
                const [[ta, xa], [tb, xb]] = [points[k - 1]!, points[k]!];
                if ((ta <= t && t < tb) || (tb <= t && t < ta))
                    out.push(xa + ((t - ta) / (tb - ta)) * (xb - xa));
            }
        }
        return out.sort((a, b) => a - b);
    });
}

const overlap = (a: Interval, b: Interval) => Math.min(a[1], b[1]) - Math.max(a[0], b[0]);

// The interval between borders that the point is in.  A point on a border says nothing about the side: there the
// interval that overlaps most with that of a neighbouring time is taken, starting from times that are clear.
export function cavity(cross: number[][], at: number[], tolerance: number): (Interval | null)[] {
    const between = (k: number): Interval[] => {
        const ends = [-Infinity, ...cross[k]!, Infinity];
        return ends.slice(1).map((b, i): Interval => [ends[i]!, b]);
    };
    const clear = at.map((x, k) => cross[k]!.every((c) => Math.abs(c - x) > tolerance));
    const out: (Interval | null)[] = at.map((x, k) =>
        clear[k] ? (between(k).find(([a, b]) => a <= x && x <= b) ?? null) : null,
    );
    const spread = (k: number, from: number) => {
        const known = out[from];
        if (out[k] || !known) return;
        const near = between(k).filter(([a, b]) => a <= at[k]! + tolerance && at[k]! - tolerance <= b);
        out[k] = near.reduce<Interval | null>(
            (best, i) => (!best || overlap(i, known) > overlap(best, known) ? i : best),
            null,
        );
    };
    for (let k = 1; k < at.length; k++) spread(k, k - 1);
    for (let k = at.length - 2; k >= 0; k--) spread(k, k + 1);
    return out;
}
