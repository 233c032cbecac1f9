// Worlds in the plane and in space: drawn, scrubbed, recoloured, picked, cut, saved.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { bodyOnScreen, closeBrowser, closeRun, look, openRun, showFrame, text } from "../support/browser.mjs";
import { runFile } from "../support/runs.mjs";

after(closeBrowser);

test("a sandpile: playback, colours, chains, certificate", async () => {
    const page = await openRun(runFile("sandpile"));
    const last = await page.evaluate(() => window.moreau.player.count - 1);
    assert.ok(last > 5);
    await showFrame(page, last);
    const plain = await look(page, "sandpile");
    assert.ok(plain.colours > 20 && plain.share > 0.02, JSON.stringify(plain));
    assert.match(await text(page, "#legend"), /speed, m\/s/);
    assert.match(await text(page, "#transport .time"), new RegExp(`frame ${last + 1} of ${last + 1}`));
    await page.waitForFunction(() => /residual/.test(document.querySelector("#certificate").textContent));
    assert.match(await text(page, "#certificate"), /step \d+ · residual .* iterations/);

    await page.selectOption("select[name=colour]", "group");
    await page.waitForFunction(() => /group/.test(document.querySelector("#legend").innerText));
    await page.selectOption("select[name=colour]", "pressure");
    await page.waitForFunction(() => /pressure, N\/m/.test(document.querySelector("#legend").innerText));
    await page.keyboard.press("c");
    await page.waitForFunction(() => /normal force, N\/m/.test(document.querySelector("#legend").innerText));
    await page.check("input[name=states]");
    await page.waitForFunction(() => /stick/.test(document.querySelector("#legend").innerText));
    const chains = await look(page, "sandpile-chains");
    assert.ok(chains.colours > 20);

    // plots: energy, solver and the scene's own series, each drawn
    for (const key of ["energy", "solver", "series-grains"]) {
        await page.click(`[data-chart="${key}"]`);
        assert.ok((await page.locator("#plots canvas").count()) > 0, key);
    }
    assert.deepEqual(page.problems, []);
    await closeRun(page);
});

test("keys and the slider move through the run", async () => {
    const page = await openRun(runFile("sandpile"));
    const at = () => page.evaluate(() => window.moreau.player.index);
    const last = await page.evaluate(() => window.moreau.player.count - 1);
    await page.keyboard.press("End");
    assert.equal(await at(), last);
    await page.keyboard.press("ArrowLeft");
    assert.equal(await at(), last - 1);
    await page.keyboard.press("Home");
    assert.equal(await at(), 0);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => window.moreau.player.index > 2);
    await page.keyboard.press("Space");
    assert.equal(await page.evaluate(() => window.moreau.player.playing), false);
    await page.locator("#transport input[type=range]").fill("4");
    await page.waitForFunction(() => window.moreau.page.frame.index === 4);
    await page.keyboard.press("?");
    assert.ok(await page.locator("dialog[open]").isVisible());
    await page.keyboard.press("Escape");
    await page.keyboard.press("p");
    assert.ok(await page.locator("#plots").isHidden());
    assert.deepEqual(page.problems, []);
    await closeRun(page);
});

test("every shape in space is drawn where it is, and picked", async () => {
    const page = await openRun(runFile("shapes"));
    await showFrame(page, 0);
    await look(page, "shapes");
    // seen from the front the two layers stand apart
    await page.keyboard.press("1");
    for (let k = 1; k <= 6; k++) {
        for (const layer of [0, 1]) {
            const name = `s${k}-${layer}`;
            const { id, x, y } = await bodyOnScreen(page, name);
            await page.mouse.click(x, y);
            await page
                .waitForFunction((wanted) => window.moreau.page.state.body === wanted, id, { timeout: 3000 })
                .catch(() => assert.fail(`${name} (${id}) is not where it should be`));
            assert.match(await text(page, "[data-section=picked]"), new RegExp(`${name} \\(${id}\\)`));
        }
    }
    await page.waitForFunction(() =>
        /force of contacts/.test(document.querySelector("[data-section=picked]").innerText),
    );
    await page.click("button:has-text('trajectory')");
    await page.keyboard.press("o");
    await page.keyboard.press("4");
    const picture = await look(page, "shapes-orthographic");
    assert.ok(picture.colours > 60 && picture.share > 0.02, JSON.stringify(picture));
    assert.deepEqual(page.problems, []);
    await closeRun(page);
});

test("a cut through bodies at rest carries their weight", async () => {
    const page = await openRun(runFile("shapes"));
    const last = await page.evaluate(() => window.moreau.player.count - 1);
    await showFrame(page, last);
    await page.click("[data-section=cut] summary");
    await page.check("input[name=cutting]");
    await page.selectOption("select[name=axis]", "2");
    await page.locator("input[name=cut]").fill("0.3");
    await page.waitForFunction(() =>
        /contacts crossed/.test(document.querySelector("[data-section=cut]").innerText),
    );
    assert.match(await text(page, "[data-section=cut]"), /force, N/);
    await look(page, "shapes-cut");
    // nearly at the floor: the vertical force is the weight of all, as far as the bodies have come to rest
    const [force, weight] = await page.evaluate(async () => {
        const { page: world } = window.moreau;
        const slider = document.querySelector("input[name=cut]");
        const { low, high } = world.bounds;
        slider.value = String((0.02 - low[2]) / (high[2] - low[2]));
        slider.dispatchEvent(new Event("input"));
        await new Promise((done) => setTimeout(done, 300));
        const cells = [...document.querySelectorAll("[data-section=cut] tr")].map((row) => row.innerText);
        const row = cells.find((cell) => cell.startsWith("force")).replaceAll("−", "-");
        const mass = world.world.bodies.mass.reduce((a, b) => a + b, 0);
        return [Number(row.split(",").at(-1)), 9.81 * mass];
    });
    assert.ok(Math.abs(force / weight - 1) < 0.25, `${force} N for a weight of ${weight} N`);
    assert.deepEqual(page.problems, []);
    await closeRun(page);
});

test("a picked contact shows its numbers and cone", async () => {
    const page = await openRun(runFile("sandpile"));
    const last = await page.evaluate(() => window.moreau.player.count - 1);
    await page.check("input[name=states]");
    await showFrame(page, last);
    const [x, y] = await page.evaluate(() => {
        const { page: world } = window.moreau;
        const c = world.frame.contacts;
        const k = c.status.findIndex((s, i) => s > 0 && c.impulse[2 * i] > 0);
        const at = [0, 1].map((i) => c.point[2 * k + i] - world.bounds.centre[i]);
        const box = document.querySelector("#stage canvas").getBoundingClientRect();
        const [px, py] = world.view.toScreen([...at, 0]);
        return [box.left + px, box.top + py];
    });
    await page.mouse.click(x, y);
    await page.waitForFunction(() =>
        /contact of/.test(document.querySelector("[data-section=picked]").innerText),
    );
    assert.match(await text(page, "[data-section=picked]"), /tangential \/ normal/);
    assert.ok(await page.evaluate(() => window.moreau.page.contacts.cone.visible));
    await look(page, "contact");
    assert.deepEqual(page.problems, []);
    await closeRun(page);
});

test("pictures and films are saved", async () => {
    const page = await openRun(runFile("bouncing-ball"));
    const world = await openRun(runFile("shapes"));
    await world.click("[data-section=save] summary");
    const [picture] = await Promise.all([
        world.waitForEvent("download"),
        world.click("[data-section=save] button:has-text('PNG') >> nth=0"),
    ]);
    const bytes = readFileSync(await picture.path());
    assert.match(picture.suggestedFilename(), /^shapes_000000\.png$/);
    assert.equal(bytes.subarray(1, 4).toString(), "PNG");
    assert.ok(bytes.length > 5000);
    // an archive of a few frames, and a film
    await world.evaluate(() => window.moreau.player.setTimes(window.moreau.player.times, 5));
    const [archive] = await Promise.all([
        world.waitForEvent("download"),
        world.click("[data-section=save] button:has-text('PNGs')"),
    ]);
    assert.equal(
        readFileSync(await archive.path())
            .subarray(0, 2)
            .toString(),
        "PK",
    );
    const [film] = await Promise.all([
        world.waitForEvent("download", { timeout: 30000 }),
        world.click("[data-section=save] button:has-text('WebM')"),
    ]);
    const movie = readFileSync(await film.path());
    assert.deepEqual([...movie.subarray(0, 4)], [0x1a, 0x45, 0xdf, 0xa3]);
    assert.ok(movie.length > 2000);
    assert.deepEqual([...page.problems, ...world.problems], []);
    await closeRun(page);
    await closeRun(world);
});

test("dark, and on a phone", async () => {
    const dark = await openRun(runFile("shapes"), { colorScheme: "dark" });
    await showFrame(dark, 10);
    assert.ok((await look(dark, "shapes-dark")).colours > 40);
    await closeRun(dark);
    const phone = await openRun(runFile("sandpile"), {
        viewport: { width: 390, height: 780 },
        hasTouch: true,
        isMobile: true,
    });
    await phone.keyboard.press("End");
    assert.ok((await look(phone, "sandpile-phone")).colours > 10);
    // nothing is wider than the screen, and the panel opens over the picture
    assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    await phone.tap("header button:has-text('panel')");
    assert.ok(await phone.locator("select[name=colour]").isVisible());
    await look(phone, "sandpile-phone-panel");
    assert.deepEqual([...dark.problems, ...phone.problems], []);
    await closeRun(phone);
});
