// Colours of bodies by a quantity, and the legend that goes with them.
import type { BodyView } from "../draw/bodies";
import type { ContactView } from "../draw/contacts";
import { groupColour, MAPS, type Rgb, STATUS, STATUS_NAMES } from "../measure/colours";
import type { Rows } from "../measure/rows";
import { quantile, roundUp } from "../measure/scale";
import { DISC_QUANTITIES, QUANTITIES, quantity } from "../measure/values";
import type { Frame, World } from "../run/types";
import type { LegendPart } from "../ui/legend";
import type { WorldState } from "./state";

export const quantitiesOf = (world: World) => (world.discs ? DISC_QUANTITIES : QUANTITIES);

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

// largest of the scale: the 99 % quantile of the moving bodies, rounded up
function topOf(
    values: Float64Array,
    frame: Frame,
    world: World,
    rows: Rows,
    least: number,
): [number, boolean] {
    const moving = values.filter(
        (v, k) => Number.isFinite(v) && world.bodies.kind[rows.body(frame.id[k]!)] === 0,
    );
    const most = moving.reduce((m, v) => Math.max(m, v), 0);
    const top = roundUp(Math.max(quantile(moving, 0.99) || 0, 1e-3 * most, least));
    return [top, most > top];
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
    const values = quantity(state.colour, world, rows, frame, h);
    const chosen = quantitiesOf(world).find((q) => q.key === state.colour)!;
    const byGroup = state.colour === "group";
    const [frameTop, above] = byGroup ? [1, false] : topOf(values, frame, world, rows, chosen.least);
    const top = state.fixedTop > 0 ? state.fixedTop : frameTop;
    const map = MAPS[state.map]!;
    const seen = new Set<number>();
    for (let k = 0; k < frame.count; k++) {
        const body = rows.body(frame.id[k]!);
        if (body < 0) continue;
        const still = world.bodies.kind[body] !== 0;
        if (byGroup && !still) seen.add(values[k]!);
        if (still) view.poses.paint(body, wall);
        else if (byGroup) view.poses.paint(body, groupColour(values[k]!));
        else view.poses.paintMapped(body, map, values[k]! / top);
    }
    view.poses.painted();
    if (byGroup) {
        const keys = [...seen]
            .sort((a, b) => a - b)
            .slice(0, 8)
            .map((g): [string, Rgb] => [world.groups[g] || `group ${g}`, groupColour(g)]);
        return [{ kind: "keys", title: "group", keys }];
    }
    const title = chosen.unit
        ? `${chosen.name}, ${state.colour === "pressure" && world.dim === 2 ? "N/m" : chosen.unit}`
        : chosen.name;
    return [{ kind: "bar", title, map: state.map, low: 0, high: top, more: state.fixedTop === 0 && above }];
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
