// Shows a block cache to the HDF5 library as a file of its virtual file system.
import type { BlockCache } from "./bytes";

/* eslint-disable @typescript-eslint/no-explicit-any */
type Fs = any;

const INPUT_OUTPUT = 29; // EIO

let mounted = "";
let mounts = 0;

// Makes a file whose reads go to `cache`; its path.  Each time another: a read that failed leaves its file open in
// the library, which would go on with what it knows of it.
export function mount(fs: Fs, cache: BlockCache): string {
    if (mounted && fs.analyzePath(mounted).exists) fs.unlink(mounted);
    mounted = `/run-${++mounts}.h5`;
    fs.writeFile(mounted, new Uint8Array(0));
    const node = fs.lookupPath(mounted).node;
    Object.defineProperty(node, "usedBytes", { get: () => cache.size, set: () => undefined });
    const plain = node.stream_ops;
    node.stream_ops = {
        ...plain,
        read(_stream: unknown, heap: Int8Array, offset: number, length: number, position: number): number {
            try {
                return cache.read(new Uint8Array(heap.buffer, heap.byteOffset + offset, length), position);
            } catch {
                // the library cleans up after an error of the system; it would not after any other
                throw new fs.ErrnoError(INPUT_OUTPUT);
            }
        },
        mmap: undefined,
    };
    return mounted;
}
