// A plane drawn on a 2D canvas: axes with ticks, dragging, zooming and pinching.
import { number, ticks } from "../measure/scale";
import { h } from "../ui/dom";
import { token } from "../ui/theme";

export interface Extent {
    x: [number, number];
    y: [number, number];
}

export interface Picture {
    xLabel: string;
    yLabel: string;
    equal: boolean;
    // y grows downward
    down: boolean;
    extent: Extent;
    draw(pen: CanvasRenderingContext2D, plane: Plane): void;
}

export class Plane {
    readonly canvas = h("canvas", { tabindex: 0, "aria-label": "picture of the run" });
    private picture: Picture | null = null;
    private seen: Extent = { x: [0, 1], y: [0, 1] };
    private pointers = new Map<number, [number, number]>();
    private queued = false;

    constructor(stage: HTMLElement) {
        stage.prepend(this.canvas);
        new ResizeObserver(() => this.touch()).observe(stage);
        this.canvas.addEventListener(
            "wheel",
            (event) => {
                event.preventDefault();
                this.zoom(Math.exp(event.deltaY * 0.0015), event.offsetX, event.offsetY);
            },
            { passive: false },
        );
        this.canvas.addEventListener("pointerdown", (event) => {
            this.canvas.setPointerCapture(event.pointerId);
            this.pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
        });
        for (const end of ["pointerup", "pointercancel"] as const) {
            this.canvas.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
        }
        this.canvas.addEventListener("pointermove", (event) => this.move(event));
    }

    private move(event: PointerEvent): void {
        const old = this.pointers.get(event.pointerId);
        if (!old) return;
        const now: [number, number] = [event.offsetX, event.offsetY];
        const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
        if (other) {
            const apart = (p: [number, number]) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
            this.zoom(apart(old) / apart(now), other[0], other[1]);
        } else {
            const [dx, dy] = [this.xAt(old[0]) - this.xAt(now[0]), this.yAt(old[1]) - this.yAt(now[1])];
            this.seen = {
                x: [this.seen.x[0] + dx, this.seen.x[1] + dx],
                y: [this.seen.y[0] + dy, this.seen.y[1] + dy],
            };
        }
        this.pointers.set(event.pointerId, now);
        this.touch();
    }

    private zoom(factor: number, px: number, py: number): void {
        const [x, y] = [this.xAt(px), this.yAt(py)];
        const about = ([a, b]: [number, number], c: number): [number, number] => [
            c + (a - c) * factor,
            c + (b - c) * factor,
        ];
        this.seen = { x: about(this.seen.x, x), y: about(this.seen.y, y) };
        this.touch();
    }

    show(picture: Picture, fit: boolean): void {
        this.picture = picture;
        if (fit) this.fit();
        this.touch();
    }

    fit(): void {
        const grow = ([a, b]: [number, number]): [number, number] => {
            const margin = (b - a || Math.abs(a) || 1) * 0.06;
            return [a - margin, b + margin];
        };
        if (this.picture) this.seen = { x: grow(this.picture.extent.x), y: grow(this.picture.extent.y) };
        this.touch();
    }

    touch(): void {
        if (this.queued) return;
        this.queued = true;
        requestAnimationFrame(() => {
            this.queued = false;
            this.render();
        });
    }

    // inner border of the axes in pixels
    private box(): { left: number; right: number; top: number; bottom: number } {
        return {
            left: 62,
            right: this.canvas.clientWidth - 16,
            top: 14,
            bottom: this.canvas.clientHeight - 44,
        };
    }

    // with equal scales the shorter side decides
    private span(): Extent {
        if (!this.picture?.equal) return this.seen;
        const { left, right, top, bottom } = this.box();
        const [w, hgt] = [this.seen.x[1] - this.seen.x[0], this.seen.y[1] - this.seen.y[0]];
        const unit = Math.max(w / Math.max(1, right - left), hgt / Math.max(1, bottom - top));
        const about = ([a, b]: [number, number], pixels: number): [number, number] => [
            (a + b - unit * pixels) / 2,
            (a + b + unit * pixels) / 2,
        ];
        return { x: about(this.seen.x, right - left), y: about(this.seen.y, bottom - top) };
    }

    px(x: number): number {
        const { left, right } = this.box();
        const [a, b] = this.span().x;
        return left + ((x - a) / (b - a)) * (right - left);
    }

    py(y: number): number {
        const { top, bottom } = this.box();
        const [a, b] = this.span().y;
        const s = (y - a) / (b - a);
        return this.picture?.down ? top + s * (bottom - top) : bottom - s * (bottom - top);
    }

    xAt(px: number): number {
        const { left, right } = this.box();
        const [a, b] = this.span().x;
        return a + ((px - left) / (right - left)) * (b - a);
    }

    yAt(py: number): number {
        const { top, bottom } = this.box();
        const [a, b] = this.span().y;
        const s = this.picture?.down ? (py - top) / (bottom - top) : (bottom - py) / (bottom - top);
        return a + s * (b - a);
    }

    render(): void {
        const { clientWidth: width, clientHeight: height } = this.canvas;
        if (width < 80 || height < 80) return;
        const ratio = window.devicePixelRatio || 1;
        [this.canvas.width, this.canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
        const pen = this.canvas.getContext("2d")!;
        pen.scale(ratio, ratio);
        pen.fillStyle = token("ground");
        pen.fillRect(0, 0, width, height);
        if (!this.picture) return;
        const { left, right, top, bottom } = this.box();
        this.axes(pen, this.picture);
        pen.save();
        pen.beginPath();
        pen.rect(left, top, right - left, bottom - top);
        pen.clip();
        this.picture.draw(pen, this);
        pen.restore();
        pen.strokeStyle = token("line");
        pen.strokeRect(left, top, right - left, bottom - top);
    }

    private axes(pen: CanvasRenderingContext2D, picture: Picture): void {
        const { left, right, top, bottom } = this.box();
        const { x, y } = this.span();
        pen.font = "12px system-ui, sans-serif";
        pen.lineWidth = 1;
        const line = (x0: number, y0: number, x1: number, y1: number) => {
            pen.strokeStyle = token("soft");
            pen.beginPath();
            pen.moveTo(x0, y0);
            pen.lineTo(x1, y1);
            pen.stroke();
        };
        pen.fillStyle = token("dim");
        pen.textAlign = "center";
        for (const v of ticks(x[0], x[1], (right - left) / 90)) {
            line(this.px(v), top, this.px(v), bottom);
            pen.fillText(number(v, 4), this.px(v), bottom + 16);
        }
        pen.textAlign = "right";
        for (const v of ticks(y[0], y[1], (bottom - top) / 50)) {
            line(left, this.py(v), right, this.py(v));
            pen.fillText(number(v, 4), left - 6, this.py(v) + 4);
        }
        pen.textAlign = "center";
        pen.fillText(picture.xLabel, (left + right) / 2, bottom + 34);
        pen.save();
        pen.translate(14, (top + bottom) / 2);
        pen.rotate(-Math.PI / 2);
        pen.fillText(picture.yLabel, 0, 0);
        pen.restore();
    }
}
