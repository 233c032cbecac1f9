// Colours of the page, light or dark, on the picture of a world.
import * as THREE from "three";
import type { BodyView } from "../draw/bodies";
import type { View } from "../draw/view";
import { rgb } from "../ui/theme";

const colour = (name: string) => new THREE.Color(...rgb(name).map((c) => c / 255));

export function applyTheme(view: View, bodies: BodyView): void {
    view.scene.background = colour("ground");
    bodies.theme(colour("ground"), colour("plane"), colour("wall"), rgb("wall"));
}
