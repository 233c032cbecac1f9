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

// picks the contact of a body, by its name, with the largest share of tangential impulse; what the panel tells of it
async function pickContact(page, name) {
    await page.evaluate((wanted) => {
        const world = window.moreau.page;
        const { bodies } = world.world;
        const c = world.frame.contacts;
        const id = bodies.id[bodies.names.indexOf(wanted)];
        const ratio = (k) => Math.hypot(c.impulse[3 * k + 1], c.impulse[3 * k + 2]) / c.impulse[3 * k];
        const own = [...c.id1.keys()].filter((k) => c.id1[k] === id || c.id2[k] === id);
        world.pick(-1, own.sort((a, b) => ratio(b) - ratio(a))[0]);
    }, name);
    await page.waitForFunction(
        (wanted) => document.querySelector("[data-section=picked]").innerText.includes(`${wanted} (`),
        name,
    );
    const lines = (await text(page, "[data-section=picked]")).replaceAll("−", "-").split("\n");
    return Object.fromEntries(lines.map((line) => line.split("\t")).filter((cells) => cells.length === 2));
}

test("the cone at a picked contact is that of its law, with the impulse inside", async () => {
    const page = await openRun(runFile("laws"));
    await showFrame(page, 3);
    await page.keyboard.press("c");
    await page.waitForFunction(() => window.moreau.page.frame.contacts);
    const ball = await pickContact(page, "ball");
    assert.equal(ball["friction µ"], "0.3");
    assert.equal(ball["friction across the axis"], "0.1");
    assert.equal(ball["static friction"], "0.6");
    // it slides: all of its friction is used, on an ellipse
    assert.equal(ball["friction used"], "100 %");
    assert.ok(await page.locator("svg.law ellipse").count());
    await look(page, "laws-ball");
    const box = await pickContact(page, "box");
    assert.equal(box["threshold, N"], "4");
    assert.equal(box["friction used"], "100 %");
    const glued = await pickContact(page, "glued");
    assert.equal(glued["cohesion, N"], "3");
    await look(page, "laws-glued");
    const still = await pickContact(page, "still");
    assert.equal(still["state"], "stick");
    const used = Number(still["friction used"].replace(" %", ""));
    assert.ok(used > 100 && used <= 150, `static friction holds beyond the sliding one: ${used} %`);
    // the tip of the drawn impulse lies in the surface: its distance from the axis is as µ says
    const drawn = await page.evaluate(() => {
        const { contacts } = window.moreau.page;
        return { cone: contacts.cone.visible, wide: contacts.wide.visible };
    });
    assert.deepEqual(drawn, { cone: true, wide: true });
    // what a file of an earlier program does not tell is said to be missing
    await page.evaluate(() => (window.moreau.page.world.laws = null));
    assert.equal((await pickContact(page, "ball"))["law"], "not in this file");
    assert.deepEqual(page.problems, []);
    await closeRun(page);
});

test("the step is held against the law of its contacts", async () => {
    const page = await openRun(runFile("sandpile"));
    const last = await page.evaluate(() => window.moreau.player.count - 1);
    await showFrame(page, last);
    await page.waitForFunction(() =>
        /contacts held against the law/.test(document.querySelector("[data-section=step]").innerText),
    );
    assert.match(await text(page, "[data-section=step]"), /most \|S_T\| − µ S_N/);
    await closeRun(page);
});

test("bodies are coloured by what the scene observes", async () => {
    const page = await openRun(runFile("laws"));
    await showFrame(page, 10);
    await page.selectOption("select[name=colour]", { label: "depth" });
    await page.waitForFunction(() => /^depth/.test(document.querySelector("#legend").innerText));
    // from the least x − 0.3 of all to the largest
    const [low, high] = await page.evaluate(() =>
        [...document.querySelectorAll("#legend .ends span")].map((e) =>
            Number(e.innerText.replace("−", "-")),
        ),
    );
    assert.ok(low < -0.1 && high > 0.4, `${low} to ${high}`);
    const { id } = await bodyOnScreen(page, "ball");
    await page.evaluate((one) => window.moreau.page.pick(one, -1), id);
    await page.waitForFunction(() => /depth/.test(document.querySelector("[data-section=picked]").innerText));
    await closeRun(page);
});

test("a cut in the plane is drawn, tells its resultant and hides one side", async () => {
    const page = await openRun(runFile("sandpile"));
    const last = await page.evaluate(() => window.moreau.player.count - 1);
    await showFrame(page, last);
    const before = await look(page);
    await page.click("[data-section=cut] summary");
    await page.check("input[name=cutting]");
    await page.waitForFunction(() =>
        /force, N\/m/.test(document.querySelector("[data-section=cut]").innerText),
    );
    const line = await look(page);
    await page.check("input[name=hide]");
    await page.waitForTimeout(300);
    const half = await look(page, "sandpile-cut");
    // the line adds to the picture, half of the grains go from it
    assert.ok(
        line.share >= before.share && half.share < 0.97 * before.share,
        JSON.stringify([before, line, half]),
    );
    await page.check("input[name=flip]");
    await page.waitForTimeout(300);
    const other = await look(page);
    assert.ok(other.share < 0.97 * before.share, JSON.stringify([before, other]));
    assert.deepEqual(page.problems, []);
    await closeRun(page);
});

test("charts tell the numbers at the playhead, of a stack those of its layers", async () => {
    const page = await openRun(runFile("block"));
    const last = await page.evaluate(() => window.moreau.player.count - 1);
    await showFrame(page, last);
    await page.click('[data-chart="energy"]');
    await page.waitForFunction(
        () => !/kinetic\s*–/.test(document.querySelector("#plots .u-legend").innerText),
    );
    const told = (await text(page, "#plots .u-legend")).replaceAll("−", "-").replace(/\s+/g, " ");
    const value = (name) => Number(new RegExp(`${name}:?\\s*([-\\d.]+)`).exec(told)?.[1]);
    // pulled with 8 N against µ m g for 0.2 s: v = a t, friction took µ m g a t²/2, the pull gave 8 a t²/2
    const a = 8 - 0.5 * 9.81;
    const near = (x, y) => assert.ok(Math.abs(x - y) < 2e-3 * y, `${x} instead of ${y}: ${told}`);
    near(value("kinetic"), 0.5 * (0.2 * a) ** 2);
    near(value("lost in friction"), 0.5 * 9.81 * 0.5 * a * 0.04);
    near(value("start \\+ work done"), 4 * a * 0.04);
    await closeRun(page);
});

// colours (0 to 1) of a picture without its legend at places of the world; null where a place is not in it
function coloursAt(page, places) {
    return page.evaluate((points) => {
        const { page: world } = window.moreau;
        const { view } = world;
        view.renderFull();
        const shot = document.createElement("canvas");
        [shot.width, shot.height] = [view.canvas.width, view.canvas.height];
        const pen = shot.getContext("2d");
        pen.drawImage(view.canvas, 0, 0);
        return points.map((x) => {
            const at = view.toScreen(x.map((v, i) => v - world.bounds.centre[i]));
            if (!at) return null;
            const [px, py] = at.map((v) => Math.floor(v * view.pixelRatio));
            return [...pen.getImageData(px, py, 1, 1).data.slice(0, 3)].map((c) => c / 255);
        });
    }, places);
}

test("charts leave gaps where a series has no finite number, and long times fit on a phone", async () => {
    const page = await openRun(runFile("odd"));
    await page.click("#plots button:has-text('gaps')");
    for (const [k, told] of [
        [10, "1"],
        [50, "–"],
        [100, "∞"],
    ]) {
        await showFrame(page, k);
        await page.waitForFunction(
            (wanted) => document.querySelector("#plots .u-legend").innerText.trim().endsWith(wanted),
            told,
        );
    }
    // a level line over 40 of 100 steps: with an infinite scale there is nothing of it
    const drawn = await page.evaluate(() => {
        const canvas = document.querySelector("#plots canvas");
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        const columns = new Set();
        for (let k = 0; k < data.length; k += 4)
            if (data[k + 3] > 100 && data[k] < 60 && data[k + 2] > 140) columns.add((k / 4) % canvas.width);
        return columns.size / document.querySelector("#plots .u-over").clientWidth;
    });
    assert.ok(Math.abs(drawn - 0.4) < 0.03, `${drawn}`);
    await page.setViewportSize({ width: 360, height: 640 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    const [time, bar] = await page.evaluate(() =>
        [".time", "#transport"].map((name) => document.querySelector(name).getBoundingClientRect().right),
    );
    assert.ok(time <= bar);
    assert.deepEqual(page.problems, []);
    await closeRun(page);
});

// Of places `at` of a body's surface with the outward normals `normal`, in its frame and in the eighth where all is
// positive, those in each eighth that can be seen well: where they are, and whether they are among the dark ones.
function eighths(page, body, spots) {
    return page.evaluate(
        ({ body, spots }) => {
            const { page: world } = window.moreau;
            const q = world.frame.q.slice(7 * body, 7 * body + 7);
            const [w, x, y, z] = q.slice(3);
            const turn = [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ];
            const turned = (d) => turn.map((row) => row[0] * d[0] + row[1] * d[1] + row[2] * d[2]);
            const eye = world.view.camera.position.toArray().map((v, i) => v + world.bounds.centre[i] - q[i]);
            const out = [];
            for (let bits = 0; bits < 8 * spots.length; bits++) {
                const sign = [0, 1, 2].map((i) => ((bits >> i) & 1 ? 1 : -1));
                const { at, normal } = spots[bits >> 3];
                const place = turned(at.map((v, i) => sign[i] * v));
                const n = turned(normal.map((v, i) => sign[i] * v));
                const facing = n.reduce((sum, v, i) => sum + v * eye[i], 0) / Math.hypot(...eye);
                if (facing > 0.3)
                    out.push({ at: place.map((v, i) => q[i] + v), dark: sign[0] * sign[1] * sign[2] > 0 });
            }
            return out;
        },
        { body, spots },
    );
}

async function assertMarked(page, spots) {
    const places = spots.map((s) => s.at);
    const marked = await coloursAt(page, places);
    await page.evaluate(() => ((window.moreau.page.state.marks = false), window.moreau.page.again()));
    const plain = await coloursAt(page, places);
    await page.evaluate(() => ((window.moreau.page.state.marks = true), window.moreau.page.again()));
    // two roundings of 1/510 each
    spots.forEach((spot, s) => {
        const less = plain[s].map((v, i) => v - marked[s][i]);
        if (spot.dark) assert.ok(Math.max(...less) > 0.03, `${marked[s]} beside ${plain[s]}`);
        else less.forEach((v) => assert.ok(Math.abs(v) < 1 / 255, `${marked[s]} beside ${plain[s]}`));
    });
}

test("balls in space show how they are turned, also about the vertical axis", async () => {
    const page = await openRun(runFile("cell"));
    const n = [1, 1, 1].map((v) => v / Math.sqrt(3));
    for (const k of [0, 5]) {
        await showFrame(page, k);
        const spots = await eighths(page, 0, [{ at: n.map((v) => 0.4 * v), normal: n }]);
        assert.ok(spots.some((s) => s.dark) && spots.some((s) => !s.dark), JSON.stringify(spots));
        await assertMarked(page, spots);
    }
    assert.deepEqual(page.problems, []);
    await closeRun(page);
});

test("capsules and cylinders show how they are turned, on their sides and ends", async () => {
    const page = await openRun(runFile("shapes"));
    const r = Math.SQRT1_2;
    // middles of the eighths of the sides, and places of the flat and the round ends; sizes as in shapes.lua
    const cylinder = [
        { at: [0.15 * r, 0.15 * r, 0.1], normal: [r, r, 0] },
        { at: [0.06, 0.06, 0.2], normal: [0, 0, 1] },
    ];
    const capsule = [
        { at: [0.12 * r, 0.12 * r, 0.08], normal: [r, r, 0] },
        { at: [0.06, 0.06, 0.15 + 0.12 * r], normal: [0.5, 0.5, r] },
    ];
    const box = [{ at: [0.1, 0.1, 0.15], normal: [0, 0, 1] }];
    await showFrame(page, 0);
    for (const [name, spots, marks] of [
        ["s3-0", cylinder, true],
        ["s3-1", cylinder, true],
        ["s4-0", capsule, true],
        ["s4-1", capsule, true],
        ["s2-1", box, false],
    ]) {
        // all bodies are in the first frame
        const body = await page.evaluate(
            (wanted) => window.moreau.page.world.bodies.names.indexOf(wanted),
            name,
        );
        const seen = await eighths(page, body, spots);
        assert.ok(seen.length >= 4 && seen.some((s) => s.dark), `${name}: ${JSON.stringify(seen)}`);
        await assertMarked(page, marks ? seen : seen.map((s) => ({ ...s, dark: false })));
    }
    assert.deepEqual(page.problems, []);
    await closeRun(page);
});

test("a periodic cell is outlined, and trajectories go through its faces", async () => {
    const page = await openRun(runFile("cell"));
    await showFrame(page, 10);
    // the upper edge at x = 0 after a shear of 0.2 a second, from y = -1 to 1, at the dashes' places
    const edge = await page.evaluate(() => {
        const { bounds, frame } = window.moreau.page;
        const [ax, bx] = [frame.cell.corner[0], frame.cell.corner[0] + frame.cell.edges[1]];
        const side = Math.max(...bounds.low.map((v, i) => bounds.high[i] - v));
        const n = Math.round(Math.hypot(2, bx - ax) / (0.03 * side));
        const on = Array.from({ length: n + 1 }, (_, k) => k / n);
        const at = (s) => [ax + s * (bx - ax), -1 + 2 * s, bounds.high[2]];
        return { lean: bx - ax, dashes: on.map(at), gaps: on.slice(1).map((s) => at(s - 0.5 / n)) };
    });
    assert.ok(Math.abs(edge.lean - 0.4) < 1e-9, `${edge.lean}`);
    const [dashes, gaps] = [await coloursAt(page, edge.dashes), await coloursAt(page, edge.gaps)];
    const dark = (list) => list.filter((c) => c && c[0] < 0.85).length / list.length;
    assert.ok(dark(dashes) > 0.9, `${dark(dashes)}`);
    assert.ok(dark(gaps) < 0.1, `${dark(gaps)}`);
    // no step of the trajectory is longer than the way of 0.1 s at 1 m/s and of the flow
    const steps = await page.evaluate(async () => {
        const { page: world } = window.moreau;
        const id = world.world.bodies.id[world.world.bodies.names.indexOf("leaves")];
        await world.trails.follow(id, 1, world.world.frames.count);
        const found = [];
        const add = world.trails.ribbons.add;
        world.trails.ribbons.add = (a, b) => found.push(Math.hypot(...a.map((v, i) => b[i] - v)));
        world.redrawTrails();
        world.trails.ribbons.add = add;
        return found;
    });
    assert.equal(steps.length, 11, "ten steps, one of them in halves");
    steps.forEach((step) => assert.ok(step > 0 && step < 0.1 * (1 + 0.2), `${step}`));
    assert.deepEqual(page.problems, []);
    await closeRun(page);
});

test("joints are drawn while they are there", async () => {
    const page = await openRun(runFile("joints"));
    await showFrame(page, 4);
    await look(page, "joints");
    // on the rod between the discs, on the straight end of the spring, and beside both
    const places = [
        [2, 0, 0],
        [4, 2.7, 0],
        [2, 0.3, 0],
        [3, 2.7, 0],
    ];
    const dark = async () => (await coloursAt(page, places)).map((c) => c[0] < 0.6);
    assert.deepEqual(await dark(), [true, true, false, false]);
    await showFrame(page, 5);
    assert.deepEqual(await dark(), [false, true, false, false]);
    assert.deepEqual(page.problems, []);
    await closeRun(page);
});
