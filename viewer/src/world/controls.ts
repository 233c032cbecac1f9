// The panel of a world: colours, view, contacts, cut, picked numbers.
import { MAPS } from "../measure/colours";
import { quantitiesOf } from "../measure/values";
import type { World } from "../run/types";
import { button, check, h, section, select, table } from "../ui/dom";
import type { WorldState } from "./state";

export interface ControlActions {
    changed(): void;
    look(which: number): void;
    fit(): void;
    projection(): void;
    trail(): void;
    noTrails(): void;
    holdScale(on: boolean): void;
}

export class WorldControls {
    readonly picked = h("div", {}, h("p", { class: "note" }, "Click a body or contact."));
    readonly cutNumbers = h("div", {});
    readonly solver = h("div", {});
    readonly sections: HTMLElement[];
    private chainBox!: HTMLLabelElement;

    constructor(
        world: World,
        private state: WorldState,
        private actions: ControlActions,
    ) {
        this.sections = [
            this.bodies(world),
            this.views(world),
            this.contacts(world),
            this.picking(world),
            this.cutting(world),
        ];
        if (!world.discs) this.sections.push(section("Step", "step", true, this.solver));
    }

    private bodies(world: World): HTMLElement {
        const { state, actions } = this;
        const quantities = quantitiesOf(world).map((q): [string, string] => [q.key, q.name]);
        return section(
            "Bodies",
            "bodies",
            true,
            select("coloured by", "colour", quantities, state.colour, (v) => {
                state.colour = v;
                state.fixed = null;
                actions.changed();
            }),
            select(
                "colours",
                "map",
                Object.keys(MAPS).map((m) => [m, m]),
                state.map,
                (v) => {
                    state.map = v;
                    actions.changed();
                },
            ),
            check("keep the scale of this frame", false, (on) => actions.holdScale(on), "hold"),
            select(
                "walls",
                "walls",
                [
                    ["1", "solid"],
                    ["0.25", "see-through"],
                    ["0", "hidden"],
                ],
                "1",
                (v) => {
                    state.walls = Number(v);
                    actions.changed();
                },
            ),
            check(
                "marks that show turning",
                state.marks,
                (on) => {
                    state.marks = on;
                    actions.changed();
                },
                "marks",
            ),
        );
    }

    private views(world: World): HTMLElement {
        const { actions } = this;
        const fit = button("fit", "fit the picture (f)", () => actions.fit());
        if (world.dim === 2) return section("View", "view", false, h("div", { class: "buttons" }, fit));
        const looks = ["front", "side", "top", "oblique"].map((name, k) =>
            button(name, `${name} (${k + 1})`, () => actions.look(k + 1)),
        );
        return section(
            "View",
            "view",
            true,
            h(
                "div",
                { class: "buttons" },
                fit,
                ...looks,
                button("projection", "perspective or orthographic (o)", () => actions.projection()),
            ),
        );
    }

    private contacts(world: World): HTMLElement {
        const { state, actions } = this;
        const set = (key: "chains" | "states" | "normals") => (on: boolean) => {
            state[key] = on;
            actions.changed();
        };
        this.chainBox = check(
            world.discs ? "what holds them (c)" : "force chains (c)",
            state.chains,
            set("chains"),
            "chains",
        );
        return section(
            "Contacts",
            "contacts",
            true,
            this.chainBox,
            !world.discs && check("sticking and sliding", state.states, set("states"), "states"),
            check("normals", state.normals, set("normals"), "normals"),
        );
    }

    toggleChains(): void {
        const box = this.chainBox.querySelector("input")!;
        box.checked = this.state.chains = !this.state.chains;
        this.actions.changed();
    }

    private picking(world: World): HTMLElement {
        const { actions } = this;
        return section(
            "Picked",
            "picked",
            true,
            this.picked,
            !world.discs &&
                h(
                    "div",
                    { class: "buttons" },
                    button("trajectory", "show where the picked body goes", () => actions.trail()),
                    button("none", "remove all trajectories", () => actions.noTrails()),
                ),
        );
    }

    private cutting(world: World): HTMLElement {
        const { cut } = this.state;
        const { actions } = this;
        const slider = h("input", {
            type: "range",
            name: "cut",
            min: 0,
            max: 1,
            step: 0.005,
            value: cut.share,
            "aria-label": "place of the cut",
        });
        slider.addEventListener("input", () => {
            cut.share = Number(slider.value);
            actions.changed();
        });
        const axes = ["x", "y", "z"]
            .slice(0, world.dim)
            .map((name, k): [string, string] => [String(k), `across ${name}`]);
        return section(
            "Cut",
            "cut",
            false,
            check(
                "cut the world",
                cut.on,
                (on) => {
                    cut.on = on;
                    actions.changed();
                },
                "cutting",
            ),
            select("plane", "axis", axes, "0", (v) => {
                cut.axis = Number(v);
                actions.changed();
            }),
            slider,
            check(
                "hide what lies beyond",
                cut.hide,
                (on) => {
                    cut.hide = on;
                    actions.changed();
                },
                "hide",
            ),
            check(
                "hide the other side",
                cut.flip,
                (on) => {
                    cut.flip = on;
                    actions.changed();
                },
                "flip",
            ),
            this.cutNumbers,
            h(
                "p",
                { class: "note" },
                "The force that contacts carry across the plane, on the side of larger values.",
            ),
        );
    }

    showCut(rows: [string, string][]): void {
        this.cutNumbers.replaceChildren(...(rows.length ? [table(rows)] : []));
    }

    showPicked(rows: [string, string][], figure: Node | null = null): void {
        this.picked.replaceChildren(
            ...(figure ? [figure] : []),
            rows.length ? table(rows) : h("p", { class: "note" }, "Click a body or contact."),
        );
    }

    showStep(rows: [string, string][]): void {
        this.solver.replaceChildren(table(rows));
    }
}
