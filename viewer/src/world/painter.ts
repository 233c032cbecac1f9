// Colours of bodies by a quantity, and the legend that goes with them.
import type { BodyView } from "../draw/bodies";
import type { ContactView } from "../draw/contacts";
import { groupColour, MAPS, type Rgb, STATUS, STATUS_NAMES } from "../measure/colours";
import type { Rows } from "../measure/rows";
import { roundUp } from "../measure/scale";
import { isObserved, quantitiesOf, quantity } from "../measure/values";
import type { Frame, World } from "../run/types";
import type { LegendPart } from "../ui/legend";
import type { WorldState } from "./state";

export function needsContacts(world: World, state: WorldState): boolean {
    const chosen = quantitiesOf(world).find((q) => q.key === state.colour);
    return (
        state.chains ||
        state.states ||
        state.normals ||
        state.cut.on ||
        state.contact >= 0 ||
        !!chosen?.contacts
    );
}

const MOST_SAMPLED = 20000;
let values = new Float64Array(0);
const sample = new Float64Array(MOST_SAMPLED);

interface Scale {
    low: number;
    high: number;
    // some values lie above
    more: boolean;
}

// from 0 to the 99 % quantile of the moving bodies, rounded up; what a scene observes may be of either sign and need not
// begin at 0: there the 1 % quantile is the lower end
function scaleOf(frame: Frame, world: World, rows: Rows, least: number, observed: boolean): Scale {
    const stride = Math.max(1, Math.ceil(frame.count / MOST_SAMPLED));
    let [count, most] = [0, 0];
    for (let k = 0; k < frame.count; k++) {
        const v = values[k]!;
        if (!Number.isFinite(v) || world.bodies.kind[rows.body(frame.id[k]!)] !== 0) continue;
        if (v > most) most = v;
        if (k % stride === 0) sample[count++] = v;
    }
    const sorted = sample.subarray(0, count).sort();
    const at = (p: number) => sorted[Math.min(count - 1, Math.floor(p * count))] ?? 0;
    if (observed) {
        const [low, high] = [at(0.01), at(0.99)];
        const whole = low >= 0 && low < 0.3 * high;
        const span = high > low ? high - (whole ? 0 : low) : Math.abs(high) || 1;
        const from = whole ? 0 : low;
        return { low: from, high: whole ? roundUp(high) : from + span, more: false };
    }
    const high = roundUp(Math.max(at(0.99), 1e-3 * most, least));
    return { low: 0, high, more: most > high };
}

export function paint(
    view: BodyView,
    world: World,
    rows: Rows,
    frame: Frame,
    h: number,
    state: WorldState,
    wall: Rgb,
): LegendPart[] {
    if (values.length < frame.count) values = new Float64Array(frame.count);
    quantity(state.colour, world, rows, frame, h, values);
    const chosen = quantitiesOf(world).find((q) => q.key === state.colour)!;
    if (state.colour === "group") return paintGroups(view, world, rows, frame, wall);
    const own = scaleOf(frame, world, rows, chosen.least, isObserved(chosen.key));
    const { low, high, more } = state.fixed ? { ...state.fixed, more: false } : own;
    const map = MAPS[state.map]!;
    for (let k = 0; k < frame.count; k++) {
        const body = rows.body(frame.id[k]!);
        if (body < 0) continue;
        if (world.bodies.kind[body] !== 0) view.poses.paint(body, wall);
        else view.poses.paintMapped(body, map, (values[k]! - low) / (high - low));
    }
    view.poses.painted();
    const unit = chosen.key === "pressure" && world.dim === 2 ? "N/m" : chosen.unit;
    const title = unit ? `${chosen.name}, ${unit}` : chosen.name;
    return [{ kind: "bar", title, map: state.map, low, high, more }];
}

function paintGroups(view: BodyView, world: World, rows: Rows, frame: Frame, wall: Rgb): LegendPart[] {
    const seen = new Set<number>();
    for (let k = 0; k < frame.count; k++) {
        const body = rows.body(frame.id[k]!);
        if (body < 0) continue;
        const still = world.bodies.kind[body] !== 0;
        if (!still) seen.add(values[k]!);
        view.poses.paint(body, still ? wall : groupColour(values[k]!));
    }
    view.poses.painted();
    const keys = [...seen]
        .sort((a, b) => a - b)
        .slice(0, 8)
        .map((g): [string, Rgb] => [world.groups[g] || `group ${g}`, groupColour(g)]);
    return [{ kind: "keys", title: "group", keys }];
}

export function contactLegend(world: World, contacts: ContactView, state: WorldState): LegendPart[] {
    const parts: LegendPart[] = [];
    if (state.chains) {
        const title = world.discs
            ? "multiplier, m/s"
            : world.dim === 2
              ? "normal force, N/m"
              : "normal force, N";
        parts.push({ kind: "bar", title, map: "dusk", low: 0, high: contacts.top, more: true });
    }
    if (state.states)
        parts.push({
            kind: "keys",
            title: "contacts",
            keys: [1, 2, 0].map((s) => [STATUS_NAMES[s]!, STATUS[s]!]),
        });
    return parts;
}
