// The plots below the picture: a row of tabs, one chart at a time.
import { h } from "../ui/dom";
import { onTheme } from "../ui/theme";
import { type Chart, ChartView } from "./chart";

export class Drawer {
    private tabs = h("div", { class: "tabs", role: "tablist" });
    private box = h("div", { class: "chart" });
    private charts: Chart[] = [];
    private chosen = "";
    private view: ChartView | null = null;
    private time = NaN;

    constructor(
        element: HTMLElement,
        private onSeek: (t: number) => void,
    ) {
        element.replaceChildren(this.tabs, this.box);
        new ResizeObserver(() => this.view?.resize()).observe(this.box);
        onTheme(() => this.draw());
    }

    // new charts, or new numbers of those that there are
    set(charts: Chart[]): void {
        this.charts = charts;
        if (!charts.some((c) => c.key === this.chosen)) this.chosen = charts[0]?.key ?? "";
        this.tabs.replaceChildren(
            ...charts.map((chart) => {
                const tab = h(
                    "button",
                    { type: "button", role: "tab", "data-chart": chart.key },
                    chart.title,
                );
                tab.addEventListener("click", () => this.choose(chart.key));
                return tab;
            }),
        );
        this.draw();
    }

    choose(key: string): void {
        this.chosen = key;
        this.draw();
    }

    private draw(): void {
        this.view?.destroy();
        this.view = null;
        this.box.replaceChildren();
        for (const tab of this.tabs.children) {
            tab.setAttribute("aria-selected", String((tab as HTMLElement).dataset["chart"] === this.chosen));
        }
        const chart = this.charts.find((c) => c.key === this.chosen);
        if (!chart || chart.x.length === 0) {
            this.box.append(h("p", { class: "note" }, chart?.note ?? "Nothing was recorded to plot."));
            return;
        }
        this.view = new ChartView(this.box, chart, this.onSeek);
        this.view.setTime(this.time);
        // the legend has its lines once it is laid out
        requestAnimationFrame(() => this.view?.resize());
    }

    setTime(t: number): void {
        this.time = t;
        this.view?.setTime(t);
    }
}
