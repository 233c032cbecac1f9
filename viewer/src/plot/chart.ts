// One chart over uPlot: lines, areas and points against a common axis, with the playhead and seeking by a click.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { drawable, number } from "../measure/scale";
import { h } from "../ui/dom";
import { rowAt } from "../ui/player";
import { token } from "../ui/theme";

export interface Curve {
    name: string;
    values: ArrayLike<number | null>;
    colour: string;
    // filled down to the curve with this number (from 0), or to the axis
    fillTo?: number | "axis";
    points?: boolean;
    dashed?: boolean;
    stepped?: boolean;
    right?: boolean;
    // what the legend tells in the place of `values`: of a layer of a stack its own height
    own?: ArrayLike<number>;
}

export interface Chart {
    key: string;
    title: string;
    x: ArrayLike<number>;
    xLabel: string;
    yLabel: string;
    yLog?: boolean;
    xLog?: boolean;
    right?: string;
    curves: Curve[];
    // x is the run's time: shows the playhead, a click seeks
    timed: boolean;
    note?: string;
}

const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8a8a", "#9467bd"];
export const curveColour = (k: number) => COLOURS[k % COLOURS.length]!;

const write = (_u: uPlot, splits: (number | null | undefined)[]) =>
    splits.map((v) => (v === null || v === undefined ? "" : number(v, 5)));

// of a logarithmic axis, powers of ten only
const powers = (_u: uPlot, splits: number[]) =>
    splits.map((v) => (Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9 ? v : null));

function axis(label: string, side: number, scale: string, log = false): uPlot.Axis {
    return {
        label,
        side,
        scale,
        stroke: token("dim"),
        labelSize: 15,
        labelGap: 0,
        size: side === 2 ? 22 : 56,
        gap: 3,
        font: "11px system-ui, sans-serif",
        labelFont: "11px system-ui, sans-serif",
        values: write,
        grid: { stroke: token("line"), width: 0.5, show: side !== 1, ...(log ? { filter: powers } : {}) },
        ticks: { stroke: token("line"), width: 0.5, size: 4, ...(log ? { filter: powers } : {}) },
    };
}

function series(curve: Curve): uPlot.Series {
    return {
        label: curve.name,
        scale: curve.right ? "right" : "y",
        stroke: curve.colour,
        width: 1.4,
        ...(curve.dashed ? { dash: [6, 4] } : {}),
        ...(curve.fillTo === "axis" ? { fill: curve.colour + "99" } : {}),
        ...(curve.points
            ? { paths: () => null }
            : curve.stepped
              ? { paths: uPlot.paths.stepped!({ align: 1 }) }
              : {}),
        points: { show: !!curve.points, size: 4, fill: curve.colour },
        value: (_u, v, _s, row) => {
            const told = row === null ? v : (curve.own ?? curve.values)[row];
            return told === null || told === undefined ? "–" : number(told, 4);
        },
    };
}

export class ChartView {
    private plot!: uPlot;
    private head = h("div", { class: "playhead", hidden: true });
    private time = NaN;

    constructor(
        private box: HTMLElement,
        private chart: Chart,
        onSeek: (t: number) => void,
    ) {
        const bands = chart.curves.flatMap((curve, k): uPlot.Band[] =>
            typeof curve.fillTo === "number"
                ? [{ series: [k + 1, curve.fillTo + 1], fill: curve.colour + "99" }]
                : [],
        );
        const data = [chart.x, ...chart.curves.map((c) => drawable(c.values))] as unknown as uPlot.AlignedData;
        this.plot = new uPlot(
            {
                width: 400,
                height: 150,
                bands,
                pxAlign: false,
                scales: {
                    x: { time: false, distr: chart.xLog ? 3 : 1 },
                    y: { distr: chart.yLog ? 3 : 1 },
                    right: {},
                },
                axes: [
                    axis(chart.xLabel, 2, "x", chart.xLog),
                    axis(chart.yLabel, 3, "y", chart.yLog),
                    ...(chart.right ? [axis(chart.right, 1, "right")] : []),
                ],
                series: [
                    { label: chart.timed ? "t" : "x", value: (_u, v) => (v === null ? "–" : number(v, 5)) },
                    ...chart.curves.map(series),
                ],
                legend: { live: true },
                cursor: { drag: { x: true, y: false }, points: { size: 6 } },
                hooks: { draw: [() => this.placeHead()] },
            },
            data,
            box,
        );
        this.plot.over.append(this.head);
        if (chart.timed) {
            let down = 0;
            this.plot.over.addEventListener("pointerdown", (event) => (down = event.clientX));
            this.plot.over.addEventListener("pointerup", (event) => {
                if (Math.abs(event.clientX - down) < 3) onSeek(this.plot.posToVal(event.offsetX, "x"));
            });
        }
        this.plot.over.addEventListener("pointerleave", () => requestAnimationFrame(() => this.tell()));
        this.resize();
    }

    resize(): void {
        const width = this.box.clientWidth - 12;
        if (width < 60) return;
        // the width decides how many lines the legend takes
        this.plot.setSize({ width, height: this.plot.height });
        const below = (this.box.querySelector(".u-legend") as HTMLElement | null)?.offsetHeight ?? 22;
        const height = this.box.clientHeight - below - 2;
        if (height > 40) this.plot.setSize({ width, height });
        if (this.chart.timed) requestAnimationFrame(() => this.tell());
    }

    setTime(t: number): void {
        this.time = t;
        if (!this.chart.timed) return;
        this.placeHead();
        this.tell();
    }

    // the legend tells the numbers at the playhead, unless the pointer asks for others
    private tell(): void {
        if (Number.isNaN(this.time) || (this.plot.cursor.left ?? -1) >= 0) return;
        this.plot.setLegend({ idx: rowAt(this.chart.x, this.chart.x.length, this.time + 1e-12) }, false);
    }

    // a line of its own over the chart: moving it draws nothing else again
    private placeHead(): void {
        const { plot, head } = this;
        if (!plot) return;
        const x = this.chart.timed && !Number.isNaN(this.time) ? plot.valToPos(this.time, "x") : -1;
        head.hidden = !(x >= 0 && x <= plot.over.clientWidth);
        head.style.transform = `translateX(${x.toFixed(1)}px)`;
    }

    destroy(): void {
        this.plot.destroy();
    }
}
