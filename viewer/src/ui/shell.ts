// The page's frame: title, stage, panel, plots and the bar of playback.
import { button, h } from "./dom";
import type { Player } from "./player";

export class Shell {
    readonly canvas = h("canvas", { tabindex: 0, "aria-label": "picture of the run" });
    readonly legend = h("div", { id: "legend", hidden: true });
    readonly certificate = h("div", { id: "certificate", hidden: true });
    private trouble = h("div", { id: "trouble", role: "alert", hidden: true });
    readonly stage = h("main", { id: "stage" }, this.canvas, this.legend, this.certificate, this.trouble);
    readonly panel = h("aside", { id: "panel", "aria-label": "settings and numbers" });
    readonly plots = h("section", { id: "plots", "aria-label": "plots" });
    private title = h("h1", {}, "moreau");
    private about = h("span", { class: "about" });
    private toggles: Record<string, HTMLButtonElement> = {};

    constructor(
        private app: HTMLElement,
        private player: Player,
    ) {}

    show(): void {
        this.toggles = {
            plots: button("plots", "show or hide the plots (p)", () => this.toggle("plots")),
            panel: button("panel", "show or hide the panel (s)", () => this.toggle("panel")),
        };
        const nav = h(
            "nav",
            {},
            ...Object.values(this.toggles),
            button("?", "keys (?)", () => this.help()),
        );
        this.app.replaceChildren(
            h("header", {}, this.title, this.about, nav),
            this.stage,
            this.panel,
            this.plots,
            this.player.element,
        );
        const small = window.matchMedia("(max-width: 760px)").matches;
        this.set("panel", !small);
        this.set("plots", !small);
    }

    name(title: string, about: string): void {
        this.title.textContent = title;
        this.about.textContent = about;
        document.title = `${title} – moreau`;
    }

    // a sentence over the picture; none when empty
    problem(text: string): void {
        this.trouble.textContent = text;
        this.trouble.hidden = text === "";
    }

    private set(part: "plots" | "panel", on: boolean): void {
        this[part].hidden = !on;
        this.toggles[part]?.setAttribute("aria-pressed", String(on));
    }

    toggle(part: "plots" | "panel"): void {
        const on = this[part].hidden;
        // on a phone there is room for one
        if (on && window.matchMedia("(max-width: 760px)").matches)
            this.set(part === "plots" ? "panel" : "plots", false);
        this.set(part, on);
        window.dispatchEvent(new Event("resize"));
    }

    help(): void {
        const keys: [string, string][] = [
            ["space", "play or pause"],
            ["← →", "one frame back or on"],
            ["shift ← →", "ten frames"],
            ["home, end", "first or last frame"],
            ["f", "fit the picture"],
            ["1 2 3 4", "front, side, top, oblique (space)"],
            ["o", "perspective or orthographic"],
            ["c", "force chains"],
            ["p, s", "plots, panel"],
            ["esc", "let go what is picked"],
            ["?", "this list"],
        ];
        const dialog = h(
            "dialog",
            { "aria-label": "keys" },
            h("h2", {}, "Keys"),
            h(
                "table",
                { class: "numbers" },
                ...keys.map(([key, text]) => h("tr", {}, h("th", {}, h("kbd", {}, key)), h("td", {}, text))),
            ),
            h(
                "p",
                { class: "note" },
                "Drag turns the picture (moves it in the plane), the right button or two fingers move, " +
                    "the wheel or a pinch zooms, a click picks a body or contact.",
            ),
            h("form", { method: "dialog" }, h("button", { autofocus: true }, "close")),
        );
        dialog.addEventListener("close", () => dialog.remove());
        document.body.append(dialog);
        dialog.showModal();
    }
}
