// Worlds: the table of bodies, the list of frames, and one frame at a time.
import { cellOf } from "../measure/cell";
import type { RunFile } from "./file";
import type { Bodies, Cell, Contacts, Frame, Frames, Joints, Steps, World } from "./types";

export interface Ranges {
    bodyFirst: Float64Array;
    contactFirst: Float64Array;
}

const has = (file: RunFile, path: string) => (file.has(path) ? path : null);

function readBodies(file: RunFile, dim: number): Bodies {
    const id = file.u32("/bodies/id");
    const axes = has(file, "/bodies/axes");
    const faceEnd = has(file, "/bodies/face_end");
    const link = has(file, "/parts/link");
    const faces = has(file, "/faces");
    const bodies: Bodies = {
        count: id.length,
        id,
        kind: file.u8("/bodies/kind"),
        group: file.u32("/bodies/group"),
        flags: file.u32("/bodies/flags"),
        mass: file.reals("/bodies/mass"),
        area: file.reals("/bodies/area"),
        inertia: file.reals("/bodies/inertia"),
        axes: axes ? file.reals(axes) : null,
        names: file.texts("/bodies/names", "/bodies/name_end"),
        partEnd: file.reals("/bodies/part_end"),
        vertexEnd: file.reals("/bodies/vertex_end"),
        faceEnd: faceEnd ? file.reals(faceEnd) : null,
        partKind: file.u8("/parts/kind"),
        partVertexFirst: file.u32("/parts/vertex_first"),
        partVertexCount: file.u32("/parts/vertex_count"),
        partLink: link ? file.u32(link) : null,
        partGeometry: file.reals("/parts/geometry"),
        vertices: file.reals("/vertices"),
        faces: faces ? file.u32(faces) : null,
    };
    // a file being written may have rows in some tables that others lack
    const rows = Math.min(
        bodies.count,
        bodies.partEnd.length,
        bodies.vertexEnd.length,
        bodies.mass.length,
        bodies.kind.length,
        bodies.group.length,
        bodies.flags.length,
        bodies.area.length,
    );
    bodies.count = rows;
    if (dim === 3 && !bodies.axes) throw new Error("the file has no /bodies/axes");
    return bodies;
}

function readJoints(file: RunFile): Joints | null {
    if (!file.has("/joints/id")) return null;
    const first = file.reals("/joints/first");
    const bodies = file.u32("/joints/bodies");
    const [anchor1, anchor2] = [file.reals("/joints/anchor1"), file.reals("/joints/anchor2")];
    const kind = file.u8("/joints/kind");
    // a file being written may have rows in some columns that others lack
    const count = Math.min(
        ...["kind", "bodies", "anchor1", "anchor2", "first"].map((name) => file.rows(`/joints/${name}`)),
    );
    const until = new Float64Array(count).fill(Infinity);
    const gone = file.reals("/joints/gone");
    for (let k = 0; k + 1 < gone.length; k += 2) if (gone[k]! < count) until[gone[k]!] = gone[k + 1]!;
    return { count, kind, bodies, anchor1, anchor2, first, until };
}

// leading rows whose time is a number and whose ranges lie within the datasets
function countFrames(
    file: RunFile,
    t: Float64Array,
    ranges: Ranges,
    bodies: Float64Array,
    contacts: Float64Array,
): number {
    const bodyRows = file.rows("/frame_bodies/q");
    const contactRows = file.rows("/frame_contacts/point");
    let k = 0;
    while (
        k < t.length &&
        Number.isFinite(t[k]!) &&
        k < bodies.length &&
        k < contacts.length &&
        ranges.bodyFirst[k]! + bodies[k]! <= bodyRows &&
        ranges.contactFirst[k]! + contacts[k]! <= contactRows
    )
        k++;
    return k;
}

function readFrames(file: RunFile): [Frames, Ranges] {
    const t = file.reals("/frames/t");
    const ranges = {
        bodyFirst: file.reals("/frames/body_first"),
        contactFirst: file.reals("/frames/contact_first"),
    };
    const bodyCount = file.reals("/frames/body_count");
    const contactCount = file.reals("/frames/contact_count");
    const count = countFrames(file, t, ranges, bodyCount, contactCount);
    const table = (path: string) => (file.has(path) ? file.reals(path) : null);
    return [
        {
            count,
            t,
            bodyCount,
            contactCount,
            step: file.reals("/frames/step"),
            energy: table("/frames/energy"),
            measures: table("/frames/measures"),
            counts: table("/frames/counts"),
        },
        ranges,
    ];
}

export function readWorld(file: RunFile): [World, Ranges] {
    const dim = file.number("dim");
    if (dim !== 2 && dim !== 3) throw new Error(`a world of ${dim} dimensions cannot be shown`);
    const [frames, ranges] = readFrames(file);
    const gravity = file.attribute("gravity");
    const named = file.has("/frame_bodies/observed") && file.has("/bodies/observed_names");
    return [
        {
            dim,
            frames,
            discs: false,
            gravity: gravity ? Array.from(gravity as ArrayLike<number>) : [],
            groups: file.texts("/groups/names", "/groups/name_end"),
            bodies: readBodies(file, dim),
            laws: file.has("/laws") ? file.reals("/laws") : null,
            joints: readJoints(file),
            observed: named ? file.texts("/bodies/observed_names", "/bodies/observed_name_end") : [],
        },
        ranges,
    ];
}

function readContacts(file: RunFile, first: number, count: number): Contacts {
    const at = (name: string) => file.reals(`/frame_contacts/${name}`, first, count);
    return {
        count,
        id1: file.u32("/frame_contacts/id1", first, count),
        id2: file.u32("/frame_contacts/id2", first, count),
        point: at("point"),
        normal: at("normal"),
        gap: at("gap"),
        impulse: at("impulse"),
        velocity: at("velocity"),
        status: file.u8("/frame_contacts/status", first, count),
        law: file.has("/frame_contacts/law") ? file.u32("/frame_contacts/law", first, count) : null,
        memory: file.has("/frame_contacts/memory") ? at("memory") : null,
    };
}

function readCell(file: RunFile, k: number): Cell | null {
    const path = has(file, "/frames/cell");
    return path && k < file.rows(path) ? cellOf(file.reals(path, k, 1)) : null;
}

export function readFrame(file: RunFile, world: World, ranges: Ranges, k: number, contacts: boolean): Frame {
    const { frames } = world;
    const first = ranges.bodyFirst[k]!;
    const count = frames.bodyCount[k]!;
    return {
        index: k,
        t: frames.t[k]!,
        count,
        id: file.u32("/frame_bodies/id", first, count),
        q: file.reals("/frame_bodies/q", first, count),
        u: file.reals("/frame_bodies/u", first, count),
        radius: file.reals("/frame_bodies/radius", first, count),
        observed: world.observed.length ? file.reals("/frame_bodies/observed", first, count) : null,
        contacts: contacts ? readContacts(file, ranges.contactFirst[k]!, frames.contactCount[k]!) : null,
        cell: readCell(file, k),
    };
}

// the contacts alone, of a frame whose bodies are known
export function readFrameContacts(file: RunFile, world: World, ranges: Ranges, k: number): Contacts {
    return readContacts(file, ranges.contactFirst[k]!, world.frames.contactCount[k]!);
}

// applied force and contact force of one body
export function readBodyForces(file: RunFile, ranges: Ranges, k: number, row: number): [number[], number[]] {
    const at = ranges.bodyFirst[k]! + row;
    return [
        Array.from(file.reals("/frame_bodies/load", at, 1)),
        Array.from(file.reals("/frame_bodies/force", at, 1)),
    ];
}

// the place of one body in a frame, null when it is not in it
export function readPlace(
    file: RunFile,
    world: World,
    ranges: Ranges,
    k: number,
    id: number,
    guess: number,
): number[] | null {
    const first = ranges.bodyFirst[k]!;
    const count = world.frames.bodyCount[k]!;
    let row = guess < count && file.u32("/frame_bodies/id", first + guess, 1)[0] === id ? guess : -1;
    if (row < 0) row = file.u32("/frame_bodies/id", first, count).indexOf(id);
    return row < 0 ? null : Array.from(file.reals("/frame_bodies/q", first + row, 1).subarray(0, world.dim));
}

// the solver's record; of very long runs every so many rows
export function readSteps(file: RunFile, most: number): Steps {
    const rows = Math.min(
        ...["step", "contacts", "iterations", "residual"].map((c) => file.rows(`/steps/${c}`)),
    );
    const stride = Math.max(1, Math.ceil(rows / most));
    const at = (name: string) => file.reals(`/steps/${name}`, 0, rows, stride);
    return {
        step: at("step"),
        contacts: at("contacts"),
        iterations: at("iterations"),
        residual: at("residual"),
    };
}
