// What the page knows of a run: plain data that the worker reads from the file (docs/format.md).

export interface Head {
    kind: "world" | "sweep" | "system";
    version: string;
    solver: string;
    dim: number;
    h: number;
    tEnd: number;
    sceneName: string;
    sceneText: string;
    params: Record<string, unknown>;
    finished: boolean;
    status: string;
    report: Record<string, unknown>;
    plots: ScenePlot[];
    size: number;
}

export interface Axis {
    label: string;
    log: boolean;
    down: boolean;
}

export interface ScenePlot {
    title: string;
    x: Axis;
    y: Axis;
    equal: boolean;
    curves: { name: string; x: (number | null)[]; y: (number | null)[]; style: string }[];
}

export const enum Part {
    disc = 0,
    polygon = 1,
    segment = 2,
    halfPlane = 3,
    sphere = 4,
    capsule = 5,
    cylinder = 6,
    polyhedron = 7,
    triangle = 8,
    plane = 9,
}

// rows of /bodies with their parts; arrays of vertices have `dim` numbers a row
export interface Bodies {
    count: number;
    id: Uint32Array;
    kind: Uint8Array;
    group: Uint32Array;
    flags: Uint32Array;
    mass: Float64Array;
    area: Float64Array;
    inertia: Float64Array;
    axes: Float64Array | null;
    names: string[];
    partEnd: Float64Array;
    vertexEnd: Float64Array;
    faceEnd: Float64Array | null;
    partKind: Uint8Array;
    partVertexFirst: Uint32Array;
    partVertexCount: Uint32Array;
    partLink: Uint32Array | null;
    partGeometry: Float64Array;
    vertices: Float64Array;
    faces: Uint32Array | null;
}

// one row per frame
export interface Frames {
    count: number;
    t: Float64Array;
    step: Float64Array;
    bodyCount: Float64Array;
    contactCount: Float64Array;
    energy: Float64Array | null;
    measures: Float64Array | null;
    counts: Float64Array | null;
}

// rows of /joints; points have `dim` numbers
export interface Joints {
    count: number;
    kind: Uint8Array;
    // ids, two for each; the second 0: the world
    bodies: Uint32Array;
    anchor1: Float64Array;
    anchor2: Float64Array;
    // frames [first, until) have it
    first: Float64Array;
    until: Float64Array;
}

export interface World {
    dim: 2 | 3;
    gravity: number[];
    groups: string[];
    // discs of a sweep shown as a world: impulses are multipliers
    discs: boolean;
    bodies: Bodies;
    frames: Frames;
    // rows of /laws (measure/law.ts); null: the file does not tell laws
    laws: Float64Array | null;
    // null: the file tells none
    joints: Joints | null;
    // names of the columns of bodies
    observed: string[];
}

export interface Contacts {
    count: number;
    id1: Uint32Array;
    id2: Uint32Array;
    point: Float64Array;
    normal: Float64Array;
    gap: Float64Array;
    impulse: Float64Array;
    velocity: Float64Array;
    status: Uint8Array;
    // 1 + the row of the law, 0: not known; null: none is
    law: Uint32Array | null;
    memory: Float64Array | null;
}

// A periodic cell: what stands at x stands at x + H k too, k whole along the axes that are periodic.
export interface Cell {
    corner: number[];
    // H by rows (columns are the edges), and its inverse
    edges: number[];
    inverse: number[];
    along: boolean[];
}

export interface Frame {
    index: number;
    t: number;
    count: number;
    id: Uint32Array;
    q: Float64Array;
    u: Float64Array;
    radius: Float64Array;
    // columns of bodies, those of a body beside each other
    observed: Float64Array | null;
    contacts: Contacts | null;
    cell: Cell | null;
}

export interface Series {
    t: Float64Array;
    names: string[];
    columns: Float64Array[];
}

export interface Steps {
    step: Float64Array;
    contacts: Float64Array;
    iterations: Float64Array;
    residual: Float64Array;
}

export interface Path {
    n: number;
    m: number;
    discs: boolean;
    t: Float64Array;
    x: Float64Array;
    u: Float64Array | null;
    lambda: Float64Array | null;
    gap: Float64Array | null;
    events: { t: Float64Array; type: Uint8Array; size: Float64Array; gaps: string[] };
    outlines: { t: Float64Array; end: Float64Array; points: Float64Array };
}

export const EVENTS = ["contact", "release", "jump", "outside", "accumulation", "impact"];
export const ENERGIES = [
    "kinetic",
    "potential",
    "work_external",
    "dissipated_friction",
    "dissipated_impact",
    "balance_error",
];

export interface Opened {
    head: Head;
    world: World | null;
    pathRows: number;
}
