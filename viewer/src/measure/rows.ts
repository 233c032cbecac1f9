// From a body's id to its row in the table of bodies and in a frame.
import type { Bodies, Frame } from "../run/types";

export class Rows {
    private table: Int32Array;
    private inFrame: Int32Array;
    private held: Frame | null = null;

    constructor(readonly bodies: Bodies) {
        let largest = 0;
        for (let k = 0; k < bodies.count; k++) largest = Math.max(largest, bodies.id[k]!);
        this.table = new Int32Array(largest + 1).fill(-1);
        this.inFrame = new Int32Array(largest + 1).fill(-1);
        for (let k = 0; k < bodies.count; k++) this.table[bodies.id[k]!] = k;
    }

    // row of /bodies, −1 when there is none
    body(id: number): number {
        return this.table[id] ?? -1;
    }

    // row within the frame, −1 when the body does not stand in it
    in(frame: Frame, id: number): number {
        if (this.held !== frame) {
            this.inFrame.fill(-1);
            for (let k = 0; k < frame.count; k++)
                if (frame.id[k]! < this.inFrame.length) this.inFrame[frame.id[k]!] = k;
            this.held = frame;
        }
        return this.inFrame[id] ?? -1;
    }
}
