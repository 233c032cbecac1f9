// Pictures and films from the page: one PNG, PNGs of all frames in an archive, or a WebM film.
import { button, download, h } from "./dom";
import type { Player } from "./player";
import { zip } from "./zip";

// the picture as it is, on a canvas of its own
export type Snapshot = () => HTMLCanvasElement;

const toBlob = (canvas: HTMLCanvasElement) =>
    new Promise<Blob>((done, failed) =>
        canvas.toBlob((b) => (b ? done(b) : failed(new Error("no picture"))), "image/png"),
    );

export class Saver {
    private note = h("p", { class: "note", role: "status" });
    private working = false;
    readonly element: HTMLElement;

    constructor(
        private player: Player,
        private name: string,
        private snapshot: Snapshot,
    ) {
        this.element = h(
            "div",
            { class: "fields" },
            h(
                "div",
                { class: "buttons" },
                button("PNG", "save this picture", () => this.run(() => this.picture())),
                button("PNGs", "save a picture of every frame, in one archive", () =>
                    this.run(() => this.sequence()),
                ),
                button("WebM", "save a film of the run", () => this.run(() => this.film())),
                button("stop", "stop saving", () => (this.working = false)),
            ),
            this.note,
        );
    }

    private async run(job: () => Promise<void>): Promise<void> {
        if (this.working) return;
        this.working = true;
        this.player.toggle(false);
        try {
            await job();
        } catch (error) {
            this.note.textContent = `That did not work: ${(error as Error).message}`;
        }
        this.working = false;
    }

    private file(ending: string): string {
        return `${this.name.replace(/\.h5$/, "")}${ending}`;
    }

    private async picture(): Promise<void> {
        download(
            await toBlob(this.snapshot()),
            this.file(`_${String(this.player.index).padStart(6, "0")}.png`),
        );
        this.note.textContent = "saved";
    }

    // shows every frame from the first and hands it on
    private async each(action: (k: number) => Promise<void>): Promise<void> {
        const back = this.player.index;
        for (let k = 0; k < this.player.count && this.working; k++) {
            await this.player.show(k);
            await action(k);
            this.note.textContent = `frame ${k + 1} of ${this.player.count}`;
        }
        await this.player.show(back);
    }

    private async sequence(): Promise<void> {
        const files: { name: string; bytes: Uint8Array }[] = [];
        await this.each(async (k) => {
            const blob = await toBlob(this.snapshot());
            files.push({
                name: `frame_${String(k).padStart(6, "0")}.png`,
                bytes: new Uint8Array(await blob.arrayBuffer()),
            });
        });
        download(new Blob(zip(files) as BlobPart[], { type: "application/zip" }), this.file("_frames.zip"));
        this.note.textContent = `saved ${files.length} pictures`;
    }

    // frames at the pace of playback, at most 30 a second
    private async film(): Promise<void> {
        const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((t) =>
            MediaRecorder.isTypeSupported(t),
        );
        if (!type) throw new Error("this browser records no WebM");
        const first = this.snapshot();
        const canvas = h("canvas", { width: first.width, height: first.height });
        const pen = canvas.getContext("2d")!;
        pen.drawImage(first, 0, 0);
        // frames are taken when they are drawn, not by the clock
        const stream = canvas.captureStream(0);
        const track = stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack;
        const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 8e6 });
        const chunks: Blob[] = [];
        recorder.ondataavailable = (event) => chunks.push(event.data);
        const ended = new Promise((done) => (recorder.onstop = done));
        recorder.start();
        let due = performance.now();
        await this.each(async (k) => {
            pen.drawImage(this.snapshot(), 0, 0, canvas.width, canvas.height);
            track.requestFrame();
            const { times, speed } = this.player;
            const span = k + 1 < this.player.count ? (times[k + 1]! - times[k]!) / speed : 0.1;
            due = Math.max(due, performance.now() - 1000) + 1000 * Math.min(1, Math.max(1 / 30, span));
            await new Promise((done) => setTimeout(done, Math.max(0, due - performance.now())));
        });
        // the last picture once more, so that the film lasts as long as it does, and time for it to arrive
        track.requestFrame();
        await new Promise((done) => setTimeout(done, 300));
        recorder.stop();
        await ended;
        download(new Blob(chunks, { type: "video/webm" }), this.file(".webm"));
        this.note.textContent = "saved the film";
    }
}
