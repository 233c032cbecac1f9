// Run files for the tests, made once by the program.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROGRAM, RUNS } from "./paths.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

export const SCENES = {
    sandpile: ["sandpile", "--set", "grains=250", "--set", "relax=0.3"],
    shapes: [here("shapes.lua")],
    laws: [here("laws.lua")],
    cell: [here("cell.lua")],
    joints: [here("joints.lua")],
    odd: [here("odd.lua")],
    block: ["pulled-block", "--set", "pull=8", "--set", "t_end=0.2"],
    "bouncing-ball": ["bouncing-ball"],
    "double-pendulum": ["double-pendulum", "--until", "2"],
    water: ["water"],
    tractrix: ["tractrix"],
    crowd: ["crowd", "--set", "people=60", "--until", "4"],
};

// path of a run; the program may end with a failed check of a shortened scene, but must leave the file
export function runFile(name) {
    const path = join(RUNS, `${name}.h5`);
    if (existsSync(path) && statSync(path).mtimeMs > statSync(PROGRAM).mtimeMs) return path;
    mkdirSync(RUNS, { recursive: true });
    const made = spawnSync(PROGRAM, ["run", ...SCENES[name], "-o", path, "--quiet"], { encoding: "utf8" });
    if (!existsSync(path)) throw new Error(`no run of ${name}: ${made.stderr || made.error}`);
    return path;
}
