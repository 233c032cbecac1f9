// Playback: which frame is shown, and the bar with its buttons.
import { number } from "../measure/scale";
import { h, icon, iconButton } from "./dom";

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

// the speed at which a run of this length takes between some seconds and half a minute
export function ordinarySpeed(duration: number): number {
    if (duration >= 4 && duration <= 40) return 1;
    const wanted = duration / 12;
    return SPEEDS.reduce(
        (best, s) => (Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best),
        1,
    );
}

// the last row whose time is not after t
export function rowAt(times: ArrayLike<number>, count: number, t: number): number {
    let [low, high] = [0, count - 1];
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (times[middle]! <= t) low = middle;
        else high = middle - 1;
    }
    return Math.max(0, low);
}

export class Player {
    index = 0;
    count = 0;
    times: ArrayLike<number> = [];
    playing = false;
    loop = false;
    speed = 1;
    // draws a frame; resolves when it is on the screen
    onShow: (k: number) => Promise<void> = async () => undefined;
    onMove: (k: number) => void = () => undefined;
    readonly element = h("footer", { id: "transport" });
    private slider = h("input", { type: "range", min: 0, max: 0, step: 1, value: 0, "aria-label": "frame" });
    private label = h("span", { class: "time", "aria-live": "off" });
    private play: HTMLButtonElement;
    private wanted = -1;
    private busy: Promise<void> | null = null;
    private clock = { wall: 0, t: 0 };

    constructor() {
        this.play = iconButton("play", "play or pause (space)", () => this.toggle());
        const again = iconButton(
            "again",
            "start again at the end",
            () => {
                this.loop = !this.loop;
                again.setAttribute("aria-pressed", String(this.loop));
            },
            { "aria-pressed": "false", class: "optional" },
        );
        const speeds = h(
            "select",
            { name: "speed", "aria-label": "speed", title: "times as fast as the run's own time" },
            ...SPEEDS.map((s) => h("option", { value: s }, `× ${s}`)),
        );
        speeds.addEventListener("change", () => this.setSpeed(Number(speeds.value)));
        this.slider.addEventListener("input", () => this.seek(Number(this.slider.value)));
        this.element.append(
            iconButton("first", "first frame (home)", () => this.seek(0), { class: "optional" }),
            iconButton("back", "one frame back (left)", () => this.step(-1)),
            this.play,
            iconButton("on", "one frame on (right)", () => this.step(1)),
            iconButton("last", "last frame (end)", () => this.seek(this.count - 1), { class: "optional" }),
            again,
            speeds,
            this.slider,
            this.label,
        );
        this.speeds = speeds;
        const tick = () => {
            if (this.playing) this.advance();
            requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
    }

    private speeds: HTMLSelectElement;

    setSpeed(speed: number): void {
        this.speed = speed;
        this.speeds.value = String(speed);
        this.restartClock();
    }

    // the times of the frames there are; a run that grows gets more
    setTimes(times: ArrayLike<number>, count: number): void {
        const first = this.count === 0;
        [this.times, this.count] = [times, count];
        this.slider.max = String(Math.max(0, count - 1));
        if (first && count > 1) this.setSpeed(ordinarySpeed(times[count - 1]! - times[0]!));
        this.write();
    }

    private restartClock(): void {
        this.clock = { wall: performance.now(), t: this.times[this.index] ?? 0 };
    }

    toggle(on = !this.playing): void {
        this.playing = on && this.count > 1;
        if (this.playing && this.index >= this.count - 1) this.seek(0);
        this.restartClock();
        this.play.replaceChildren(icon(this.playing ? "pause" : "play"));
    }

    private advance(): void {
        if (this.busy) return;
        const now = this.clock.t + ((performance.now() - this.clock.wall) / 1000) * this.speed;
        const k = rowAt(this.times, this.count, now);
        if (k > this.index) void this.show(k);
        if (k >= this.count - 1) {
            if (this.loop) {
                void this.show(0);
                this.clock = { wall: performance.now(), t: this.times[0]! };
            } else {
                this.toggle(false);
            }
        }
    }

    step(by: number): void {
        this.toggle(false);
        void this.show((this.wanted >= 0 ? this.wanted : this.index) + by);
    }

    seek(k: number): void {
        void this.show(k);
        this.restartClock();
    }

    seekTime(t: number): void {
        this.seek(rowAt(this.times, this.count, t));
    }

    // shows a frame; while one is being drawn only the latest wish is kept
    async show(k: number): Promise<void> {
        if (this.count === 0) return;
        k = Math.min(this.count - 1, Math.max(0, k));
        this.wanted = k;
        this.index = k;
        this.write();
        if (this.busy) return this.busy;
        this.busy = (async () => {
            try {
                while (this.wanted >= 0) {
                    const next = this.wanted;
                    this.wanted = -1;
                    await this.onShow(next);
                    this.onMove(next);
                }
            } finally {
                this.busy = null;
            }
        })();
        return this.busy;
    }

    private write(): void {
        this.slider.value = String(this.index);
        const t = this.times[this.index];
        this.label.replaceChildren(
            h("b", {}, t === undefined ? "–" : `${number(t, 5)} s`),
            `  frame ${this.count ? this.index + 1 : 0} of ${this.count}`,
        );
        this.slider.setAttribute("aria-valuetext", t === undefined ? "no frames" : `${number(t, 5)} seconds`);
    }
}
