// Shows a block cache to the HDF5 library as a file of its virtual file system.
import type { BlockCache } from "./bytes";

/* eslint-disable @typescript-eslint/no-explicit-any */
type Fs = any;

export const MOUNTED = "/run.h5";

// makes MOUNTED a file whose reads go to `cache`
export function mount(fs: Fs, cache: BlockCache): void {
    if (fs.analyzePath(MOUNTED).exists) fs.unlink(MOUNTED);
    fs.writeFile(MOUNTED, new Uint8Array(0));
    const node = fs.lookupPath(MOUNTED).node;
    Object.defineProperty(node, "usedBytes", { get: () => cache.size, set: () => undefined });
    const plain = node.stream_ops;
    node.stream_ops = {
        ...plain,
        read: (_stream: unknown, heap: Int8Array, offset: number, length: number, position: number): number =>
            cache.read(new Uint8Array(heap.buffer, heap.byteOffset + offset, length), position),
        mmap: undefined,
    };
}
