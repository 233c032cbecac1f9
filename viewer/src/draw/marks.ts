// Round marks of a size in pixels, such as the states of contacts.
import * as THREE from "three";
import type { Rgb } from "../measure/colours";
import type { Vec3 } from "../measure/geometry";

const VERTEX = /* glsl */ `
in vec3 aColour;
out vec3 vColour;
uniform float uSize;
void main() {
    vColour = aColour;
    gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
    gl_PointSize = uSize;
}`;

const FRAGMENT = /* glsl */ `
precision highp float;
in vec3 vColour;
uniform float uSize;
out vec4 colour;
void main() {
    float r = length(gl_PointCoord - 0.5) * uSize;
    float alpha = clamp(0.5 * uSize - r, 0.0, 1.0);
    if (alpha <= 0.0) discard;
    vec3 c = mix(vColour, vec3(1.0), 0.85 * smoothstep(0.5 * uSize - 2.2, 0.5 * uSize - 1.2, r));
    colour = vec4(c, alpha);
}`;

export class Marks {
    readonly points: THREE.Points;
    private look: THREE.ShaderMaterial;

    constructor(pixels: number, order: number) {
        this.look = new THREE.ShaderMaterial({
            vertexShader: VERTEX,
            fragmentShader: FRAGMENT,
            glslVersion: THREE.GLSL3,
            transparent: true,
            depthTest: false,
            depthWrite: false,
            uniforms: { uSize: { value: pixels } },
        });
        this.points = new THREE.Points(new THREE.BufferGeometry(), this.look);
        this.points.frustumCulled = false;
        this.points.renderOrder = order;
        this.points.layers.set(1);
    }

    size(pixels: number): void {
        this.look.uniforms["uSize"]!.value = pixels;
    }

    show(places: Vec3[], colours: Rgb[]): void {
        this.points.geometry.dispose();
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.Float32BufferAttribute(places.flat(), 3));
        geometry.setAttribute(
            "aColour",
            new THREE.Float32BufferAttribute(
                colours.flat().map((c) => c / 255),
                3,
            ),
        );
        this.points.geometry = geometry;
        this.points.visible = places.length > 0;
    }
}
