// A world on the stage: ties bodies, contacts, colours, picking, cut and plots to the frame that is shown.
import { BodyView } from "../draw/bodies";
import { type Bounds, worldBounds } from "../draw/bounds";
import { CellView } from "../draw/cell";
import { ContactView } from "../draw/contacts";
import { JointView } from "../draw/joints";
import { Ribbons } from "../draw/ribbons";
import { Triad } from "../draw/triad";
import { View } from "../draw/view";
import { FrameStore } from "../frames";
import type { Vec3 } from "../measure/geometry";
import { jointPlaces } from "../measure/joints";
import { Rows } from "../measure/rows";
import type { Page } from "../page";
import { WorldPlots } from "../plot/world";
import type { Frame, Head, Opened, World } from "../run/types";
import type { Client } from "../source/client";
import { drawLegend, type LegendPart, showLegend } from "../ui/legend";
import type { Player } from "../ui/player";
import { snapshotOf } from "../ui/snapshot";
import type { Shell } from "../ui/shell";
import { onTheme, rgb, token } from "../ui/theme";
import { certificate } from "./certificate";
import { WorldControls } from "./controls";
import { cutPlace, hiddenBy, showCut } from "./cutter";
import { lawFigure } from "./lawfigure";
import { bodyNumbers, contactNumbers, sameContact, vector } from "./numbers";
import { contactLegend, needsContacts, paint } from "./painter";
import { firstState, type WorldState } from "./state";
import { applyTheme } from "./theme";
import { Trails } from "./trails";
import { listenToPicks } from "./picks";
import { LOOKS, upOf } from "./looks";

const CACHE = 192 * 1024 * 1024;

export class WorldPage implements Page {
    readonly view: View;
    readonly state: WorldState;
    readonly controls: WorldControls;
    rows!: Rows;
    bodies!: BodyView;
    contacts!: ContactView;
    frame: Frame | null = null;
    bounds!: Bounds;
    private cell: CellView;
    private joints: JointView;
    private lines: Ribbons;
    private trails: Trails;
    private plots: WorldPlots;
    private legend: LegendPart[] = [];
    private forceRequest = 0;
    private idle = 0;
    private later = 0;
    private numbersAt = 0;

    private constructor(
        public world: World,
        private head: Head,
        private client: Client,
        private shell: Shell,
        private player: Player,
        readonly store: FrameStore,
    ) {
        this.view = new View(shell.canvas);
        this.state = firstState(world.discs, world.dim === 3);
        this.cell = new CellView(this.view.screen, world.dim);
        this.view.scene.add(this.cell.mesh);
        this.joints = new JointView(this.view.screen);
        this.view.scene.add(...this.joints.objects);
        this.lines = this.overlay(3);
        const trailLines = this.overlay(3);
        this.trails = new Trails(client, trailLines, () => this.redrawTrails());
        this.controls = new WorldControls(world, this.state, {
            changed: () => void this.again(),
            look: (k) => this.look(k),
            fit: () => this.fit(),
            projection: () => this.projection(),
            trail: () => this.trail(),
            noTrails: () => this.noTrails(),
            holdScale: (on) => this.holdScale(on),
        });
        this.plots = new WorldPlots(client, head, shell.plots, player);
        this.plots.onSteps = () => this.showNumbers();
        listenToPicks(this, shell.canvas);
        onTheme(() => void this.again());
    }

    static async start(opened: Opened, client: Client, shell: Shell, player: Player): Promise<WorldPage> {
        // the first and the last frame are read while the page is made
        const store = new FrameStore(client, CACHE);
        const ends = [...new Set([0, opened.world!.frames.count - 1])].filter((k) => k >= 0);
        const asked = Promise.all(ends.map((k) => store.get(k, false)));
        asked.catch(() => undefined);
        const page = new WorldPage(opened.world!, opened.head, client, shell, player, store);
        await page.build(asked);
        return page;
    }

    get times(): ArrayLike<number> {
        return this.world.frames.t;
    }

    get count(): number {
        return this.world.frames.count;
    }

    get sections(): HTMLElement[] {
        return this.controls.sections;
    }

    get h(): number {
        return this.world.discs ? 1 : this.head.h;
    }

    private overlay(order: number): Ribbons {
        const ribbons = new Ribbons(this.view.screen, false, true, order);
        ribbons.mesh.layers.set(1);
        this.view.scene.add(ribbons.mesh);
        return ribbons;
    }

    // geometry of the bodies, and a view that fits some frames
    private async build(asked: Promise<Frame[]>): Promise<void> {
        const { world } = this;
        this.rows = new Rows(world.bodies);
        this.bodies = new BodyView(world, this.rows, this.view.screen);
        this.contacts = new ContactView(world, this.rows, this.h, this.view);
        this.view.scene.add(this.bodies.group);
        const frames = await asked;
        this.bounds = worldBounds(world, this.rows, frames);
        this.bodies.surround(this.bounds, frames[0] ?? null);
        const flat = world.dim === 2;
        if (!flat) {
            const triad = new Triad();
            this.shell.stage.append(triad.element);
            this.view.onRender = () => triad.show(this.view.camera);
        }
        this.view.kind(flat, upOf(world));
        if (flat) this.view.look([0, 0, 1], this.bounds);
        else this.view.look(LOOKS[4]!(upOf(world)), this.bounds);
    }

    async grown(opened: Opened): Promise<void> {
        const more = opened.world!.bodies.count !== this.world.bodies.count;
        this.world = opened.world!;
        this.head = opened.head;
        if (more) {
            this.view.scene.remove(this.bodies.group);
            this.bodies.dispose();
            this.contacts.dispose();
            const { bounds } = this;
            this.rows = new Rows(this.world.bodies);
            this.bodies = new BodyView(this.world, this.rows, this.view.screen);
            this.contacts = new ContactView(this.world, this.rows, this.h, this.view);
            this.view.scene.add(this.bodies.group);
            this.bodies.surround(bounds, this.frame);
        }
        this.contacts.world = this.world;
        await this.widen();
        this.plots.stale(this.world);
    }

    // a run that outgrows the picture is fitted again, unless the user has taken the camera
    private async widen(): Promise<void> {
        const { count } = this.world.frames;
        if (this.view.held || count === 0) return;
        const now = worldBounds(this.world, this.rows, [await this.store.get(count - 1, false)]);
        const { low, high, radius } = this.bounds;
        const beyond = (a: number, b: number) => a - b > 0.15 * radius;
        if (!now.low.some((v, i) => beyond(low[i]!, v) || beyond(now.high[i]!, high[i]!))) return;
        this.bounds = now;
        this.bodies.surround(now, this.frame);
        this.view.fit(now);
    }

    async show(k: number): Promise<void> {
        const contacts = needsContacts(this.world, this.state);
        const frame = await this.store.get(k, contacts);
        if (this.frame && this.state.contact >= 0) {
            this.state.contact = sameContact(this.world, this.frame, this.state.contact, frame);
        }
        this.frame = frame;
        this.draw();
        const count = this.world.frames.count;
        for (let next = 1; next <= 2; next++) if (k + next < count) this.store.ahead(k + next, contacts);
        this.plots.show(this.world, k);
    }

    // the same frame after a choice of the user
    async again(): Promise<void> {
        if (this.frame) await this.show(this.frame.index);
    }

    private draw(): void {
        const { world, rows, state, bodies, view, bounds } = this;
        const frame = this.frame!;
        const origin = bounds.centre;
        applyTheme(view, bodies);
        bodies.place(frame);
        this.cell.show(frame, bounds, rgb("wall"));
        bodies.wallOpacity = state.walls;
        bodies.shared.uPale.value = state.chains ? 0.62 : 0;
        bodies.shared.uMarks.value = state.marks ? 1 : 0;
        bodies.shared.uPixel.value = view.pixelRatio;
        bodies.shared.uSelected.value = state.body < 0 ? -1 : rows.body(state.body);
        const hides = state.cut.on && state.cut.hide ? cutPlace(state, bounds) : null;
        bodies.cut(state.cut.axis, hides, state.cut.flip ? -1 : 1);
        this.legend = paint(bodies, world, rows, frame, this.h, state, rgb("wall"));
        const hidden = hiddenBy(state, hides);
        this.joints.show(frame, jointPlaces(world, rows, frame), hidden, origin, rgb("text"));
        this.contacts.show(frame, { ...state, hidden }, origin);
        this.legend.push(...contactLegend(world, this.contacts, state));
        this.contacts.pick(state.contact >= 0 ? frame : null, state.contact, origin);
        this.controls.showCut(showCut(world, rows, frame, this.h, state, bounds, this.lines));
        this.trails.draw(frame, origin);
        showLegend(this.shell.legend, this.legend);
        this.showNumbersSoon();
        view.touch();
    }

    // while a run plays the numbers change some times a second: nobody reads faster
    private showNumbersSoon(): void {
        const wait = this.numbersAt + 200 - performance.now();
        clearTimeout(this.later);
        if (this.player.playing && wait > 0) this.later = window.setTimeout(() => this.showNumbers(), wait);
        else this.showNumbers();
    }

    // after a frame, and once more when the solver's record has been read
    showNumbers(): void {
        this.numbersAt = performance.now();
        const { world, rows, state, frame, controls } = this;
        if (!frame) return;
        const told = certificate(world, frame, this.plots.steps);
        if (!frame.contacts) this.certify(frame);
        this.shell.certificate.hidden = world.discs;
        this.shell.certificate.textContent = told.short;
        controls.showStep(told.rows);
        if (state.contact >= 0)
            controls.showPicked(
                contactNumbers(world, rows, frame, this.h, state.contact),
                lawFigure(world, rows, frame, this.h, state.contact),
            );
        else if (state.body >= 0) void this.showBody(state.body, frame);
        else controls.showPicked([]);
    }

    // contacts of a frame that stays are read, so that they can be held against their law
    private certify(frame: Frame): void {
        clearTimeout(this.idle);
        if (this.world.discs || this.player.playing) return;
        this.idle = window.setTimeout(async () => {
            if (this.frame !== frame || this.player.playing) return;
            const whole = await this.store.get(frame.index, true).catch(() => null);
            if (!whole || this.frame !== frame) return;
            this.controls.showStep(certificate(this.world, whole, this.plots.steps).rows);
        }, 250);
    }

    private async showBody(id: number, frame: Frame): Promise<void> {
        const { world, rows } = this;
        const numbers = bodyNumbers(world, rows, frame, this.h, id);
        this.controls.showPicked(numbers);
        const row = rows.in(frame, id);
        const request = ++this.forceRequest;
        const forces = row < 0 ? null : await this.client.forces(frame.index, row);
        if (!forces || request !== this.forceRequest || this.state.body !== id) return;
        numbers.push(
            ["applied force, N", vector(forces[0], world.dim)],
            ["force of contacts, N", vector(forces[1], world.dim)],
        );
        this.controls.showPicked(numbers);
    }

    // a body by its id, a contact by its row in the frame; −1: none
    pick(body: number, contact: number): void {
        this.state.body = body;
        this.state.contact = contact;
        void this.again();
    }

    private trail(): void {
        const { state, frame } = this;
        if (state.body < 0 || !frame) return;
        void this.trails
            .follow(state.body, this.rows.in(frame, state.body), this.world.frames.count)
            .catch(() => undefined);
    }

    private redrawTrails(): void {
        if (this.frame) this.trails.draw(this.frame, this.bounds.centre);
        this.view.touch();
    }

    private noTrails(): void {
        this.trails.clear();
        this.redrawTrails();
    }

    private holdScale(on: boolean): void {
        const bar = this.legend.find((part) => part.kind === "bar");
        this.state.fixed = on && bar?.kind === "bar" ? { low: bar.low, high: bar.high } : null;
        void this.again();
    }

    fit(): void {
        if (this.frame) this.bounds = { ...worldBounds(this.world, this.rows, [this.frame]) };
        this.bodies.surround(this.bounds, this.frame);
        this.view.fit(this.bounds);
        void this.again();
    }

    look(which: number): void {
        if (this.world.dim === 3) this.view.look(LOOKS[which]!(upOf(this.world)));
    }

    projection(): void {
        if (this.world.dim === 3) this.view.project(!this.view.orthographic);
    }

    chains(): void {
        this.controls.toggleChains();
    }

    letGo(): void {
        this.pick(-1, -1);
    }

    snapshot(): HTMLCanvasElement {
        this.view.renderFull();
        const text = `${this.player.index + 1} of ${this.player.count}   t = ${this.frame?.t.toPrecision(5) ?? ""} s`;
        return snapshotOf(
            this.shell.canvas,
            text,
            (pen, height) => drawLegend(pen, this.legend, height, this.view.pixelRatio, token("text")),
            this.view.pixelRatio,
        );
    }

    originOf(): Vec3 {
        return this.bounds.centre;
    }
}
