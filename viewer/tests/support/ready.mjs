// Whether the tests in a browser can run: exit 0, or 1 with the reason (--why prints it).
import { existsSync } from "node:fs";
import { CHROMIUM, PROGRAM } from "./paths.mjs";

const why = !CHROMIUM
    ? "Chromium is not installed"
    : !existsSync(PROGRAM)
      ? `there is no ${PROGRAM}; make build makes it`
      : "";
if (process.argv.includes("--why")) console.log(why);
process.exit(why && !process.argv.includes("--why") ? 1 : 0);
