// What a run is: a line for the title and a section with its scene, parameters and report.
import { bytes, number } from "../measure/scale";
import type { Head } from "../run/types";
import { h, section, table } from "./dom";

const KIND: Record<Head["kind"], string> = { world: "world", sweep: "sweeping process", system: "system" };

const told = (value: unknown): string =>
    typeof value === "number"
        ? number(value, 6)
        : typeof value === "object"
          ? JSON.stringify(value)
          : String(value);

export function aboutLine(head: Head): string {
    const dim = head.kind === "world" ? ` in ${head.dim}D` : "";
    return `${KIND[head.kind]}${dim} · ${head.solver} · h = ${number(head.h)} s · ${bytes(head.size)} · ${head.status}`;
}

const entries = (values: Record<string, unknown>) =>
    Object.entries(values).map(([k, v]): [string, string] => [k, told(v)]);

export function aboutSection(head: Head): HTMLElement {
    const [parameters, report] = [entries(head.params), entries(head.report)];
    return section(
        "Run",
        "run",
        false,
        table([
            ["scene", head.sceneName],
            ["ended", head.status],
            ["written by", `moreau ${head.version}`],
        ]),
        parameters.length > 0 && h("div", {}, h("p", { class: "note" }, "parameters"), table(parameters)),
        report.length > 0 && h("div", {}, h("p", { class: "note" }, "report"), table(report)),
        h("details", {}, h("summary", {}, "scene text"), h("pre", {}, head.sceneText)),
    );
}
