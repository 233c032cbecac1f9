// Starts the page: finds the run, opens it, and puts the right picture on the stage.
import "./style.css";
import type { Page } from "./page";
import { PathPage } from "./path/page";
import { Client, Unreadable } from "./source/client";
import { findRun, type Found } from "./source/where";
import { aboutLine, aboutSection } from "./ui/about";
import { section } from "./ui/dom";
import { listenToKeys } from "./ui/keys";
import { Live } from "./ui/live";
import { dropZone, waiting } from "./ui/message";
import { Player } from "./ui/player";
import { Saver } from "./ui/save";
import { Shell } from "./ui/shell";
import { WorldPage } from "./world/page";

const app = document.getElementById("app")!;

// the reader starts at once, while the page finds out what to read
let reader: Promise<Client> | null = Client.start();
reader.catch(() => undefined);

async function start(found: Found): Promise<void> {
    waiting(app, `Reading ${found.name} …`);
    const client = await (reader ?? Client.start());
    reader = null;
    performance.mark("reader");
    const opened = await client.open(found.where, !!found.session?.live);
    performance.mark("opened");
    const player = new Player();
    const shell = new Shell(app, player);
    shell.show();
    shell.name(found.name, aboutLine(opened.head));
    const world = opened.world ? await WorldPage.start(opened, client, shell, player) : null;
    const page: Page = world ?? (await PathPage.start(opened, client, shell, player));
    performance.mark("built");
    const saver = new Saver(player, found.name, () => page.snapshot());
    shell.panel.append(
        ...page.sections,
        section("Save", "save", false, saver.element),
        aboutSection(opened.head),
    );
    player.onShow = async (k) => {
        try {
            await page.show(k);
            shell.problem("");
        } catch (error) {
            shell.problem(`Frame ${k + 1} cannot be read: ${(error as Error).message}`);
        }
    };
    player.setTimes(page.times, page.count);
    listenToKeys(player, shell, page);
    if (found.session?.live) {
        const live = new Live(found.session, client, page, player);
        shell.panel.prepend(live.element);
        live.connect((next) => shell.name(found.name, aboutLine(next.head)));
    }
    if (page.count > 0) await player.show(0);
    performance.mark("shown");
    Object.assign(window, { moreau: { page, player, client } });
    document.documentElement.dataset["ready"] = "yes";
}

function failed(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    const title = error instanceof Unreadable ? "This file cannot be shown" : "Something went wrong";
    document.documentElement.dataset["ready"] = "no";
    dropZone(app, (file) => open({ name: file.name, where: { blob: file }, session: null }), { title, text });
}

function open(found: Found): void {
    start(found).catch(failed);
}

findRun()
    .then((found) => {
        if (found) open(found);
        else dropZone(app, (file) => open({ name: file.name, where: { blob: file }, session: null }));
    })
    .catch(failed);
