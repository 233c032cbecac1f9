// The worker that reads the run file, so that the page never waits for it.  Requests come as {id, op, args}.
import { File as H5File, ready } from "h5wasm";
import { RunFile } from "../run/file";
import { Foreign, readHead } from "../run/head";
import { type Discs, pathRows, readDiscFrame, readDiscs, readPath, readSeries } from "../run/path";
import type { Frame, Head, Opened, World } from "../run/types";
import {
    type Ranges,
    readBodyForces,
    readFrame,
    readFrameContacts,
    readPlace,
    readSteps,
    readWorld,
} from "../run/world";
import { BlockCache, blobSource, type ByteSource, memorySource, urlSource } from "./bytes";
import { mount } from "./mount";

export type Where = { bytes: Uint8Array } | { blob: Blob } | { url: string; size: number };

const MOST_NUMBERS = 4e6;

let source: ByteSource | null = null;
let cache: BlockCache | null = null;
let file: RunFile | null = null;
let head: Head | null = null;
let world: World | null = null;
let ranges: Ranges | null = null;
let discs: Discs | null = null;
let rows = 0;

const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];

function looksLikeHdf5(bytes: BlockCache): boolean {
    const start = new Uint8Array(8);
    return bytes.read(start, 0) === 8 && SIGNATURE.every((byte, k) => start[k] === byte);
}

// the end of the file that its superblock (version 2 or 3) names; a file being written may have outgrown it
function namedEnd(bytes: BlockCache): number {
    const start = new Uint8Array(36);
    if (bytes.read(start, 0) < 36 || start[8]! < 2 || start[9] !== 8) return 0;
    return Number(new DataView(start.buffer).getBigUint64(28, true));
}

const CUT_SHORT =
    "The run file is cut short or damaged: its structure leads to bytes that are not there. " +
    "If it is being copied, wait until the copy is complete.";

// runs that were killed, or are being written, open only in the reading mode for a single writer
function openFile(path: string): H5File {
    try {
        return new H5File(path, "r");
    } catch {
        return new H5File(path, "Sr");
    }
}

function readAll(fs: unknown): Opened {
    file = new RunFile(openFile(mount(fs, cache!)));
    head = readHead(file, source!.size);
    [world, ranges, discs, rows] = [null, null, null, 0];
    if (head.kind === "world") {
        [world, ranges] = readWorld(file);
    } else {
        rows = pathRows(file, head.finished);
        if (file.number("discs", 0) === 1) [world, discs] = readDiscs(file, rows);
    }
    return { head, world, pathRows: rows };
}

async function open(where: Where): Promise<Opened> {
    const library = await ready;
    library.activate_throwing_error_handler();
    source =
        "bytes" in where
            ? memorySource(where.bytes)
            : "blob" in where
              ? blobSource(where.blob)
              : urlSource(where.url, where.size);
    if (source.size === 0) source.measure();
    cache = new BlockCache(source);
    if (!looksLikeHdf5(cache)) {
        throw new Foreign(
            source.size === 0 ? "The file is empty." : "This is not a run file: it is no HDF5 file at all.",
        );
    }
    // a file that grows may be longer by now than when its size was asked for
    if (namedEnd(cache) > source.size) source.measure();
    if (namedEnd(cache) > source.size) throw new Foreign(CUT_SHORT);
    file?.close();
    try {
        return readAll(library.FS);
    } catch (error) {
        if (error instanceof Foreign) throw error;
        throw new Foreign(CUT_SHORT);
    }
}

// a growing file: look again, from the first byte
async function refresh(): Promise<Opened> {
    const library = await ready;
    try {
        file?.close();
    } catch {
        // a torn read may have left the library with a broken file
    }
    file = null;
    source!.measure();
    cache!.clear();
    return readAll(library.FS);
}

function frame(k: number, contacts: boolean): Frame {
    return discs ? readDiscFrame(file!, world!, discs, k) : readFrame(file!, world!, ranges!, k, contacts);
}

const operations: Record<string, (...args: never[]) => unknown> = {
    open,
    refresh,
    frame,
    contacts: (k: number) => (discs ? frame(k, true).contacts : readFrameContacts(file!, world!, ranges!, k)),
    place: (k: number, id: number, guess: number) =>
        ranges ? readPlace(file!, world!, ranges, k, id, guess) : null,
    forces: (k: number, row: number) => (ranges ? readBodyForces(file!, ranges, k, row) : null),
    steps: () => (head?.kind === "world" ? readSteps(file!, MOST_NUMBERS / 4) : null),
    series: () => readSeries(file!, MOST_NUMBERS),
    path: () => readPath(file!, rows, MOST_NUMBERS),
    requests: () => cache?.requests ?? 0,
};

// buffers of a frame go to the page without a copy
function buffers(result: unknown): ArrayBuffer[] {
    const out = new Set<ArrayBuffer>();
    const visit = (value: unknown) => {
        if (ArrayBuffer.isView(value)) out.add(value.buffer as ArrayBuffer);
        else if (value && typeof value === "object") Object.values(value).forEach(visit);
    };
    visit(result);
    return [...out];
}

self.onmessage = async (event: MessageEvent<{ id: number; op: string; args: never[] }>) => {
    const { id, op, args } = event.data;
    try {
        cache?.begin();
        const result = await operations[op]!(...args);
        const moved = op === "frame" || op === "contacts" ? buffers(result) : [];
        self.postMessage({ id, result }, { transfer: moved });
    } catch (error) {
        const foreign = error instanceof Foreign;
        const message = error instanceof Error ? error.message : String(error);
        self.postMessage({ id, error: message, foreign });
    }
};
