// Lines with a width, as quads that face the viewer: force chains, normals, trails, segments, arrows.
import * as THREE from "three";
import type { Rgb } from "../measure/colours";
import type { Vec3 } from "../measure/geometry";
import { quads, setQuad } from "./quads";

const VERTEX = /* glsl */ `
in vec3 aFrom;
in vec3 aTo;
in float aWidth;
in vec4 aColour;
out vec4 vColour;
out float vSide;
out float vPixels;
uniform vec2 uScreen;
uniform float uInWorld;
uniform float uNarrowest;
void main() {
    vec4 a = projectionMatrix * viewMatrix * vec4(aFrom, 1.0);
    vec4 b = projectionMatrix * viewMatrix * vec4(aTo, 1.0);
    // ends behind the viewer are drawn to just before it
    float near = 1e-4;
    if (a.w < near) a = mix(a, b, (near - a.w) / max(b.w - a.w, 1e-9));
    if (b.w < near) b = mix(b, a, (near - b.w) / max(a.w - b.w, 1e-9));
    vec2 pa = a.xy / a.w * uScreen, pb = b.xy / b.w * uScreen;
    vec2 along = pb - pa;
    along = length(along) > 1e-4 ? normalize(along) : vec2(1.0, 0.0);
    vec4 end = position.x < 0.0 ? a : b;
    float pixels = uInWorld > 0.5 ? aWidth * projectionMatrix[1][1] * uScreen.y / end.w : aWidth;
    pixels = max(pixels, uNarrowest);
    vPixels = 0.5 * pixels + 1.0;
    vSide = position.y * vPixels;
    vec2 offset = vec2(-along.y, along.x) * vSide + along * position.x * min(0.35 * pixels, 2.0);
    gl_Position = end + vec4(offset / uScreen * end.w, 0.0, 0.0);
    vColour = aColour;
    if (aWidth <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

const FRAGMENT = /* glsl */ `
precision highp float;
in vec4 vColour;
in float vSide;
in float vPixels;
uniform float uOpacity;
out vec4 colour;
void main() {
    float alpha = clamp(vPixels - 0.5 - abs(vSide), 0.0, 1.0);
    colour = vec4(vColour.rgb, vColour.a * uOpacity * alpha);
}`;

export class Ribbons {
    readonly mesh: THREE.Mesh;
    private geometry = new THREE.BufferGeometry();
    private look: THREE.ShaderMaterial;
    private capacity = 0;
    private count = 0;
    private from!: Float32Array;
    private to!: Float32Array;
    private width!: Float32Array;
    private colour!: Uint8Array;

    // widths are lengths of the world or pixels; `over`: drawn over everything
    constructor(screen: THREE.IUniform<THREE.Vector2>, inWorld: boolean, over: boolean, order: number) {
        this.look = new THREE.ShaderMaterial({
            vertexShader: VERTEX,
            fragmentShader: FRAGMENT,
            glslVersion: THREE.GLSL3,
            transparent: true,
            depthWrite: false,
            depthTest: !over,
            side: THREE.DoubleSide,
            uniforms: {
                uScreen: screen,
                uInWorld: { value: inWorld ? 1 : 0 },
                uOpacity: { value: 1 },
                uNarrowest: { value: 0.75 },
            },
        });
        this.reserve(64);
        this.mesh = new THREE.Mesh(this.geometry, this.look);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = order;
    }

    set opacity(value: number) {
        this.look.uniforms["uOpacity"]!.value = value;
    }

    private reserve(count: number): void {
        if (count <= this.capacity) return;
        this.geometry.dispose();
        this.capacity = Math.max(count, 2 * this.capacity);
        const grown = <T extends Float32Array | Uint8Array>(fresh: T, old: T | undefined): T => {
            if (old) fresh.set(old as never);
            return fresh;
        };
        this.from = grown(new Float32Array(12 * this.capacity), this.from);
        this.to = grown(new Float32Array(12 * this.capacity), this.to);
        this.width = grown(new Float32Array(4 * this.capacity), this.width);
        this.colour = grown(new Uint8Array(16 * this.capacity), this.colour);
        this.geometry = quads(this.capacity);
        this.geometry.setAttribute("aFrom", new THREE.BufferAttribute(this.from, 3));
        this.geometry.setAttribute("aTo", new THREE.BufferAttribute(this.to, 3));
        this.geometry.setAttribute("aWidth", new THREE.BufferAttribute(this.width, 1));
        this.geometry.setAttribute("aColour", new THREE.BufferAttribute(this.colour, 4, true));
        if (this.mesh) this.mesh.geometry = this.geometry;
    }

    clear(): void {
        this.count = 0;
    }

    add(from: Vec3, to: Vec3, width: number, colour: Rgb, alpha = 1): void {
        this.reserve(this.count + 1);
        const k = this.count++;
        setQuad(this.from, 3, k, from);
        setQuad(this.to, 3, k, to);
        setQuad(this.width, 1, k, [width]);
        setQuad(this.colour, 4, k, [...colour, 255 * alpha]);
    }

    // what was added since `clear` is drawn from now on
    show(): void {
        this.geometry.setDrawRange(0, 6 * this.count);
        this.mesh.visible = this.count > 0;
        for (const name of ["aFrom", "aTo", "aWidth", "aColour"]) {
            (this.geometry.getAttribute(name) as THREE.BufferAttribute).needsUpdate = true;
        }
    }

    dispose(): void {
        this.geometry.dispose();
        this.look.dispose();
    }
}
