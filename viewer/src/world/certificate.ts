// What is known of how well the step of a frame was solved.
import { number, whole } from "../measure/scale";
import { misses } from "../measure/law";
import type { Frame, Steps, World } from "../run/types";

// row of a step in the solver's record, which may be thinned; −1: none
export function stepRow(steps: Steps, step: number): number {
    let [low, high] = [0, steps.step.length - 1];
    while (low <= high) {
        const middle = (low + high) >> 1;
        if (steps.step[middle] === step) return middle;
        if (steps.step[middle]! < step) low = middle + 1;
        else high = middle - 1;
    }
    return -1;
}

export function certificate(
    world: World,
    frame: Frame,
    steps: Steps | null,
): { short: string; rows: [string, string][] } {
    const { frames } = world;
    const k = frame.index;
    const step = frames.step[k] ?? 0;
    const row = steps ? stepRow(steps, step) : -1;
    const rows: [string, string][] = [["step", whole(step)]];
    let short = `step ${whole(step)}`;
    if (row >= 0) {
        rows.push(
            ["residual", number(steps!.residual[row]!, 3)],
            ["iterations", whole(steps!.iterations[row]!)],
            ["contacts", whole(steps!.contacts[row]!)],
        );
        const iterations = steps!.iterations[row]!;
        short += ` · residual ${number(steps!.residual[row]!, 3)} · ${whole(iterations)} iteration${iterations === 1 ? "" : "s"}`;
    } else {
        rows.push(["contacts", whole(frames.contactCount[k] ?? 0)]);
    }
    const missed = misses(world, frame);
    if (missed) {
        rows.push(
            ["contacts held against the law", whole(missed.contacts)],
            ["most |S_T| − µ S_N, N s", number(missed.outside, 3)],
            ["most −U_N, m/s", number(missed.approach, 3)],
            ["most U·S + µ |U_T| S_N, J", number(missed.bipotential, 3)],
        );
    }
    if (frames.measures) {
        rows.push(
            ["worst residual so far", number(frames.measures[8 * k]!, 3)],
            ["penetration, m", number(frames.measures[8 * k + 3]!, 3)],
            ["deepest so far, m", number(frames.measures[8 * k + 1]!, 3)],
        );
    }
    if (frames.counts) rows.push(["unconverged steps so far", whole(frames.counts[4 * k + 2]!)]);
    if (frames.energy) {
        const [kinetic, potential, , , , error] = frames.energy.subarray(6 * k, 6 * k + 6);
        rows.push(
            ["kinetic energy, J", number(kinetic!)],
            ["potential energy, J", number(potential!)],
            ["error of the balance, J", number(error!, 3)],
        );
    }
    return { short, rows };
}
