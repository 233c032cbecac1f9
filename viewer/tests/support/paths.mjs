// Where the page, the program and the run files of tests are.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export const PAGE = here("../../dist/viewer.html");
export const PROGRAM = process.env.MOREAU ?? here("../../../build/moreau");
export const RUNS = process.env.MOREAU_RUNS ?? here("../made/runs");
export const PICTURES = here("../made/pictures");
export const CHROMIUM = [
    process.env.CHROMIUM,
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
].find((path) => path && existsSync(path));
