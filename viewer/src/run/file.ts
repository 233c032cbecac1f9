// Small helpers over the HDF5 library: typed rows, texts, lists of texts, attributes.
import { Dataset, type File as H5File } from "h5wasm";

type Rows = { length: number } & Iterable<number | bigint>;

// 64-bit whole numbers as reals by their halves: tables of very many would take long one by one
function fromWhole(raw: BigUint64Array | BigInt64Array): Float64Array {
    const bytes = [raw.buffer as ArrayBuffer, raw.byteOffset, 2 * raw.length] as const;
    const low = new Uint32Array(...bytes);
    const high = raw instanceof BigInt64Array ? new Int32Array(...bytes) : new Uint32Array(...bytes);
    const out = new Float64Array(raw.length);
    for (let k = 0; k < out.length; k++) out[k] = low[2 * k]! + high[2 * k + 1]! * 4294967296;
    return out;
}

export class Missing extends Error {}

export class RunFile {
    // datasets that were looked up: frames are read from the same ones again and again
    private known = new Map<string, Dataset | null>();

    constructor(private file: H5File) {}

    has(path: string): boolean {
        const known = this.known.get(path);
        return known !== undefined ? !!known : this.listed(path);
    }

    private listed(path: string): boolean {
        const cut = path.lastIndexOf("/");
        const group = this.file.get(path.slice(0, cut) || "/");
        return !!group && "keys" in group && (group.keys() as string[]).includes(path.slice(cut + 1));
    }

    private dataset(path: string): Dataset {
        let found = this.known.get(path);
        if (found === undefined) {
            const there = this.listed(path) ? this.file.get(path) : null;
            found = there instanceof Dataset ? there : null;
            this.known.set(path, found);
        }
        if (!found) throw new Missing(`the file has no ${path}`);
        return found;
    }

    rows(path: string): number {
        return this.dataset(path).shape?.[0] ?? 0;
    }

    // rows [first, first + count) by `stride`, as the file's own numbers
    raw(path: string, first = 0, count = -1, stride = 1): Rows {
        const data = this.dataset(path);
        const shape = data.shape ?? [];
        const end = count < 0 ? shape[0]! : first + count;
        if (end > (shape[0] ?? 0)) throw new Missing(`${path} has ${shape[0]} rows, not ${end}`);
        if (end <= first) return new Float64Array(0);
        return data.slice([[first, end, stride], ...shape.slice(1).map(() => [] as [])]) as unknown as Rows;
    }

    reals(path: string, first = 0, count = -1, stride = 1): Float64Array {
        const raw = this.raw(path, first, count, stride);
        if (raw instanceof Float64Array) return raw;
        if (raw instanceof BigUint64Array || raw instanceof BigInt64Array) return fromWhole(raw);
        const out = new Float64Array(raw.length);
        let k = 0;
        for (const value of raw) out[k++] = Number(value);
        return out;
    }

    u32(path: string, first = 0, count = -1): Uint32Array {
        const raw = this.raw(path, first, count);
        return raw instanceof Uint32Array ? raw : Uint32Array.from(raw as unknown as ArrayLike<number>);
    }

    u8(path: string, first = 0, count = -1): Uint8Array {
        const raw = this.raw(path, first, count);
        return raw instanceof Uint8Array ? raw : Uint8Array.from(raw as unknown as ArrayLike<number>);
    }

    text(path: string): string {
        return this.has(path) ? new TextDecoder().decode(this.u8(path)) : "";
    }

    json<T>(path: string, otherwise: T): T {
        try {
            return JSON.parse(this.text(path)) as T;
        } catch {
            return otherwise;
        }
    }

    texts(bytes: string, ends: string): string[] {
        const all = this.u8(bytes);
        const decoder = new TextDecoder();
        const out: string[] = [];
        let from = 0;
        for (const end of this.reals(ends)) {
            out.push(end > from ? decoder.decode(all.subarray(from, end)) : "");
            from = end;
        }
        return out;
    }

    attribute(name: string): unknown {
        return this.file.attrs[name]?.value;
    }

    number(name: string, otherwise = NaN): number {
        const value = this.attribute(name);
        return value === undefined || value === null ? otherwise : Number(value);
    }

    close(): void {
        this.file.close();
    }
}
