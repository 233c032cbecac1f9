// All bodies of a world in a handful of draw calls: balls, meshes and their edges, planes, segments.
import * as THREE from "three";
import type { Rgb } from "../measure/colours";
import { orientation, position, rotate, type Vec3 } from "../measure/geometry";
import type { Rows } from "../measure/rows";
import type { Frame, World } from "../run/types";
import type { Bounds } from "./bounds";
import { BALL, EDGE, material, MESH, type Shared, sharedUniforms } from "./materials";
import { planeMesh } from "./planes";
import { Poses } from "./poses";
import { quads, setQuad } from "./quads";
import { Ribbons } from "./ribbons";
import { type Ball, MeshList, type Shapes, shapesOf } from "./shapes";

const MOST_EDGES = 400000;

function ballMesh(balls: Ball[], shared: Shared, flat: boolean): THREE.Mesh {
    const geometry = quads(balls.length);
    const [rows, shapes] = [new Float32Array(4 * balls.length), new Float32Array(16 * balls.length)];
    balls.forEach((ball, k) => {
        setQuad(rows, 1, k, [ball.row]);
        setQuad(shapes, 4, k, [...ball.centre, ball.radius]);
    });
    geometry.setAttribute("aRow", new THREE.BufferAttribute(rows, 1));
    geometry.setAttribute("aBall", new THREE.BufferAttribute(shapes, 4));
    const options = flat ? { transparent: true, depthTest: false, depthWrite: false } : {};
    return new THREE.Mesh(geometry, material(BALL, shared, {}, { ...options, side: THREE.DoubleSide }));
}

function solidMesh(list: MeshList, shared: Shared, flat: boolean): THREE.Mesh {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(list.position, 3));
    geometry.setAttribute("normal", new THREE.Float32BufferAttribute(list.normal, 3));
    geometry.setAttribute("aRow", new THREE.Float32BufferAttribute(list.row, 1));
    geometry.setAttribute("aMark", new THREE.Float32BufferAttribute(list.mark, 3));
    geometry.setIndex(list.index);
    const more = { uOpacity: { value: 1 }, uLift: { value: 0 }, uClosed: { value: 1 } };
    return new THREE.Mesh(
        geometry,
        material(MESH, shared, more, {
            side: THREE.DoubleSide,
            depthTest: !flat,
            depthWrite: !flat,
            transparent: flat,
        }),
    );
}

function edgeLines(list: MeshList, shared: Shared, flat: boolean, opacity: number): THREE.LineSegments {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(list.edge, 3));
    geometry.setAttribute("normal", new THREE.Float32BufferAttribute(new Float32Array(list.edge.length), 3));
    geometry.setAttribute("aRow", new THREE.Float32BufferAttribute(list.edgeRow, 1));
    const more = { uOpacity: { value: opacity }, uLift: { value: flat ? 0 : 2e-4 } };
    return new THREE.LineSegments(
        geometry,
        material(EDGE, shared, more, { transparent: true, depthTest: !flat, depthWrite: false }),
    );
}

export class BodyView {
    readonly group = new THREE.Group();
    readonly poses: Poses;
    readonly shared: Shared;
    readonly shapes: Shapes;
    private flat: boolean;
    private planes: THREE.Mesh | null = null;
    private walls: THREE.Object3D[] = [];
    private segments: Ribbons;
    private wall: Rgb = [120, 120, 120];

    constructor(
        private world: World,
        private rows: Rows,
        screen: THREE.IUniform<THREE.Vector2>,
    ) {
        this.flat = world.dim === 2;
        this.poses = new Poses(world, rows);
        this.shared = sharedUniforms(this.poses, this.flat);
        this.shapes = shapesOf(world);
        const { balls, moving, fixed } = this.shapes;
        const isWall = (ball: Ball) => world.bodies.kind[ball.row] !== 0;
        this.add(ballMesh(balls.filter(isWall), this.shared, this.flat), 0, true);
        this.add(solidMesh(fixed, this.shared, this.flat), 0, true);
        if (fixed.edgeRow.length < 2 * MOST_EDGES)
            this.add(edgeLines(fixed, this.shared, this.flat, this.flat ? 0.75 : 0.12), 0, true);
        this.add(solidMesh(moving, this.shared, this.flat), 1);
        if (moving.edgeRow.length < 2 * MOST_EDGES)
            this.add(edgeLines(moving, this.shared, this.flat, this.flat ? 0.75 : 0.45), 1);
        this.add(
            ballMesh(
                balls.filter((ball) => !isWall(ball)),
                this.shared,
                this.flat,
            ),
            1,
        );
        this.segments = new Ribbons(screen, false, true, 2);
        this.group.add(this.segments.mesh);
    }

    private add(object: THREE.Mesh | THREE.LineSegments, order: number, wall = false): void {
        object.frustumCulled = false;
        object.renderOrder = order;
        if (wall) this.walls.push(object);
        this.group.add(object);
    }

    // what is drawn of fixed bodies: 1 solid, less see-through, 0 nothing
    set wallOpacity(value: number) {
        for (const object of this.walls) {
            object.visible = value > 0;
            const look = (object as THREE.Mesh).material as THREE.ShaderMaterial;
            const opacity = look.uniforms["uOpacity"];
            if (!opacity || this.flat) continue;
            look.transparent = value < 1 || object instanceof THREE.LineSegments;
            look.depthWrite = value === 1 && !(object instanceof THREE.LineSegments);
            if (object instanceof THREE.Mesh) opacity.value = value;
        }
    }

    // patches of planes around what is in view
    surround(bounds: Bounds, frame: Frame | null): void {
        if (this.planes) {
            this.group.remove(this.planes);
            this.planes.geometry.dispose();
        }
        this.poses.origin = bounds.centre;
        const place = (body: number): Vec3 => {
            const row = frame ? this.rows.in(frame, this.world.bodies.id[body]!) : -1;
            return row < 0 ? [0, 0, 0] : position(frame!, this.world.dim, row);
        };
        this.planes = planeMesh(
            this.shapes.planes,
            this.shared,
            bounds.centre,
            (this.flat ? 1 : 1.7) * bounds.radius,
            this.flat,
            place,
        );
        this.group.add(this.planes);
    }

    theme(ground: THREE.Color, fill: THREE.Color, line: THREE.Color, wall: Rgb): void {
        this.shared.uGround.value.copy(ground);
        const look = this.planes?.material as THREE.ShaderMaterial | undefined;
        (look?.uniforms["uFill"]?.value as THREE.Color | undefined)?.copy(fill);
        (look?.uniforms["uLine"]?.value as THREE.Color | undefined)?.copy(line);
        this.wall = wall;
    }

    place(frame: Frame): void {
        this.poses.place(frame);
        this.segments.clear();
        for (const segment of this.shapes.segments) {
            const row = this.rows.in(frame, this.world.bodies.id[segment.row]!);
            if (row < 0) continue;
            const [x, q, o] = [position(frame, 2, row), orientation(frame, 2, row), this.poses.origin];
            const at = (v: Vec3) => rotate(q, v).map((c, i) => c + x[i]! - o[i]!) as Vec3;
            this.segments.add(at(segment.from), at(segment.to), 2.5, this.wall);
        }
        this.segments.show();
    }

    // the cut takes away what lies beyond x·axis = place; null: nothing
    cut(axis: number, place: number | null, sign: number): void {
        const v = this.shared.uCut.value.set(0, 0, 0, 0);
        if (place === null) return;
        v.setComponent(axis, sign);
        v.w = sign * (place - this.poses.origin[axis]!);
    }

    dispose(): void {
        this.group.traverse((object) => {
            const mesh = object as Partial<THREE.Mesh>;
            mesh.geometry?.dispose();
            (mesh.material as THREE.Material | undefined)?.dispose();
        });
        this.poses.dispose();
    }
}
