// Bytes of a run file from wherever it lies: in memory, in a local file, or behind a server that answers ranges.
// Far bytes come in blocks that are kept in a cache of bounded size; neighbouring misses are read ahead.

export interface ByteSource {
    size: number;
    // bytes [from, to) as they are now; throws when they cannot be had
    fetch(from: number, to: number): Uint8Array;
    // looks again how large the file is
    measure(): void;
}

export function memorySource(bytes: Uint8Array): ByteSource {
    return { size: bytes.length, fetch: (from, to) => bytes.subarray(from, to), measure: () => undefined };
}

// a file that the user chose; only the ranges asked for are read
export function blobSource(blob: Blob): ByteSource {
    const reader = new FileReaderSync();
    return {
        size: blob.size,
        fetch: (from, to) => new Uint8Array(reader.readAsArrayBuffer(blob.slice(from, to))),
        measure: () => undefined,
    };
}

function request(url: string, from: number, to: number): XMLHttpRequest {
    const ask = new XMLHttpRequest();
    ask.open("GET", url, false);
    ask.responseType = "arraybuffer";
    ask.setRequestHeader("Range", `bytes=${from}-${to - 1}`);
    ask.send();
    return ask;
}

export function urlSource(url: string, size: number): ByteSource {
    const source: ByteSource = {
        size,
        fetch(from, to) {
            const ask = request(url, from, to);
            const got = new Uint8Array((ask.response as ArrayBuffer | null) ?? new ArrayBuffer(0));
            if (ask.status === 206) return got;
            if (ask.status === 200) return got.subarray(from, to);
            throw new Error(`the server answered ${ask.status} to a request for bytes of the run file`);
        },
        measure() {
            const ask = request(url, 0, 1);
            const total = /\/(\d+)\s*$/.exec(ask.getResponseHeader("Content-Range") ?? "");
            if (total) source.size = Number(total[1]);
        },
    };
    return source;
}

const BLOCK = 256 * 1024;
const AHEAD = 4;
// the HDF5 library waits twice as long before each try, from 1 ns on: one second in all
const TRIES = 30;

// Blocks of a source, the least recently used dropped first.
//
// Where a file is being written, the library reads a torn piece of its structure again until the checksum is right:
// the same read twice in a row asks the source anew.
export class BlockCache {
    private blocks = new Map<number, Uint8Array>();
    private last = -2;
    private run = 1;
    private again = { position: -1, length: -1, times: 0 };
    requests = 0;

    constructor(
        private source: ByteSource,
        private most = 64,
    ) {}

    get size(): number {
        return this.source.size;
    }

    clear(): void {
        this.blocks.clear();
        this.last = -2;
        this.begin();
    }

    // what is read from here on is not a second try of what was read before
    begin(): void {
        this.again.position = -1;
    }

    private notice(position: number, length: number): void {
        if (position !== this.again.position || length !== this.again.length) {
            this.again = { position, length, times: 1 };
            return;
        }
        if (++this.again.times > TRIES) throw new Error("the file stays damaged, however often it is read");
        for (let n = Math.floor(position / BLOCK); n * BLOCK < position + length; n++) this.blocks.delete(n);
    }

    // copies bytes at `position` to `into`; the number copied, less than asked only at the end of the file
    read(into: Uint8Array, position: number): number {
        this.notice(position, into.length);
        const end = Math.min(position + into.length, this.source.size);
        let at = position;
        while (at < end) {
            const block = this.block(Math.floor(at / BLOCK));
            const offset = at % BLOCK;
            const part = block.subarray(offset, Math.min(block.length, offset + end - at));
            if (part.length === 0) break;
            into.set(part, at - position);
            at += part.length;
        }
        return Math.max(at - position, 0);
    }

    private block(n: number): Uint8Array {
        const kept = this.blocks.get(n);
        if (kept) {
            this.blocks.delete(n);
            this.blocks.set(n, kept);
            return kept;
        }
        // misses in a row ask for more at once
        this.run = n === this.last + 1 ? Math.min(this.run * 2, AHEAD) : 1;
        let count = 1;
        while (count < this.run && !this.blocks.has(n + count)) count++;
        const bytes = this.source.fetch(n * BLOCK, Math.min((n + count) * BLOCK, this.source.size));
        this.requests++;
        for (let k = 0; k < count && k * BLOCK < bytes.length; k++) {
            this.blocks.set(n + k, bytes.slice(k * BLOCK, (k + 1) * BLOCK));
        }
        this.last = n + count - 1;
        while (this.blocks.size > this.most) this.blocks.delete(this.blocks.keys().next().value as number);
        return this.blocks.get(n) ?? new Uint8Array(0);
    }
}
