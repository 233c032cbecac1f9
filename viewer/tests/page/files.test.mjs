// Where runs come from: inside the page, a local file; files that are none; a run that grows.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, test } from "node:test";
import { closeBrowser, closeRun, look, openPage, openRun, ready, text } from "../support/browser.mjs";
import { PAGE, PROGRAM, RUNS } from "../support/paths.mjs";
import { runFile } from "../support/runs.mjs";

after(closeBrowser);

const made = (name) => {
    mkdirSync(RUNS, { recursive: true });
    return join(RUNS, name);
};

test("a page with the run inside opens from the disk, alone", async () => {
    const run = readFileSync(runFile("tractrix")).toString("base64");
    const data = `<script type="application/octet-stream" id="run-data" data-name="inside.h5" data-encoding="base64">${run}</script>\n</body>`;
    const file = made("inside.html");
    // the last </body> is the page's own
    const html = readFileSync(PAGE, "utf8");
    const at = html.lastIndexOf("</body>");
    writeFileSync(file, html.slice(0, at) + data + html.slice(at + "</body>".length));
    const page = await ready(await openPage(pathToFileURL(file).href));
    assert.equal(await text(page, "header h1"), "inside.h5");
    assert.ok((await look(page)).share > 0.005);
    assert.deepEqual(
        [...page.hosts].filter((host) => host !== ""),
        [],
    );
    assert.deepEqual(page.problems, []);
    await page.close();
});

test("a local file is chosen, and read from the disk", async () => {
    const page = await openPage(pathToFileURL(PAGE).href);
    assert.match(await text(page, "#message"), /Drop a run file here/);
    await page.setInputFiles("input[type=file]", runFile("shapes"));
    await ready(page);
    assert.ok((await look(page)).colours > 40);
    assert.deepEqual(
        [...page.hosts].filter((host) => host !== ""),
        [],
    );
    await page.close();
});

async function refused(path, expected) {
    const page = await openPage(pathToFileURL(PAGE).href);
    await page.setInputFiles("input[type=file]", path);
    await page.waitForFunction(() => document.documentElement.dataset.ready === "no");
    assert.match(await text(page, "[role=alert]"), expected);
    // another file can be tried at once
    assert.ok(await page.locator("button:has-text('Choose a file')").isVisible());
    await page.close();
}

test("files that are no runs are refused in plain words", async () => {
    writeFileSync(made("empty.h5"), "");
    await refused(made("empty.h5"), /The file is empty/);
    writeFileSync(made("text.h5"), "this is no run file, it is text\n".repeat(100));
    await refused(made("text.h5"), /no HDF5 file/);
    const whole = readFileSync(runFile("sandpile"));
    for (const share of [0.002, 0.1, 0.5]) {
        writeFileSync(made("cut.h5"), whole.subarray(0, Math.floor(share * whole.length)));
        await refused(made("cut.h5"), /cut short or damaged/);
    }
});

test("a run opens with few requests and a part of its bytes", async () => {
    const page = await openRun(runFile("sandpile"));
    const { requests, bytes } = page.server;
    assert.ok(requests < 30 && bytes < 8e6, `${requests} requests, ${bytes} bytes`);
    // every frame once: what is kept is no more than the cache may hold
    await page.evaluate(async () => {
        for (let k = 0; k < window.moreau.player.count; k++) await window.moreau.player.show(k);
    });
    assert.ok(await page.evaluate(() => window.moreau.page.store.bytes <= 192 * 1024 * 1024));
    await closeRun(page);
});

test("a run being written is followed, and answers are shown", async (t) => {
    const path = made("growing.h5");
    rmSync(path, { force: true });
    const program = spawn(PROGRAM, [
        "run",
        "sandpile",
        "--set",
        "grains=1500",
        "--set",
        "relax=0.5",
        "-o",
        path,
        "--quiet",
    ]);
    t.after(() => program.kill());
    const ended = new Promise((done) => program.on("exit", done));
    while (!existsSync(path)) await new Promise((done) => setTimeout(done, 20));
    await new Promise((done) => setTimeout(done, 300));
    let frames = 0;
    const live = {
        parameters: [
            { name: "friction", value: 0.5, doc: "of grains", live: true },
            { name: "grains", value: 1500, doc: "how many", live: false },
        ],
        onMessage: (message, send) =>
            message.type === "set" &&
            send({ type: "error", message: `friction ${message.value} is too much` }),
    };
    const page = await openRun(path, {}, live);
    const news = (done, paused = false) =>
        page.server.send({
            type: "frame",
            frames: (frames += 1000),
            time: 1,
            steps: 10,
            residual: 1e-9,
            iterations: 12,
            contacts: 34,
            paused,
            done,
        });
    const count = () => page.evaluate(() => window.moreau.player.count);
    const first = await count();
    while (program.exitCode === null) {
        news(false);
        await Promise.race([ended, new Promise((done) => setTimeout(done, 150))]);
    }
    await page.click("[data-section=live] button:has-text('pause')");
    await page.click("[data-section=live] button:has-text('step')");
    await page.fill("input[name=parameter-friction]", "7");
    await page.keyboard.press("Tab");
    await page.waitForFunction(() =>
        /friction 7 is too much/.test(document.querySelector("[data-section=live]").innerText),
    );
    assert.deepEqual(page.server.messages, [
        { type: "pause" },
        { type: "step" },
        { type: "set", name: "friction", value: 7 },
    ]);
    assert.ok(await page.locator("input[name=parameter-grains]").isDisabled());
    news(true);
    // all frames of the finished run, the last one shown
    copyFileSync(path, made("grown.h5"));
    const whole = await openRun(made("grown.h5"));
    const all = await whole.evaluate(() => window.moreau.player.count);
    await closeRun(whole);
    await page.waitForFunction(
        (n) => window.moreau.player.count === n && window.moreau.page.frame?.index === n - 1,
        all,
        { timeout: 30000 },
    );
    assert.ok(all > first, `${first} frames at first, ${all} in the end`);
    assert.match(await text(page, "[data-section=live]"), /ended at 1 s/);
    assert.ok(await page.locator("[data-section=live] button:has-text('pause')").isDisabled());
    assert.deepEqual(page.problems, []);
    await closeRun(page);
});

test("a live run of the program is watched, paced, stepped and changed", async (t) => {
    const live = [
        "run",
        "pulled-block",
        "--live",
        "--no-open",
        "--page",
        PAGE,
        "--pace",
        "2",
        "--set",
        "t_end=1e4",
    ];
    const program = spawn(PROGRAM, live);
    t.after(() => program.kill("SIGINT"));
    const address = await new Promise((done) =>
        program.stdout.on("data", (data) => done(/http:\S+/.exec(String(data))?.[0])),
    );
    const page = await ready(await openPage(address));
    const count = () => page.evaluate(() => window.moreau.player.count);
    const section = () => text(page, "[data-section=live]");
    await page.waitForFunction(() => document.querySelector("select[name=pace]").value === "2");
    const first = await count();
    await page.waitForFunction((n) => window.moreau.player.count > n + 3, first);
    assert.match(await section(), /running at/);
    // as fast as it can: far ahead of the clock; the page may be long in reading what is written meanwhile
    await page.selectOption("select[name=pace]", "0");
    await page.waitForFunction((n) => window.moreau.player.count > n + 300, first, { timeout: 90000 });
    await page.click("[data-section=live] button:has-text('pause')");
    await page.waitForFunction(() => /paused/.test(document.querySelector("[data-section=live]").innerText));
    const tip = await page.getAttribute("[data-section=live] button:has-text('step')", "title");
    assert.match(tip, /next frame/);
    await page.fill("input[name=parameter-pull]", "8");
    await page.keyboard.press("Tab");
    // the page may still be reading what came before the pause
    let held = -1;
    while (held !== (await count())) {
        held = await count();
        await page.waitForTimeout(700);
    }
    for (let k = 1; k <= 5; k++) {
        await page.click("[data-section=live] button:has-text('step')");
        await page.waitForFunction((n) => window.moreau.player.count >= n, held + k);
    }
    // pulled harder than friction holds, it has begun to slide
    await page.waitForFunction(() => {
        const { frame, world } = window.moreau.page;
        const row = world.bodies.names.indexOf("block");
        return frame.u[3 * row] > 0.2;
    });
    await page.click("[data-section=live] button:has-text('resume')");
    await page.waitForFunction(() => /running/.test(document.querySelector("[data-section=live]").innerText));
    assert.ok((await look(page, "live")).share > 0.001);
    assert.deepEqual(page.problems, []);
    await page.close();
});
