// Chromium without a window, drawing in software, and what tests ask of the page.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { CHROMIUM, PICTURES } from "./paths.mjs";
import { serve } from "./server.mjs";

const FLAGS = [
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--no-sandbox",
];

let browser = null;
const servers = [];

export const launch = () => chromium.launch({ executablePath: CHROMIUM, args: FLAGS });

export async function openPage(url, options = {}) {
    browser ??= await launch();
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, ...options });
    page.problems = [];
    page.hosts = new Set();
    page.on("pageerror", (error) => page.problems.push(error.message));
    page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
    page.on("request", (request) => page.hosts.add(new URL(request.url()).host));
    await page.goto(url);
    return page;
}

export async function ready(page) {
    await page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 60000 });
    assert.equal(
        await page.evaluate(() => document.documentElement.dataset.ready),
        "yes",
        await page.evaluate(() => document.body.innerText),
    );
    return page;
}

// a page with a run behind the test's server
export async function openRun(path, options = {}, live = null) {
    const server = await serve(path, live);
    servers.push(server);
    const page = await ready(await openPage(server.url, options));
    page.server = server;
    return page;
}

export async function closeBrowser() {
    servers.splice(0).forEach((server) => server.close());
    await browser?.close();
    browser = null;
}

export async function closeRun(page) {
    await page.close();
    page.server?.close();
}

// shows a frame and waits until it is drawn
export async function showFrame(page, k) {
    await page.evaluate(async (row) => {
        await window.moreau.player.show(row);
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }, k);
}

// the picture: how many colours it has and which share is not the ground
export async function look(page, name = "") {
    if (name) {
        mkdirSync(PICTURES, { recursive: true });
        await page.screenshot({ path: join(PICTURES, `${name}.png`) });
    }
    return page.evaluate(() => {
        const shot = window.moreau.page.snapshot();
        const pixels = shot.getContext("2d").getImageData(0, 0, shot.width, shot.height).data;
        const [r, g, b] = pixels;
        const colours = new Set();
        let other = 0;
        for (let k = 0; k < pixels.length; k += 4) {
            colours.add(((pixels[k] >> 3) << 10) | ((pixels[k + 1] >> 3) << 5) | (pixels[k + 2] >> 3));
            if (Math.abs(pixels[k] - r) + Math.abs(pixels[k + 1] - g) + Math.abs(pixels[k + 2] - b) > 24)
                other++;
        }
        return {
            colours: colours.size,
            share: other / (pixels.length / 4),
            width: shot.width,
            height: shot.height,
        };
    });
}

export const text = (page, selector) => page.locator(selector).innerText();

// where a body is on the screen
export function bodyOnScreen(page, name) {
    return page.evaluate((wanted) => {
        const { page: world } = window.moreau;
        const row = world.world.bodies.names.indexOf(wanted);
        const id = world.world.bodies.id[row];
        const at = world.rows.in(world.frame, id);
        const dim = world.world.dim;
        const width = dim === 2 ? 3 : 7;
        const x = [0, 1, 2].map(
            (i) => (i < dim ? world.frame.q[width * at + i] : 0) - world.bounds.centre[i],
        );
        const box = document.querySelector("#stage canvas:not([hidden])").getBoundingClientRect();
        const [px, py] = world.view.toScreen(x);
        return { id, x: box.left + px, y: box.top + py };
    }, name);
}
