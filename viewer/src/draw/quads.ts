// Geometry of many quads in one call.  Corners are written out instead of instanced: drivers, those in software above
// all, take far longer for many instances of four corners than for one long list.
import * as THREE from "three";

const CORNERS = [-1, -1, 1, -1, 1, 1, -1, 1];

// `count` quads with corners (±1, ±1, 0) in `position`
export function quads(count: number): THREE.BufferGeometry {
    const position = new Float32Array(12 * count);
    const index = new Uint32Array(6 * count);
    for (let k = 0; k < count; k++) {
        for (let c = 0; c < 4; c++) {
            position[12 * k + 3 * c] = CORNERS[2 * c]!;
            position[12 * k + 3 * c + 1] = CORNERS[2 * c + 1]!;
        }
        index.set([4 * k, 4 * k + 1, 4 * k + 2, 4 * k, 4 * k + 2, 4 * k + 3], 6 * k);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    return geometry;
}

// the same value for the four corners of quad k
export function setQuad(
    array: Float32Array | Uint8Array,
    width: number,
    k: number,
    value: ArrayLike<number>,
): void {
    for (let c = 0; c < 4; c++) {
        for (let i = 0; i < width; i++) array[width * (4 * k + c) + i] = value[i]!;
    }
}
