// The water picture in space: a plane process with time downward, its set a tube, its path a stream falling through it;
// or a path of three coordinates.
import * as THREE from "three";
import { bounds, type Bounds } from "../draw/bounds";
import { Ribbons } from "../draw/ribbons";
import { View } from "../draw/view";
import { mapped, MAPS } from "../measure/colours";
import type { Vec3 } from "../measure/geometry";
import type { Path } from "../run/types";
import { rgb } from "../ui/theme";
import { lines } from "./cavity";

export class Tube {
    readonly view: View;
    private ribbons: Ribbons;
    private surface: THREE.Mesh;
    private box: Bounds;
    private fall: number;

    constructor(
        canvas: HTMLCanvasElement,
        private path: Path,
    ) {
        this.view = new View(canvas);
        this.ribbons = new Ribbons(this.view.screen, false, false, 2);
        this.surface = new THREE.Mesh(
            new THREE.BufferGeometry(),
            new THREE.MeshBasicMaterial({
                color: new THREE.Color(0.5, 0.55, 0.58),
                transparent: true,
                opacity: 0.16,
                side: THREE.DoubleSide,
                depthWrite: false,
            }),
        );
        this.view.scene.add(this.ribbons.mesh, this.surface);
        const plane: [Vec3, Vec3] = [
            [Infinity, Infinity, Infinity],
            [-Infinity, -Infinity, -Infinity],
        ];
        this.fall = 1;
        const rows = path.t.length;
        for (let k = 0; k < rows; k++) this.widen(plane, this.at(k));
        if (path.n === 2) this.takeBorders(plane);
        if (path.n === 2) {
            const wide = Math.max(plane[1][0] - plane[0][0], plane[1][1] - plane[0][1]) || 1;
            this.fall = (1.4 * wide) / (path.t[rows - 1]! - path.t[0]! || 1);
            plane[0][2] = -this.fall * path.t[rows - 1]!;
            plane[1][2] = -this.fall * path.t[0]!;
        }
        this.box = bounds(...plane);
        if (path.n === 2) this.joinBorders();
        this.view.kind(false, [0, 0, 1]);
        this.view.look([0.55, -0.75, 0.4], this.box);
    }

    private widen([low, high]: [Vec3, Vec3], x: Vec3): void {
        for (let i = 0; i < 3; i++) {
            low[i] = Math.min(low[i]!, x[i]!);
            high[i] = Math.max(high[i]!, x[i]!);
        }
    }

    // borders near the path belong to the picture; those far away are cut off
    private takeBorders(plane: [Vec3, Vec3]): void {
        const reach = 1.2 * Math.max(plane[1][0] - plane[0][0], plane[1][1] - plane[0][1]);
        const limit = [0, 1].map((i) => [plane[0][i]! - reach, plane[1][i]! + reach]);
        const inside = (p: [number, number]) => p.every((v, i) => v >= limit[i]![0]! && v <= limit[i]![1]!);
        for (const { points } of lines(this.path.outlines)) {
            for (const p of points) if (inside(p)) this.widen(plane, [p[0], p[1], plane[0][2]]);
        }
    }

    private at(k: number): Vec3 {
        const { path } = this;
        const x = path.x.subarray(path.n * k, path.n * (k + 1));
        return [x[0]!, x[1]!, path.n === 2 ? -this.fall * path.t[k]! : x[2]!];
    }

    private relative(x: Vec3): Vec3 {
        return x.map((v, i) => v - this.box.centre[i]!) as Vec3;
    }

    // the part of a border that lies near the path
    private near(points: [number, number][]): [number, number][] {
        const reach = 1e-6 * this.box.radius;
        const { low, high } = this.box;
        return points.filter(
            ([x, y]) =>
                x > low[0] - reach && x < high[0] + reach && y > low[1] - reach && y < high[1] + reach,
        );
    }

    // a sheet between borders of neighbouring times, each taken at equal shares of its length
    private joinBorders(): void {
        const rings = lines(this.path.outlines).map((line) => ({
            t: line.t,
            points: resample(this.near(line.points), 64),
        }));
        const position: number[] = [];
        for (let r = 1; r < rings.length; r++) {
            const [a, b] = [rings[r - 1]!, rings[r]!];
            if (a.points.length === 0 || b.points.length === 0 || b.t <= a.t) continue;
            for (let k = 1; k < a.points.length; k++) {
                const corner = (ring: typeof a, i: number) =>
                    this.relative([...ring.points[i]!, -this.fall * ring.t]);
                const [p, q, s, t] = [corner(a, k - 1), corner(a, k), corner(b, k), corner(b, k - 1)];
                position.push(...p, ...q, ...s, ...p, ...s, ...t);
            }
        }
        this.surface.geometry.setAttribute("position", new THREE.Float32BufferAttribute(position, 3));
    }

    show(k: number): void {
        const { path, ribbons } = this;
        this.view.scene.background = new THREE.Color(...rgb("ground").map((c) => c / 255));
        ribbons.clear();
        if (path.n === 2) {
            for (const line of lines(path.outlines)) {
                const near = this.near(line.points);
                for (let i = 1; i < near.length; i++) {
                    const ends = [near[i - 1]!, near[i]!].map((p) =>
                        this.relative([...p, -this.fall * line.t]),
                    );
                    ribbons.add(ends[0]!, ends[1]!, 1.5, rgb("wall"), line.t <= path.t[k]! ? 0.9 : 0.35);
                }
            }
        }
        const rows = path.t.length;
        const stride = Math.max(1, Math.floor(rows / 20000));
        for (let r = stride; r < rows; r += stride) {
            const colour = mapped(MAPS["dusk"]!, 0.85 * (r / rows));
            ribbons.add(
                this.relative(this.at(r - stride)),
                this.relative(this.at(r)),
                4,
                colour,
                r <= k ? 1 : 0.18,
            );
        }
        const here = this.relative(this.at(k));
        const tip = here.map((v, i) => v + (i === 2 ? 0.02 * this.box.radius : 0)) as Vec3;
        ribbons.add(here, tip, 13, rgb("accent"));
        ribbons.show();
        this.view.touch();
    }
}

// points at equal shares of a line's length
export function resample(points: [number, number][], count: number): [number, number][] {
    if (points.length < 2) return [];
    const along = [0];
    for (let k = 1; k < points.length; k++) {
        along.push(
            along[k - 1]! + Math.hypot(points[k]![0] - points[k - 1]![0], points[k]![1] - points[k - 1]![1]),
        );
    }
    const total = along[along.length - 1]!;
    let at = 1;
    return Array.from({ length: count }, (_, i): [number, number] => {
        const want = (total * i) / (count - 1);
        while (at < points.length - 1 && along[at]! < want) at++;
        const [a, b] = [points[at - 1]!, points[at]!];
        const s = along[at]! > along[at - 1]! ? (want - along[at - 1]!) / (along[at]! - along[at - 1]!) : 0;
        return [a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])];
    });
}
