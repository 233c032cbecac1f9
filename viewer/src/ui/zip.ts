// A ZIP archive of files that are compressed already (stored, not deflated), after APPNOTE 6.3.

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c;
});

export function crc32(bytes: Uint8Array): number {
    let c = 0xffffffff;
    for (const byte of bytes) c = CRC[(c ^ byte) & 255]! ^ (c >>> 8);
    return (c ^ 0xffffffff) >>> 0;
}

function record(fields: [2 | 4, number][], ...tail: Uint8Array[]): Uint8Array {
    const size = fields.reduce((sum, [width]) => sum + width, 0) + tail.reduce((sum, t) => sum + t.length, 0);
    const out = new Uint8Array(size);
    const view = new DataView(out.buffer);
    let at = 0;
    for (const [width, value] of fields) {
        if (width === 2) view.setUint16(at, value, true);
        else view.setUint32(at, value >>> 0, true);
        at += width;
    }
    for (const bytes of tail) {
        out.set(bytes, at);
        at += bytes.length;
    }
    return out;
}

const DAY_ONE = 0x21;

export function zip(files: { name: string; bytes: Uint8Array }[]): Uint8Array[] {
    const [body, directory]: [Uint8Array[], Uint8Array[]] = [[], []];
    let offset = 0;
    for (const { name, bytes } of files) {
        const label = new TextEncoder().encode(name);
        const common: [2 | 4, number][] = [
            [2, 20],
            [2, 0x0800],
            [2, 0],
            [2, 0],
            [2, DAY_ONE],
            [4, crc32(bytes)],
            [4, bytes.length],
            [4, bytes.length],
            [2, label.length],
            [2, 0],
        ];
        const head = record([[4, 0x04034b50], ...common], label);
        directory.push(
            record([[4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]], label),
        );
        body.push(head, bytes);
        offset += head.length + bytes.length;
    }
    const size = directory.reduce((sum, d) => sum + d.length, 0);
    const end = record([
        [4, 0x06054b50],
        [2, 0],
        [2, 0],
        [2, files.length],
        [2, files.length],
        [4, size],
        [4, offset],
        [2, 0],
    ]);
    return [...body, ...directory, end];
}
