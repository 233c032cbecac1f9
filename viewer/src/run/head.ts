// The head of a run file: what it is, its scene, how it ended.
import type { RunFile } from "./file";
import type { Head, ScenePlot } from "./types";

export class Foreign extends Error {}

export function readHead(file: RunFile, size: number): Head {
    if (file.attribute("format") !== "moreau-run") {
        const fclib = file.has("/fclib_local") || file.has("/fclib_global");
        throw new Foreign(
            fclib
                ? "This is a file of contact problems, not a run file: it has no frames to show."
                : "This is an HDF5 file, but not a run file: it was not written by moreau run.",
        );
    }
    const version = file.number("format_version");
    if (version !== 1) {
        throw new Foreign(`This run file has format version ${version}; this page reads version 1.`);
    }
    const kind = String(file.attribute("kind")) as Head["kind"];
    if (!["world", "sweep", "system"].includes(kind)) {
        throw new Foreign(`This run file is of kind “${kind}”, which this page does not know.`);
    }
    const finished = file.has("/end/finished") && file.rows("/end/finished") > 0;
    return {
        kind,
        size,
        finished,
        version: String(file.attribute("version") ?? ""),
        solver: String(file.attribute("solver") ?? ""),
        dim: file.number("dim"),
        h: file.number("h"),
        tEnd: file.number("t_end"),
        sceneName: file.text("/scene/name"),
        sceneText: file.text("/scene/text"),
        params: file.json<Record<string, unknown>>("/scene/params", {}),
        status: finished ? file.text("/end/status") : "unfinished",
        report: finished ? file.json<Record<string, unknown>>("/end/report", {}) : {},
        plots: finished ? file.json<ScenePlot[]>("/end/plots", []) : [],
    };
}
