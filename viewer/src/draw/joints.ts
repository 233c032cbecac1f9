// Joints of a frame: marks at their points and lines between them, below the force chains.
import type * as THREE from "three";
import type { Rgb } from "../measure/colours";
import type { Vec3 } from "../measure/geometry";
import { jointLines, type JointPlace } from "../measure/joints";
import type { Frame } from "../run/types";
import { Marks } from "./marks";
import { Ribbons } from "./ribbons";

export class JointView {
    private ribbons: Ribbons;
    private marks = new Marks(8, 3);

    constructor(screen: THREE.IUniform<THREE.Vector2>) {
        this.ribbons = new Ribbons(screen, false, true, 3);
        this.ribbons.mesh.layers.set(1);
    }

    get objects(): THREE.Object3D[] {
        return [this.ribbons.mesh, this.marks.points];
    }

    // hidden: what has a point there is not shown
    show(
        frame: Frame,
        places: JointPlace[],
        hidden: ((x: Vec3) => boolean) | null,
        origin: Vec3,
        colour: Rgb,
    ): void {
        const from = (x: Vec3) => x.map((v, i) => v - origin[i]!) as Vec3;
        const seen = places.filter(({ ends }) => !ends.some((x) => hidden?.(x)));
        const points: Vec3[] = [];
        this.ribbons.clear();
        for (const place of seen) {
            const lines = jointLines(frame, place);
            for (const [a, b] of lines) this.ribbons.add(from(a), from(b), 1.8, colour);
            points.push(...(lines.length ? place.ends : [place.ends[0]]).map(from));
        }
        this.ribbons.show();
        this.marks.size(points.length > 3000 ? 4 : 8);
        this.marks.show(
            points,
            points.map(() => colour),
        );
    }
}
