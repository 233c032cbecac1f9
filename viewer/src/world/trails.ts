// Trajectories of picked bodies, read from the file little by little while nothing else is wanted.
import type { Ribbons } from "../draw/ribbons";
import { wayBetween } from "../measure/cell";
import { groupColour } from "../measure/colours";
import type { Vec3 } from "../measure/geometry";
import type { Frame } from "../run/types";
import type { Client } from "../source/client";

const MOST_POINTS = 300;

interface Trail {
    id: number;
    points: { frame: number; x: Vec3 | null }[];
}

export class Trails {
    private trails: Trail[] = [];
    private run = 0;

    constructor(
        private client: Client,
        private ribbons: Ribbons,
        private onGrow: () => void,
    ) {}

    get ids(): number[] {
        return this.trails.map((t) => t.id);
    }

    clear(): void {
        this.run++;
        this.trails = [];
    }

    // reads where the body is in up to MOST_POINTS frames
    async follow(id: number, row: number, frames: number): Promise<void> {
        if (this.ids.includes(id)) return;
        const trail: Trail = { id, points: [] };
        this.trails.push(trail);
        const run = this.run;
        const stride = Math.max(1, Math.ceil(frames / MOST_POINTS));
        for (let k = 0; k < frames && run === this.run; k += stride) {
            const x = await this.client.place(k, id, Math.max(0, row));
            trail.points.push({ frame: k, x: x ? [x[0]!, x[1]!, x[2] ?? 0] : null });
            if (k % (16 * stride) === 0) this.onGrow();
        }
        this.onGrow();
    }

    // up to the frame shown strongly, what comes later faintly
    draw(frame: Frame, origin: Vec3): void {
        this.ribbons.clear();
        this.trails.forEach((trail, which) => {
            for (let k = 1; k < trail.points.length; k++) {
                const [a, b] = [trail.points[k - 1]!, trail.points[k]!];
                if (!a.x || !b.x) continue;
                const at = (x: Vec3) => x.map((v, i) => v - origin[i]!) as Vec3;
                const alpha = b.frame <= frame.index ? 0.95 : 0.3;
                for (const [from, to] of wayBetween(frame.cell, a.x, b.x)) {
                    this.ribbons.add(at(from), at(to), 2.5, groupColour(which + 4), alpha);
                }
            }
        });
        this.ribbons.show();
    }
}
