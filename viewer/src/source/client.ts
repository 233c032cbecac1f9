// The page's side of the worker: starts it and turns requests into promises.
import packed from "virtual:worker";
import type { Contacts, Frame, Opened, Path, Series, Steps } from "../run/types";
import { decode } from "./where";
import type { Where } from "./worker";

// a file that is no run file, with a sentence that says so
export class Unreadable extends Error {}

async function unpack(): Promise<string> {
    const plain = new Blob([decode(packed)]).stream().pipeThrough(new DecompressionStream("gzip"));
    return URL.createObjectURL(
        new Blob([await new Response(plain).arrayBuffer()], { type: "text/javascript" }),
    );
}

interface Waiting {
    done(value: unknown): void;
    failed(error: Error): void;
}

// a read that met a half-written page is tried anew
async function patiently<T>(job: () => Promise<T>): Promise<T> {
    for (let wait = 40; ; wait *= 2) {
        try {
            return await job();
        } catch (error) {
            if (wait > 2000) throw error;
            await new Promise((done) => setTimeout(done, wait));
        }
    }
}

export class Client {
    private waiting = new Map<number, Waiting>();
    private next = 0;

    private constructor(private worker: Worker) {
        worker.onmessage = ({
            data,
        }: MessageEvent<{ id: number; result?: unknown; error?: string; foreign?: boolean }>) => {
            const entry = this.waiting.get(data.id);
            this.waiting.delete(data.id);
            if (data.error === undefined) entry?.done(data.result);
            else entry?.failed(data.foreign ? new Unreadable(data.error) : new Error(data.error));
        };
        worker.onerror = (event) => {
            this.waiting.forEach((entry) => entry.failed(new Error(event.message || "the reader stopped")));
            this.waiting.clear();
        };
    }

    static async start(): Promise<Client> {
        return new Client(new Worker(await unpack()));
    }

    private ask<T>(op: string, args: unknown[] = [], move: Transferable[] = []): Promise<T> {
        const id = this.next++;
        this.worker.postMessage({ id, op, args }, move);
        return new Promise<T>((done, failed) =>
            this.waiting.set(id, { done: done as Waiting["done"], failed }),
        );
    }

    // `grows`: the file is being written
    open(where: Where, grows: boolean): Promise<Opened> {
        const move = "bytes" in where ? [where.bytes.buffer as ArrayBuffer] : [];
        return grows ? patiently(() => this.ask("open", [where])) : this.ask("open", [where], move);
    }

    // opens a growing file again
    refresh(): Promise<Opened> {
        return patiently(() => this.ask("refresh"));
    }

    frame(k: number, contacts: boolean): Promise<Frame> {
        return this.ask("frame", [k, contacts]);
    }

    contacts(k: number): Promise<Contacts> {
        return this.ask("contacts", [k]);
    }

    // where one body is in a frame; `guess` is its row if it is the same as in another
    place(k: number, id: number, guess: number): Promise<number[] | null> {
        return this.ask("place", [k, id, guess]);
    }

    forces(k: number, row: number): Promise<[number[], number[]] | null> {
        return this.ask("forces", [k, row]);
    }

    steps(): Promise<Steps | null> {
        return this.ask("steps");
    }

    series(): Promise<Series> {
        return this.ask("series");
    }

    path(): Promise<Path> {
        return this.ask("path");
    }
}
