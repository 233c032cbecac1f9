// The canvas with its cameras: draws when something changed, orbits, pans, zooms, fits and picks.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Vec3 } from "../measure/geometry";
import type { Bounds } from "./bounds";

// Whether pictures are drawn by the processor: then every pixel counts, and many samples of it count as many times.
function drawsInSoftware(): boolean {
    const gl = document.createElement("canvas").getContext("webgl2");
    const told = gl?.getExtension("WEBGL_debug_renderer_info");
    const name = gl ? String(gl.getParameter(told ? told.UNMASKED_RENDERER_WEBGL : gl.RENDERER)) : "";
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

const SOFTWARE = drawsInSoftware();
const FULL = Math.min(2, window.devicePixelRatio || 1);
// pictures closer to each other than this belong to one movement; slow ones are drawn with fewer pixels
const MOVING_MS = 1500;
const SLOW_MS = 160;

export class View {
    readonly renderer: THREE.WebGLRenderer;
    readonly scene = new THREE.Scene();
    readonly screen: THREE.IUniform<THREE.Vector2> = { value: new THREE.Vector2(1, 1) };
    camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
    private controls!: OrbitControls;
    private flat = true;
    private up: Vec3 = [0, 0, 1];
    private dirty = true;
    private slow = 0;
    private scale = FULL;
    // of pictures that follow each other
    private coarse = FULL;
    private still = 0;
    private seen: Bounds = { low: [-1, -1, -1], high: [1, 1, 1], centre: [0, 0, 0], radius: 1 };
    private target = new THREE.WebGLRenderTarget(1, 1);
    onRender: () => void = () => undefined;
    // the user has turned, moved or zoomed
    held = false;
    private before = 0;
    // milliseconds between the last two pictures
    lastMs = 0;

    constructor(readonly canvas: HTMLCanvasElement) {
        try {
            this.renderer = new THREE.WebGLRenderer({
                canvas,
                antialias: !SOFTWARE,
                powerPreference: "high-performance",
            });
        } catch {
            throw new Error("This browser cannot draw the run: it has no WebGL 2.");
        }
        // balls tell how their depth can differ from that of their quads (materials.ts)
        this.renderer.getContext().getExtension("EXT_conservative_depth");
        this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
        this.camera = new THREE.OrthographicCamera();
        this.use(this.camera);
        new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
        this.resize();
        const loop = () => {
            this.controls.update();
            if (this.dirty) this.render();
            requestAnimationFrame(loop);
        };
        loop();
    }

    // something changed: draw again at the next chance
    touch(): void {
        this.dirty = true;
    }

    get orthographic(): boolean {
        return this.camera instanceof THREE.OrthographicCamera;
    }

    private use(camera: View["camera"]): void {
        this.controls?.dispose();
        this.camera = camera;
        const controls = new OrbitControls(camera, this.canvas);
        controls.addEventListener("change", () => this.touch());
        controls.addEventListener("start", () => (this.held = true));
        controls.zoomToCursor = true;
        controls.enableDamping = false;
        if (this.flat) {
            controls.enableRotate = false;
            controls.mouseButtons = {
                LEFT: THREE.MOUSE.PAN,
                MIDDLE: THREE.MOUSE.DOLLY,
                RIGHT: THREE.MOUSE.PAN,
            };
            controls.touches = { ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_PAN };
        }
        this.controls = controls;
    }

    // a world in the plane, or in space with `up` against gravity
    kind(flat: boolean, up: Vec3): void {
        this.flat = flat;
        this.up = up;
        this.project(flat);
    }

    project(orthographic: boolean): void {
        const old = this.camera;
        const direction = old.position.clone().sub(this.controls.target);
        const camera = orthographic ? new THREE.OrthographicCamera() : new THREE.PerspectiveCamera(36);
        camera.up.set(...(this.flat ? ([0, 1, 0] as Vec3) : this.up));
        camera.layers.enableAll();
        this.use(camera);
        this.look(direction.lengthSq() > 0 ? (direction.normalize().toArray() as Vec3) : [0, 0, 1]);
    }

    // from the side that `from` points to, so that all of the bounds is in view; bounds lie about the origin
    look(from: Vec3, bounds: Bounds = this.seen): void {
        this.seen = bounds;
        const size = bounds.radius || 1;
        const { camera } = this;
        const half = bounds.low.map((v, i) => 0.5 * (bounds.high[i]! - v));
        const aspect = this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
        this.controls.target.set(0, 0, 0);
        const direction = new THREE.Vector3(...from).normalize();
        if (camera instanceof THREE.OrthographicCamera) {
            const across = this.flat ? Math.max(half[1]!, half[0]! / aspect) : size / Math.min(1, aspect);
            [camera.zoom, camera.near, camera.far] = [1, 0.01 * size, 40 * size];
            this.frustum(1.08 * across);
            camera.position.copy(direction.multiplyScalar(20 * size));
        } else {
            const angle = (camera.fov * Math.PI) / 360;
            const distance = (0.97 * size) / Math.sin(Math.min(angle, Math.atan(Math.tan(angle) * aspect)));
            [camera.near, camera.far] = [0.005 * distance, 60 * distance];
            camera.position.copy(direction.multiplyScalar(distance));
            camera.aspect = aspect;
        }
        camera.updateProjectionMatrix();
        this.controls.update();
        this.touch();
    }

    fit(bounds: Bounds = this.seen): void {
        this.held = false;
        const from = this.camera.position.clone().sub(this.controls.target).normalize();
        this.look(from.toArray() as Vec3, bounds);
    }

    private frustum(half: number): void {
        const camera = this.camera as THREE.OrthographicCamera;
        const aspect = this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
        [camera.top, camera.bottom, camera.left, camera.right] = [half, -half, -half * aspect, half * aspect];
    }

    resize(width = 0, height = 0): void {
        const parent = this.canvas.parentElement!;
        const [w, h] = [width || parent.clientWidth || 1, height || parent.clientHeight || 1];
        this.renderer.setPixelRatio(this.scale);
        this.renderer.setSize(w, h);
        this.screen.value.set(w / 2, h / 2);
        if (this.camera instanceof THREE.OrthographicCamera) this.frustum(this.camera.top);
        else this.camera.aspect = w / h;
        this.camera.updateProjectionMatrix();
        if (!this.held) this.fit();
        this.touch();
    }

    get pixelRatio(): number {
        return this.scale;
    }

    render(): void {
        this.dirty = false;
        const start = performance.now();
        // drawing goes on after the call: pictures in a row tell how long it takes
        this.lastMs = start - this.before;
        this.before = start;
        if (this.lastMs < MOVING_MS) this.spare();
        this.renderer.render(this.scene, this.camera);
        this.onRender();
        if (this.scale < FULL) this.sharpenLater();
    }

    // fewer pixels while pictures follow each other slowly, as in software
    private spare(): void {
        this.slow = this.lastMs > SLOW_MS ? this.slow + 1 : 0;
        if (this.slow > 3) {
            this.slow = 0;
            this.coarse = Math.max(0.5, this.coarse > 1 ? 1 : this.coarse - 0.25);
        }
        this.setScale(this.coarse);
    }

    private setScale(scale: number): void {
        if (scale === this.scale) return;
        this.scale = scale;
        this.resize();
    }

    // all pixels again once the picture stays
    private sharpenLater(): void {
        clearTimeout(this.still);
        this.still = window.setTimeout(() => this.renderFull(), 1.2 * MOVING_MS);
    }

    renderFull(): void {
        this.setScale(FULL);
        this.dirty = false;
        this.renderer.render(this.scene, this.camera);
        this.onRender();
    }

    // the body under a point of the canvas (CSS pixels), as row of the table; −1: none
    pick(x: number, y: number, uPick: THREE.IUniform<number>): number {
        const { camera, renderer } = this;
        camera.setViewOffset(this.canvas.clientWidth, this.canvas.clientHeight, x, y, 1, 1);
        camera.layers.set(0);
        uPick.value = 1;
        const ground = this.scene.background;
        this.scene.background = null;
        renderer.setRenderTarget(this.target);
        renderer.setClearColor(0, 0);
        renderer.clear();
        renderer.render(this.scene, camera);
        const pixel = new Uint8Array(4);
        renderer.readRenderTargetPixels(this.target, 0, 0, 1, 1, pixel);
        renderer.setRenderTarget(null);
        this.scene.background = ground;
        uPick.value = 0;
        camera.layers.enableAll();
        camera.clearViewOffset();
        return pixel[0]! + 256 * pixel[1]! + 65536 * pixel[2]! - 1;
    }

    // a point of the scene in CSS pixels; null behind the viewer
    toScreen(x: Vec3): [number, number] | null {
        this.camera.updateMatrixWorld();
        const v = new THREE.Vector3(...x).project(this.camera);
        if (v.z > 1) return null;
        return [(0.5 + 0.5 * v.x) * this.canvas.clientWidth, (0.5 - 0.5 * v.y) * this.canvas.clientHeight];
    }
}
