// The directions of the axes, in a corner of the picture.
import * as THREE from "three";

const NAMES = ["x", "y", "z"];
const SVG = "http://www.w3.org/2000/svg";

function make(tag: string, attributes: Record<string, string>): SVGElement {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
}

export class Triad {
    readonly element = make("svg", { id: "triad", viewBox: "-32 -32 64 64", "aria-hidden": "true" });
    private lines = NAMES.map(() => make("line", { x1: "0", y1: "0" }));
    private letters = NAMES.map((name) => {
        const letter = make("text", { "text-anchor": "middle", "dominant-baseline": "central" });
        letter.textContent = name;
        return letter;
    });

    constructor() {
        this.element.append(...this.lines, ...this.letters);
    }

    show(camera: THREE.Camera): void {
        const turn = camera.quaternion.clone().invert();
        NAMES.forEach((_, k) => {
            const v = new THREE.Vector3().setComponent(k, 1).applyQuaternion(turn);
            this.lines[k]!.setAttribute("x2", (18 * v.x).toFixed(1));
            this.lines[k]!.setAttribute("y2", (-18 * v.y).toFixed(1));
            this.letters[k]!.setAttribute("x", (26 * v.x).toFixed(1));
            this.letters[k]!.setAttribute("y", (-26 * v.y).toFixed(1));
        });
    }
}
