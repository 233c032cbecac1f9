// Sweeps and systems: phase portraits, water, moving sets, discs.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, closeRun, look, openRun, showFrame, text } from "../support/browser.mjs";
import { runFile } from "../support/runs.mjs";

after(closeBrowser);

async function middle(page) {
    const count = await page.evaluate(() => window.moreau.player.count);
    assert.ok(count > 20, `${count} rows`);
    await showFrame(page, Math.floor(count / 2));
    return count;
}

test("a system: phase portrait, multipliers, events", async () => {
    const page = await openRun(runFile("bouncing-ball"));
    await middle(page);
    assert.ok((await look(page, "bouncing-ball")).share > 0.005);
    assert.match(await text(page, "[data-section=now]"), /q1[\s\S]*u1[\s\S]*λ1/);
    assert.match(await text(page, "[data-section=events]"), /impact, gap 1/);
    assert.match(await text(page, "[data-section=now]"), /g1/);
    for (const key of ["x", "u", "gaps", "lambda"]) {
        await page.click(`[data-chart="${key}"]`);
        assert.ok((await page.locator("#plots canvas").count()) > 0, key);
    }
    assert.deepEqual(page.problems, []);
    await closeRun(page);
});

test("a system of two coordinates has a portrait of each", async () => {
    const page = await openRun(runFile("double-pendulum"));
    await middle(page);
    await page.selectOption("select[name=coordinate]", "1");
    await look(page, "double-pendulum");
    await page.selectOption("select[name=picture]", "plane");
    assert.ok((await look(page, "double-pendulum-plane")).share > 0.003);
    assert.deepEqual(page.problems, []);
    await closeRun(page);
});

test("the water picture shows rock, stream and gaps", async () => {
    const page = await openRun(runFile("water"));
    await middle(page);
    // the stream is at the middle of the run where the scene puts it, and rock fills both sides
    const picture = await look(page, "water");
    assert.ok(picture.share > 0.01, JSON.stringify(picture));
    await page.click('[data-chart="gaps"]');
    assert.match(await text(page, "#plots .u-legend"), /border 1[\s\S]*border 2/);
    assert.deepEqual(page.problems, []);
    await closeRun(page);
});

test("a moving set in the plane, and as water in space", async () => {
    const page = await openRun(runFile("tractrix"));
    await middle(page);
    assert.ok((await look(page, "tractrix")).share > 0.005);
    await page.selectOption("select[name=picture]", "tube");
    await page.waitForTimeout(300);
    const tube = await look(page, "tractrix-space");
    assert.ok(tube.share > 0.05 && tube.colours > 10, JSON.stringify(tube));
    assert.deepEqual(page.problems, []);
    await closeRun(page);
});

test("discs of a crowd are bodies with what holds them", async () => {
    const page = await openRun(runFile("crowd"));
    await middle(page);
    assert.ok((await look(page, "crowd")).colours > 8);
    assert.match(await text(page, "#legend"), /sum of multipliers/);
    assert.deepEqual(page.problems, []);
    await closeRun(page);
});
