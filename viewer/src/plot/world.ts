// Plots of a world: energy, the solver's record, observed series, plots of the scene; read after the first picture.
import type { Head, Steps, World } from "../run/types";
import type { Client } from "../source/client";
import type { Player } from "../ui/player";
import { sceneChart, seriesCharts, solverChart } from "./charts";
import { Drawer } from "./drawer";
import { energyChart } from "./energy";

export class WorldPlots {
    steps: Steps | null = null;
    onSteps: () => void = () => undefined;
    private drawer: Drawer;
    private loaded = false;
    private loading = false;

    constructor(
        private client: Client,
        private head: Head,
        element: HTMLElement,
        player: Player,
    ) {
        this.drawer = new Drawer(element, (t) => player.seekTime(t));
    }

    // the run has grown: read again, at most once a second
    stale(world: World): void {
        if (this.loading) return;
        this.loading = true;
        setTimeout(() => void this.load(world), 1000);
    }

    show(world: World, k: number): void {
        if (!this.loaded && !this.loading) {
            this.loading = true;
            setTimeout(() => void this.load(world), 50);
        }
        this.drawer.setTime(world.frames.t[k] ?? NaN);
    }

    private async load(world: World): Promise<void> {
        try {
            const series = await this.client.series();
            this.steps = await this.client.steps();
            const energy = energyChart(series);
            const t0 = (world.frames.t[0] ?? 0) - (world.frames.step[0] ?? 0) * this.head.h;
            this.drawer.set([
                ...(energy ? [energy] : []),
                ...(this.steps ? [solverChart(this.steps, this.head.h, t0)] : []),
                ...seriesCharts(series),
                ...this.head.plots.map(sceneChart),
            ]);
            this.onSteps();
        } catch {
            // a run being written is read again with its next frame
        }
        this.loaded = true;
        this.loading = false;
    }
}
