// Contacts of a frame: force chains, states, normals; the one that is picked with its cone of friction and impulse.
import * as THREE from "three";
import { contactFrom } from "../measure/cell";
import { mapped, MAPS, type Rgb, STATUS } from "../measure/colours";
import { friction } from "../measure/cut";
import {
    contactImpulse,
    contactNormal,
    contactPoint,
    cross,
    tangent3,
    type Vec3,
} from "../measure/geometry";
import { allowed, type Allowed, lawOf } from "../measure/law";
import type { Rows } from "../measure/rows";
import { quantile, roundUp } from "../measure/scale";
import type { Frame, World } from "../run/types";
import { coneSurface, surfaceGeometry } from "./cone";
import { Marks } from "./marks";
import { Ribbons } from "./ribbons";
import type { View } from "./view";

export interface ContactLook {
    chains: boolean;
    states: boolean;
    normals: boolean;
    // contacts at such points are not shown
    hidden: ((x: Vec3) => boolean) | null;
}

const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const along = (a: Vec3, s: number, d: Vec3): Vec3 => [a[0] + s * d[0], a[1] + s * d[1], a[2] + s * d[2]];

export class ContactView {
    private chains: Ribbons;
    private normals: Ribbons;
    private arrow: Ribbons;
    private marks = new Marks(9, 6);
    private cone: THREE.Mesh;
    // for a contact that has not slid before, where the law has static friction
    private wide: THREE.Mesh;
    // largest force of the colours of chains (impulse over the time step; of discs a multiplier)
    top = 1;

    constructor(
        public world: World,
        private rows: Rows,
        private h: number,
        private view: View,
    ) {
        this.chains = new Ribbons(view.screen, true, true, 4);
        this.normals = new Ribbons(view.screen, false, true, 5);
        this.arrow = new Ribbons(view.screen, false, true, 8);
        const glass = (opacity: number) =>
            new THREE.Mesh(
                new THREE.BufferGeometry(),
                new THREE.MeshBasicMaterial({
                    color: new THREE.Color(0.86, 0.1, 0.42),
                    transparent: true,
                    opacity,
                    side: THREE.DoubleSide,
                    depthTest: false,
                }),
            );
        [this.cone, this.wide] = [glass(0.3), glass(0.12)];
        this.cone.renderOrder = this.wide.renderOrder = 7;
        const parts = this.parts();
        for (const object of parts) {
            object.layers.set(1);
            object.frustumCulled = false;
            view.scene.add(object);
        }
        this.cone.visible = this.wide.visible = false;
    }

    private parts(): (THREE.Mesh | THREE.Points)[] {
        const { chains, normals, arrow, marks, cone, wide } = this;
        return [chains.mesh, normals.mesh, arrow.mesh, marks.points, wide, cone];
    }

    // median radius of the moving bodies of a frame
    private grain(frame: Frame): number {
        const radii: number[] = [];
        for (let k = 0; k < frame.count; k++) {
            if (this.world.bodies.kind[this.rows.body(frame.id[k]!)] === 0) radii.push(frame.radius[k]!);
        }
        return quantile(radii, 0.5) || 1;
    }

    // the line of a contact in one of its bodies, from the centre to the contact where that body touches it (in a
    // periodic cell each body has its own image of it); null for walls and very large bodies
    private half(frame: Frame, id: number, place: Vec3, grain: number): [Vec3, Vec3] | null {
        const row = this.rows.in(frame, id);
        if (row < 0 || this.world.bodies.kind[this.rows.body(id)] !== 0 || frame.radius[row]! > 6 * grain)
            return null;
        return contactFrom(frame, this.world.dim, row, place);
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
                const place = contactPoint(c, world.dim, k);
                if (look.hidden?.(place)) continue;
                const point = minus(place, origin);
                const colour = mapped(MAPS["dusk"]!, (unit * normal[k]!) / this.top);
                if (look.chains && normal[k]! > 0) {
                    const width = grain * Math.min(0.8, 0.22 * (normal[k]! / mean));
                    for (const id of [c.id1[k]!, c.id2[k]!]) {
                        const line = this.half(frame, id, place, grain);
                        if (line) this.chains.add(minus(line[0], origin), minus(line[1], origin), width, colour);
                    }
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

    // what a law allows to the impulse of a contact, and the impulse: its tip is in the surface when it slides
    pick(frame: Frame | null, contact: number, origin: Vec3): void {
        this.arrow.clear();
        this.cone.visible = this.wide.visible = false;
        const c = frame?.contacts;
        if (c && contact >= 0 && contact < c.count) {
            const { dim } = this.world;
            const size = 1.7 * this.grain(frame);
            const point = minus(contactPoint(c, dim, contact), origin);
            // on body 1, or on the one that moves
            const moves = (id: number) => this.world.bodies.kind[this.rows.body(id)] === 0;
            const sign = moves(c.id2[contact]!) && !moves(c.id1[contact]!) ? -1 : 1;
            const normal = contactNormal(c, dim, contact).map((v) => sign * v) as Vec3;
            const known = allowed(this.world, this.rows, frame, contact, this.h);
            const a = known ?? this.guess(frame, contact);
            const steep = Math.max(1, a ? a.still * Math.max(a.mu1, a.mu2) : 1);
            const height = size / steep;
            const most = Math.max(c.impulse[dim * contact]! + (a?.pull ?? 0), a?.radius ?? 0);
            const scale = most > 0 ? (0.85 * height) / most : 0;
            this.arrow.add(point, along(point, height, normal), 1, [90, 90, 90], 0.8);
            if (a) this.showCone(point, normal, a, height, scale);
            const tip = along(point, sign * scale, contactImpulse(c, dim, contact));
            if (scale > 0) this.arrow.add(point, tip, 4, [190, 10, 80]);
        }
        this.arrow.show();
        this.view.touch();
    }

    // where the file does not tell laws: the friction of sliding contacts, else that of the contact itself
    private guess(frame: Frame, contact: number): Allowed | null {
        const { dim, discs } = this.world;
        const told = friction(this.world, this.rows, frame, contact);
        const mu = Number.isNaN(told.sliding) ? told.mobilised : told.sliding;
        if (discs || !Number.isFinite(mu) || lawOf(this.world, frame.contacts!, contact)) return null;
        const n = contactNormal(frame.contacts!, dim, contact);
        const t1: Vec3 = dim === 2 ? [-n[1], n[0], 0] : tangent3(n);
        return { t1, t2: cross(n, t1), mu1: mu, mu2: mu, still: 1, pull: 0, radius: 0 };
    }

    private showCone(point: Vec3, normal: Vec3, a: Allowed, height: number, scale: number): void {
        const flat = this.world.dim === 2;
        const draw = (mesh: THREE.Mesh, wider: number, alpha: number) => {
            const surface = coneSurface(point, normal, a, height, scale, wider, flat);
            mesh.geometry.dispose();
            mesh.geometry = surfaceGeometry(surface);
            mesh.visible = true;
            for (const [from, to] of surface.lines) this.arrow.add(from, to, 1.5, [190, 10, 80], alpha);
        };
        draw(this.cone, 1, 0.9);
        if (a.still > 1) draw(this.wide, a.still, 0.4);
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
        for (const mesh of this.parts()) {
            this.view.scene.remove(mesh);
            (mesh.geometry as THREE.BufferGeometry).dispose();
        }
    }
}
