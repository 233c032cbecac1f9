// A sweep or system on the stage: its pictures, plots and events.
import { number } from "../measure/scale";
import type { Page } from "../page";
import { pathCharts, sceneChart, seriesCharts } from "../plot/charts";
import { Drawer } from "../plot/drawer";
import { gapChart } from "../plot/gaps";
import type { Head, Opened, Path } from "../run/types";
import type { Client } from "../source/client";
import { button, h, section, select, table } from "../ui/dom";
import type { Player } from "../ui/player";
import type { Shell } from "../ui/shell";
import { snapshotOf } from "../ui/snapshot";
import { onTheme } from "../ui/theme";
import { lastEvents, planePath, portrait, profile, water } from "./pictures";
import { type Picture, Plane } from "./plane";
import { Tube } from "./tube";

export class PathPage implements Page {
    readonly sections: HTMLElement[];
    private plane: Plane;
    private tube: Tube | null = null;
    private drawer: Drawer;
    private kinds: [string, string][];
    private chosen: string;
    private coordinate = 0;
    private row = 0;
    private numbers = h("div", {});
    private events = h("div", {});

    private constructor(
        private path: Path,
        private head: Head,
        private client: Client,
        private shell: Shell,
        private player: Player,
    ) {
        this.plane = new Plane(shell.stage);
        this.drawer = new Drawer(shell.plots, (t) => player.seekTime(t));
        this.kinds = this.choices();
        this.chosen = this.kinds[0]![0];
        const coordinates = Array.from({ length: Math.min(path.n, 64) }, (_, c): [string, string] => [
            String(c),
            `${this.letter}${c + 1}`,
        ]);
        this.sections = [
            section(
                "Picture",
                "picture",
                true,
                select("shows", "picture", this.kinds, this.chosen, (v) => this.choose(v)),
                path.n > 1 &&
                    path.u &&
                    select("coordinate", "coordinate", coordinates, "0", (v) => {
                        this.coordinate = Number(v);
                        this.draw(true);
                    }),
                h(
                    "div",
                    { class: "buttons" },
                    button("fit", "fit the picture (f)", () => this.fit()),
                ),
            ),
            section("Now", "now", true, this.numbers),
            section("Last events", "events", true, this.events),
        ];
        onTheme(() => this.draw(false));
        this.choose(this.chosen);
    }

    static async start(opened: Opened, client: Client, shell: Shell, player: Player): Promise<PathPage> {
        const page = new PathPage(await client.path(), opened.head, client, shell, player);
        await page.plot();
        return page;
    }

    get times(): ArrayLike<number> {
        return this.path.t;
    }

    get count(): number {
        return this.path.t.length;
    }

    private get letter(): string {
        return this.head.kind === "system" ? "q" : "x";
    }

    private choices(): [string, string][] {
        const { path } = this;
        const out: [string, string][] = [];
        if (path.u) out.push(["portrait", "phase portrait"]);
        if (path.n === 1) out.push(["water", path.outlines.t.length ? "water picture" : "path in time"]);
        if (path.n === 2) out.push(["plane", path.u ? "path in the plane" : "moving set and path"]);
        if (path.n === 2 && !path.u) out.push(["tube", "water picture in space"]);
        if (path.n === 3) out.push(["tube", "path in space"]);
        if (path.n > 2) out.push(["profile", "all coordinates"]);
        return out;
    }

    private async plot(): Promise<void> {
        const series = await this.client.series();
        const gaps = gapChart(this.path);
        this.drawer.set([
            ...pathCharts(this.path, this.letter),
            ...(gaps ? [gaps] : []),
            ...seriesCharts(series),
            ...this.head.plots.map(sceneChart),
        ]);
    }

    async grown(opened: Opened): Promise<void> {
        this.head = opened.head;
        this.path = await this.client.path();
        await this.plot();
    }

    private choose(which: string): void {
        this.chosen = which;
        const space = which === "tube";
        this.shell.canvas.hidden = !space;
        this.plane.canvas.hidden = space;
        if (space && !this.tube) this.tube = new Tube(this.shell.canvas, this.path);
        this.draw(true);
    }

    private picture(): Picture {
        const { path, row, coordinate } = this;
        switch (this.chosen) {
            case "portrait":
                return portrait(path, row, coordinate);
            case "water":
                return water(path, row);
            case "plane":
                return planePath(path, row, 0, 1, this.letter);
            default:
                return profile(path, row, this.letter);
        }
    }

    private draw(fit: boolean): void {
        if (this.count === 0) return;
        if (this.chosen === "tube") this.tube!.show(this.row);
        else this.plane.show(this.picture(), fit);
    }

    async show(k: number): Promise<void> {
        this.row = Math.min(k, this.count - 1);
        this.draw(false);
        const { path, row } = this;
        this.drawer.setTime(path.t[row]!);
        const rows: [string, string][] = [];
        const list = (values: Float64Array | null, width: number, letter: string) => {
            for (let c = 0; values && c < Math.min(width, 12); c++)
                rows.push([`${letter}${c + 1}`, number(values[row * width + c]!, 6)]);
        };
        list(path.x, path.n, this.letter);
        list(path.u, path.n, "u");
        list(path.gap, path.m, "g");
        if (path.u && path.m > 0 && !path.gap) rows.push(["gaps", "not in this file"]);
        list(path.lambda, path.m, "λ");
        this.numbers.replaceChildren(table(rows));
        const happened = lastEvents(path, path.t[row]!, 6);
        this.events.replaceChildren(
            happened.length ? table(happened) : h("p", { class: "note" }, "none yet"),
        );
    }

    fit(): void {
        if (this.chosen === "tube") this.tube!.view.fit();
        else this.plane.fit();
    }

    look(): void {}
    chains(): void {}
    letGo(): void {}

    projection(): void {
        if (this.chosen === "tube") this.tube!.view.project(!this.tube!.view.orthographic);
    }

    snapshot(): HTMLCanvasElement {
        const space = this.chosen === "tube";
        if (space) this.tube!.view.renderFull();
        else this.plane.render();
        const canvas = space ? this.shell.canvas : this.plane.canvas;
        return snapshotOf(
            canvas,
            `t = ${this.path.t[this.row]!.toPrecision(5)} s   ${this.player.index + 1} of ${this.count}`,
            () => undefined,
            window.devicePixelRatio || 1,
        );
    }
}
