// A run that is still going on: follows its last frame, and asks the server to pause, step or change a parameter.
import { number, whole } from "../measure/scale";
import type { Page } from "../page";
import type { Opened } from "../run/types";
import type { Client } from "../source/client";
import { address, type Parameter, type Session } from "../source/where";
import { button, check, h, section, select } from "./dom";
import type { Player } from "./player";

interface FrameNews {
    type: "frame";
    frames: number;
    time: number;
    steps: number;
    residual: number;
    iterations: number;
    contacts: number;
    paused: boolean;
    done: boolean;
    pace?: number;
}

// seconds of the run in one of the clock; 0: as fast as it can
const PACES = [0, 0.1, 0.2, 0.5, 1, 2, 5, 10];

type News = FrameNews | { type: "error"; message: string };

const paceOption = (s: number): [string, string] => [String(s), s === 0 ? "as fast as it can" : `× ${s}`];

export class Live {
    readonly element: HTMLElement;
    private socket: WebSocket | null = null;
    private state = h("p", { class: "note", role: "status" }, "connecting …");
    private problem = h("p", { class: "note bad", role: "alert" });
    private pause: HTMLButtonElement;
    private pace: HTMLLabelElement;
    private paused = false;
    private follow = true;
    private wanted: FrameNews | null = null;
    private busy = false;
    private onOpened: (opened: Opened) => void = () => undefined;

    constructor(
        session: Session,
        private client: Client,
        private page: Page,
        private player: Player,
    ) {
        this.pause = button("pause", "pause or resume the computation", () =>
            this.send({ type: this.paused ? "resume" : "pause" }),
        );
        this.pace = select("pace", "pace", PACES.map(paceOption), "0", (v) =>
            this.send({ type: "pace", value: Number(v) }),
        );
        this.pace.title = "how fast the computation may go, in seconds of the run per second";
        this.element = section(
            "Live",
            "live",
            true,
            this.state,
            h(
                "div",
                { class: "buttons" },
                this.pause,
                button("step", "compute up to the next frame, and pause there", () =>
                    this.send({ type: "step" }),
                ),
            ),
            this.pace,
            check("follow the last frame", true, (on) => (this.follow = on), "follow"),
            ...session.parameters.map((p) => this.parameter(p)),
            this.problem,
        );
    }

    private parameter(p: Parameter): HTMLElement {
        const field = h("input", {
            type: typeof p.value === "number" ? "number" : "text",
            step: "any",
            value: String(p.value),
            disabled: !p.live,
            name: `parameter-${p.name}`,
        });
        field.addEventListener("change", () => {
            const value =
                typeof p.value === "number"
                    ? Number(field.value)
                    : typeof p.value === "boolean"
                      ? field.value === "true"
                      : field.value;
            this.send({ type: "set", name: p.name, value });
        });
        const title = p.live ? p.doc : `${p.doc} (cannot change while the run goes on)`;
        return h("label", { class: "row", title }, h("span", {}, p.name), field);
    }

    private send(message: object): void {
        this.problem.textContent = "";
        if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    }

    connect(onOpened: (opened: Opened) => void): void {
        this.onOpened = onOpened;
        const scheme = location.protocol === "https:" ? "wss:" : "ws:";
        this.socket = new WebSocket(address("live", scheme));
        this.socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)) as News);
        this.socket.onclose = () => {
            if (!this.state.textContent?.startsWith("ended"))
                this.state.textContent = "the connection to the run is closed";
        };
        // the user's own seeking ends following
        this.player.element.addEventListener("input", () => this.setFollow(false));
    }

    private setFollow(on: boolean): void {
        this.follow = on;
        this.element.querySelector<HTMLInputElement>("input[name=follow]")!.checked = on;
    }

    private showPace(pace: number): void {
        const list = this.pace.querySelector("select")!;
        if (document.activeElement === list) return;
        if (![...list.options].some((o) => Number(o.value) === pace)) {
            const [value, text] = paceOption(pace);
            list.append(h("option", { value }, text));
        }
        list.value = String(pace);
    }

    private hear(news: News): void {
        if (news.type === "error") {
            this.problem.textContent = news.message;
            return;
        }
        if (news.pace !== undefined) this.showPace(news.pace);
        this.paused = news.paused;
        this.pause.textContent = news.paused ? "resume" : "pause";
        if (news.done)
            this.element
                .querySelectorAll<HTMLInputElement>("button, .row input, .row select")
                .forEach((e) => (e.disabled = true));
        const word = news.done ? "ended" : news.paused ? "paused" : "running";
        this.state.textContent =
            `${word} at ${number(news.time, 5)} s · step ${whole(news.steps)} · ` +
            `residual ${number(news.residual, 3)} · ${whole(news.iterations)} iterations · ${whole(news.contacts)} contacts`;
        if (news.frames > this.player.count || news.done) {
            this.wanted = news;
            void this.catchUp();
        }
    }

    // opens the grown file again; news that came meanwhile are taken together
    private async catchUp(): Promise<void> {
        if (this.busy) return;
        this.busy = true;
        while (this.wanted) {
            this.wanted = null;
            try {
                const opened = await this.client.refresh();
                await this.page.grown(opened);
                this.player.setTimes(this.page.times, this.page.count);
                this.onOpened(opened);
                if (this.follow && !this.player.playing && this.page.count > 0)
                    await this.player.show(this.page.count - 1);
            } catch (error) {
                this.problem.textContent = `The growing file could not be read: ${(error as Error).message}`;
            }
            await new Promise((done) => setTimeout(done, 60));
        }
        this.busy = false;
    }
}
