// Whether the tests in a browser can run: exit 0, or 1 with the reason (--why prints it).
import { existsSync } from "node:fs";
import { launch } from "./browser.mjs";
import { CHROMIUM, PROGRAM } from "./paths.mjs";

// a browser that is there may still not start, or not draw
async function trouble() {
    try {
        const browser = await launch();
        const page = await browser.newPage();
        const draws = await page.evaluate(() => !!document.createElement("canvas").getContext("webgl2"));
        await browser.close();
        return draws ? "" : "Chromium has no WebGL here";
    } catch (error) {
        return `Chromium does not start here: ${error.message.split("\n")[0]}`;
    }
}

const why = !CHROMIUM
    ? "Chromium is not installed"
    : !existsSync(PROGRAM)
      ? `there is no ${PROGRAM}; make build makes it`
      : await trouble();
if (process.argv.includes("--why")) console.log(why);
process.exit(why && !process.argv.includes("--why") ? 1 : 0);
