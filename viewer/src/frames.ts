// Frames of a run, read when asked for and kept in a cache of bounded size; the next ones are read ahead.
import type { Frame } from "./run/types";
import type { Client } from "./source/client";

function bytesOf(value: unknown): number {
    if (ArrayBuffer.isView(value)) return value.byteLength;
    return value && typeof value === "object"
        ? Object.values(value).reduce<number>((sum, v) => sum + bytesOf(v), 0)
        : 8;
}

// values by number, the least recently used dropped once they take more than `limit` bytes together
export class ByteCache<T> {
    private kept = new Map<number, { value: T; bytes: number }>();
    total = 0;

    constructor(private limit: number) {}

    get size(): number {
        return this.kept.size;
    }

    get(key: number): T | undefined {
        const entry = this.kept.get(key);
        if (entry) {
            this.kept.delete(key);
            this.kept.set(key, entry);
        }
        return entry?.value;
    }

    // the newest stays even when it is larger than the limit
    set(key: number, value: T): void {
        this.delete(key);
        const bytes = bytesOf(value);
        this.kept.set(key, { value, bytes });
        this.total += bytes;
        for (const old of this.kept.keys()) {
            if (this.total <= this.limit || this.kept.size === 1) break;
            this.delete(old);
        }
    }

    delete(key: number): void {
        this.total -= this.kept.get(key)?.bytes ?? 0;
        this.kept.delete(key);
    }

    clear(): void {
        this.kept.clear();
        this.total = 0;
    }
}

export class FrameStore {
    private cache: ByteCache<Frame>;
    private pending = new Map<string, Promise<Frame>>();

    constructor(
        private client: Client,
        limit: number,
    ) {
        this.cache = new ByteCache<Frame>(limit);
    }

    get bytes(): number {
        return this.cache.total;
    }

    has(k: number, contacts: boolean): boolean {
        const frame = this.cache.get(k);
        return !!frame && (!contacts || !!frame.contacts);
    }

    get(k: number, contacts: boolean): Promise<Frame> {
        const kept = this.cache.get(k);
        if (kept && (!contacts || kept.contacts)) return Promise.resolve(kept);
        const key = `${k} ${contacts}`;
        let asked = this.pending.get(key);
        if (!asked) {
            asked = this.load(k, contacts, kept).finally(() => this.pending.delete(key));
            this.pending.set(key, asked);
        }
        return asked;
    }

    private async load(k: number, contacts: boolean, kept?: Frame): Promise<Frame> {
        const frame = kept
            ? { ...kept, contacts: await this.client.contacts(k) }
            : await this.client.frame(k, contacts);
        this.cache.set(k, frame);
        return frame;
    }

    // reads frames that will be wanted soon, one at a time
    ahead(k: number, contacts: boolean): void {
        if (this.pending.size < 2 && !this.has(k, contacts)) this.get(k, contacts).catch(() => undefined);
    }

    clear(): void {
        this.cache.clear();
    }
}
