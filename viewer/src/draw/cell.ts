// The outline of a periodic cell: dashed, along the edges of its faces; in space bodies hide it.
import type * as THREE from "three";
import { cellEdges } from "../measure/cell";
import type { Rgb } from "../measure/colours";
import type { Vec3 } from "../measure/geometry";
import type { Frame } from "../run/types";
import type { Bounds } from "./bounds";
import { Ribbons } from "./ribbons";

// of the largest side of what is seen; six tenths of it are line
const PERIOD = 0.03;
const MOST_DASHES = 400;

export class CellView {
    private ribbons: Ribbons;

    constructor(
        screen: THREE.IUniform<THREE.Vector2>,
        private dim: number,
    ) {
        this.ribbons = new Ribbons(screen, false, dim === 2, 2);
        this.ribbons.mesh.layers.set(1);
    }

    get mesh(): THREE.Mesh {
        return this.ribbons.mesh;
    }

    show(frame: Frame, bounds: Bounds, colour: Rgb): void {
        const { low, high, centre } = bounds;
        const period = PERIOD * Math.max(...low.map((v, i) => high[i]! - v));
        this.ribbons.clear();
        for (const [a, b] of frame.cell ? cellEdges(frame.cell, this.dim, low, high) : []) {
            const d = b.map((v, i) => v - a[i]!) as Vec3;
            // dashes about whole multiples of a share of the edge, so that corners are closed
            const n = Math.min(Math.max(Math.round(Math.hypot(...d) / period), 1), MOST_DASHES);
            const at = (s: number) =>
                a.map((v, i) => v - centre[i]! + Math.min(Math.max(s / n, 0), 1) * d[i]!) as Vec3;
            for (let k = 0; k <= n; k++) this.ribbons.add(at(k - 0.3), at(k + 0.3), 1.5, colour);
        }
        this.ribbons.show();
    }
}
