// The legend over the picture, as elements and, for saved pictures, drawn on a canvas.
import { css, mapped, MAPS, type Rgb } from "../measure/colours";
import { number } from "../measure/scale";
import { h } from "./dom";

export type LegendPart =
    | { kind: "bar"; title: string; map: string; low: number; high: number; more: boolean }
    | { kind: "keys"; title: string; keys: [string, Rgb][] };

function gradient(map: string): string {
    const stops = Array.from({ length: 13 }, (_, k) => css(mapped(MAPS[map]!, k / 12)));
    return `linear-gradient(to right, ${stops.join(", ")})`;
}

// what the element shows already
let shown = "";

export function showLegend(element: HTMLElement, parts: LegendPart[]): void {
    const told = JSON.stringify(parts);
    if (told === shown && element.childElementCount === parts.length) return;
    shown = told;
    element.hidden = parts.length === 0;
    element.replaceChildren(
        ...parts.map((part) => {
            const box = h("div", { class: "part" }, h("div", {}, part.title));
            if (part.kind === "bar") {
                const bar = h("span", { class: "bar" });
                bar.style.background = gradient(part.map);
                box.append(
                    bar,
                    h(
                        "div",
                        { class: "ends" },
                        h("span", {}, number(part.low, 3)),
                        h("span", {}, `${part.more ? "≥ " : ""}${number(part.high, 3)}`),
                    ),
                );
            } else {
                for (const [name, colour] of part.keys) {
                    const dot = h("i");
                    dot.style.background = css(colour);
                    box.append(h("span", { class: "key" }, dot, name));
                }
            }
            return box;
        }),
    );
}

// the same on a canvas; the lower left corner, in units of `scale` pixels
export function drawLegend(
    pen: CanvasRenderingContext2D,
    parts: LegendPart[],
    height: number,
    scale: number,
    text: string,
): void {
    pen.save();
    pen.scale(scale, scale);
    pen.font = "12.5px system-ui, sans-serif";
    pen.fillStyle = text;
    let y = height / scale - 16;
    for (const part of [...parts].reverse()) {
        if (part.kind === "bar") {
            pen.fillText(number(part.low, 3), 14, y);
            pen.textAlign = "right";
            pen.fillText(`${part.more ? "≥ " : ""}${number(part.high, 3)}`, 204, y);
            pen.textAlign = "left";
            const shade = pen.createLinearGradient(14, 0, 204, 0);
            for (let k = 0; k <= 12; k++) shade.addColorStop(k / 12, css(mapped(MAPS[part.map]!, k / 12)));
            pen.fillStyle = shade;
            pen.fillRect(14, y - 24, 190, 9);
            pen.fillStyle = text;
            pen.fillText(part.title, 14, y - 30);
            y -= 52;
        } else {
            let x = 14;
            for (const [name, colour] of part.keys) {
                pen.fillStyle = css(colour);
                pen.beginPath();
                pen.arc(x + 5, y - 4, 5, 0, 2 * Math.PI);
                pen.fill();
                pen.fillStyle = text;
                pen.fillText(name, x + 15, y);
                x += 27 + pen.measureText(name).width;
            }
            pen.fillText(part.title, 14, y - 18);
            y -= 42;
        }
    }
    pen.restore();
}
