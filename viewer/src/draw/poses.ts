// Places, turns and colours of all bodies in two textures: drawing a frame uploads these and nothing else.
import * as THREE from "three";
import { mapped, mapRow, type Rgb } from "../measure/colours";
import type { Vec3 } from "../measure/geometry";
import type { Rows } from "../measure/rows";
import { type Frame, Part, type World } from "../run/types";

const WIDTH = 512;
const FUNCTIONS = 16;

export const POSE_GLSL = /* glsl */ `
uniform highp sampler2D uPose;
uniform lowp sampler2D uTint;
// place and scale, turn (x, y, z, w) and colour of a body; a scale of 0 hides it
void bodyPose(float row, out vec4 place, out vec4 turn) {
    int r = int(row + 0.5);
    ivec2 at = ivec2((r % ${WIDTH}) * 2, r / ${WIDTH});
    place = texelFetch(uPose, at, 0);
    turn = texelFetch(uPose, at + ivec2(1, 0), 0);
}
vec4 bodyTint(float row) {
    int r = int(row + 0.5);
    return texelFetch(uTint, ivec2(r % ${WIDTH}, r / ${WIDTH}), 0);
}
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
`;

function texture(width: number, height: number, data: Float32Array | Uint8Array): THREE.DataTexture {
    const type = data instanceof Float32Array ? THREE.FloatType : THREE.UnsignedByteType;
    const made = new THREE.DataTexture(data as never, width, height, THREE.RGBAFormat, type);
    made.magFilter = made.minFilter = THREE.NearestFilter;
    made.needsUpdate = true;
    return made;
}

// radius of the disc or sphere that a body with a prescribed radius has in the table; 0 for other bodies
function tableRadius(world: World, body: number): number {
    const { bodies } = world;
    const first = body ? bodies.partEnd[body - 1]! : 0;
    if (!(bodies.flags[body]! & FUNCTIONS) || bodies.partEnd[body]! - first !== 1) return 0;
    const kind = bodies.partKind[first];
    return kind === Part.disc || kind === Part.sphere ? bodies.partGeometry[(world.dim + 2) * first]! : 0;
}

export class Poses {
    private poses: Float32Array;
    private tints: Uint8Array;
    private radii: Float64Array;
    readonly pose: THREE.DataTexture;
    readonly tint: THREE.DataTexture;
    // what is drawn lies relative to this point, so that single precision is enough
    origin: Vec3 = [0, 0, 0];

    constructor(
        private world: World,
        private rows: Rows,
    ) {
        const height = Math.max(1, Math.ceil(world.bodies.count / WIDTH));
        this.poses = new Float32Array(8 * WIDTH * height);
        this.tints = new Uint8Array(4 * WIDTH * height).fill(255);
        this.radii = Float64Array.from({ length: world.bodies.count }, (_, body) => tableRadius(world, body));
        this.pose = texture(2 * WIDTH, height, this.poses);
        this.tint = texture(WIDTH, height, this.tints);
    }

    // takes the places of a frame; bodies that are not in it vanish
    place(frame: Frame): void {
        const { poses, origin, world } = this;
        for (let k = 0; k < world.bodies.count; k++) poses[8 * k + 3] = 0;
        // plain loops: frames have many bodies
        const { dim } = world;
        const width = dim === 2 ? 3 : 7;
        const q = frame.q;
        for (let k = 0; k < frame.count; k++) {
            const body = this.rows.body(frame.id[k]!);
            if (body < 0) continue;
            const [from, to] = [width * k, 8 * body];
            const old = this.radii[body]!;
            let sum = 0;
            for (let i = 0; i < 3; i++) {
                const x = i < dim ? q[from + i]! : 0;
                sum += x;
                poses[to + i] = x - origin[i]!;
            }
            const scale = old > 0 && frame.radius[k]! > 0 ? frame.radius[k]! / old : 1;
            poses[to + 3] = Number.isFinite(sum) ? scale : 0;
            if (dim === 2) {
                poses[to + 6] = Math.sin(q[from + 2]! / 2);
                poses[to + 7] = Math.cos(q[from + 2]! / 2);
            } else {
                for (let i = 0; i < 4; i++) poses[to + 4 + i] = q[from + 3 + ((i + 1) % 4)]!;
            }
        }
        this.pose.needsUpdate = true;
    }

    paint(body: number, colour: Rgb, alpha = 255): void {
        this.tints[4 * body] = colour[0];
        this.tints[4 * body + 1] = colour[1];
        this.tints[4 * body + 2] = colour[2];
        this.tints[4 * body + 3] = alpha;
    }

    // the colour of s in [0, 1] in a map
    paintMapped(body: number, map: Uint8Array, s: number): void {
        if (Number.isNaN(s)) return this.paint(body, mapped(map, s));
        const from = 3 * mapRow(s);
        for (let i = 0; i < 3; i++) this.tints[4 * body + i] = map[from + i]!;
        this.tints[4 * body + 3] = 255;
    }

    painted(): void {
        this.tint.needsUpdate = true;
    }

    dispose(): void {
        this.pose.dispose();
        this.tint.dispose();
    }
}
