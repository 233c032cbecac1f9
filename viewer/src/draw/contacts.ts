// Contacts of a frame: force chains, states, normals; the one that is picked with its cone of friction and impulse.
import * as THREE from "three";
import { mapped, MAPS, type Rgb, STATUS } from "../measure/colours";
import { friction } from "../measure/cut";
import {
    contactImpulse,
    contactNormal,
    contactPoint,
    length,
    position,
    type Vec3,
} from "../measure/geometry";
import type { Rows } from "../measure/rows";
import { quantile, roundUp } from "../measure/scale";
import type { Frame, World } from "../run/types";
import { Marks } from "./marks";
import { Ribbons } from "./ribbons";
import type { View } from "./view";

export interface ContactLook {
    chains: boolean;
    states: boolean;
    normals: boolean;
}

const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const along = (a: Vec3, s: number, d: Vec3): Vec3 => [a[0] + s * d[0], a[1] + s * d[1], a[2] + s * d[2]];

export class ContactView {
    private chains: Ribbons;
    private normals: Ribbons;
    private arrow: Ribbons;
    private marks = new Marks(9, 6);
    private cone: THREE.Mesh;
    // largest force of the colours of chains (impulse over the time step; of discs a multiplier)
    top = 1;

    constructor(
        private world: World,
        private rows: Rows,
        private h: number,
        private view: View,
    ) {
        this.chains = new Ribbons(view.screen, true, true, 4);
        this.normals = new Ribbons(view.screen, false, true, 5);
        this.arrow = new Ribbons(view.screen, false, true, 8);
        this.cone = new THREE.Mesh(
            new THREE.BufferGeometry(),
            new THREE.MeshBasicMaterial({
                color: new THREE.Color(0.86, 0.1, 0.42),
                transparent: true,
                opacity: 0.3,
                side: THREE.DoubleSide,
                depthTest: false,
            }),
        );
        this.cone.renderOrder = 7;
        const parts = [this.chains.mesh, this.normals.mesh, this.arrow.mesh, this.marks.points, this.cone];
        for (const object of parts) {
            object.layers.set(1);
            object.frustumCulled = false;
            view.scene.add(object);
        }
        this.cone.visible = false;
    }

    // median radius of the moving bodies of a frame
    private grain(frame: Frame): number {
        const radii: number[] = [];
        for (let k = 0; k < frame.count; k++) {
            if (this.world.bodies.kind[this.rows.body(frame.id[k]!)] === 0) radii.push(frame.radius[k]!);
        }
        return quantile(radii, 0.5) || 1;
    }

    // where the line of a contact ends in a body: its centre, or the contact for walls and very large bodies
    private end(frame: Frame, id: number, point: Vec3, grain: number, origin: Vec3): Vec3 {
        const row = this.rows.in(frame, id);
        if (row < 0 || this.world.bodies.kind[this.rows.body(id)] !== 0 || frame.radius[row]! > 6 * grain)
            return point;
        return minus(position(frame, this.world.dim, row), origin);
    }

    show(frame: Frame, look: ContactLook, origin: Vec3): void {
        const { world } = this;
        const c = frame.contacts;
        this.chains.clear();
        this.normals.clear();
        const places: Vec3[] = [];
        const colours: Rgb[] = [];
        if (c && (look.chains || look.states || look.normals)) {
            const grain = this.grain(frame);
            const normal = Float64Array.from({ length: c.count }, (_, k) => c.impulse[world.dim * k]!);
            const pushing = normal.filter((v) => v > 0);
            const mean = pushing.reduce((a, b) => a + b, 0) / Math.max(1, pushing.length);
            const unit = world.discs ? 1 : 1 / this.h;
            this.top = roundUp(unit * (quantile(pushing, 0.99) || 0));
            for (let k = 0; k < c.count; k++) {
                const point = minus(contactPoint(c, world.dim, k), origin);
                const colour = mapped(MAPS["dusk"]!, (unit * normal[k]!) / this.top);
                if (look.chains && normal[k]! > 0) {
                    const width = grain * Math.min(0.8, 0.22 * (normal[k]! / mean));
                    const [a, b] = [c.id1[k]!, c.id2[k]!].map((id) =>
                        this.end(frame, id, point, grain, origin),
                    );
                    this.chains.add(a!, point, width, colour);
                    this.chains.add(point, b!, width, colour);
                }
                if (look.normals) {
                    this.normals.add(
                        point,
                        along(point, 0.7 * grain, contactNormal(c, world.dim, k)),
                        1.5,
                        [200, 60, 120],
                    );
                }
                if (look.states) {
                    places.push(point);
                    colours.push(STATUS[c.status[k]!] ?? STATUS[0]!);
                }
            }
        }
        this.chains.show();
        this.normals.show();
        this.marks.size(places.length > 3000 ? 5 : 9);
        this.marks.show(places, colours);
    }

    // the cone of friction at a contact, apex at the point, and its impulse
    pick(frame: Frame | null, contact: number, origin: Vec3): void {
        this.arrow.clear();
        this.cone.visible = false;
        const c = frame?.contacts;
        if (c && contact >= 0 && contact < c.count) {
            const { dim } = this.world;
            const grain = this.grain(frame);
            const point = minus(contactPoint(c, dim, contact), origin);
            const normal = contactNormal(c, dim, contact);
            const told = friction(this.world, this.rows, frame, contact);
            const mu = Number.isNaN(told.sliding) ? told.mobilised : told.sliding;
            if (Number.isFinite(mu)) this.showCone(point, normal, mu, 1.6 * grain);
            const impulse = contactImpulse(c, dim, contact);
            const size = length(impulse);
            this.arrow.add(point, along(point, 1.2 * grain, normal), 1, [90, 90, 90], 0.8);
            if (size > 0)
                this.arrow.add(point, along(point, (1.5 * grain) / size, impulse), 4, [190, 10, 80]);
        }
        this.arrow.show();
        this.view.touch();
    }

    private showCone(point: Vec3, normal: Vec3, mu: number, height: number): void {
        const old = this.cone.geometry;
        if (this.world.dim === 2) {
            const t: Vec3 = [-normal[1], normal[0], 0];
            const top = along(point, height, normal);
            const geometry = new THREE.BufferGeometry();
            const corners = [point, along(top, mu * height, t), along(top, -mu * height, t)];
            geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners.flat(), 3));
            this.cone.geometry = geometry;
            this.cone.position.set(0, 0, 0);
            this.cone.quaternion.identity();
        } else {
            const geometry = new THREE.ConeGeometry(mu * height, height, 48, 1, true);
            geometry.translate(0, -height / 2, 0);
            this.cone.geometry = geometry;
            this.cone.quaternion.setFromUnitVectors(
                new THREE.Vector3(0, -1, 0),
                new THREE.Vector3(...normal),
            );
            this.cone.position.set(...point);
        }
        old.dispose();
        this.cone.visible = true;
    }

    // the contact nearest to a point of the canvas, at most `reach` pixels away; −1: none
    near(frame: Frame, x: number, y: number, reach: number, origin: Vec3): number {
        const c = frame.contacts;
        let [best, nearest] = [-1, reach];
        for (let k = 0; c && k < c.count; k++) {
            const at = this.view.toScreen(minus(contactPoint(c, this.world.dim, k), origin));
            const away = at ? Math.hypot(at[0] - x, at[1] - y) : Infinity;
            if (away < nearest) [best, nearest] = [k, away];
        }
        return best;
    }

    dispose(): void {
        for (const mesh of [
            this.chains.mesh,
            this.normals.mesh,
            this.arrow.mesh,
            this.marks.points,
            this.cone,
        ]) {
            this.view.scene.remove(mesh);
            (mesh.geometry as THREE.BufferGeometry).dispose();
        }
    }
}
