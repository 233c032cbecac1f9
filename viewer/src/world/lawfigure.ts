// The law of a picked contact as a figure: the impulse in the cone of friction, cut along the tangential impulse, and in
// space also the tangential impulse in the disc of friction with the direction of sliding.
import { contactImpulse, dot, tangential } from "../measure/geometry";
import { type Allowed, allowed } from "../measure/law";
import type { Rows } from "../measure/rows";
import type { Frame, World } from "../run/types";

const NS = "http://www.w3.org/2000/svg";

function svg(tag: string, attributes: Record<string, string | number>, text = ""): SVGElement {
    const element = document.createElementNS(NS, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    element.textContent = text;
    return element;
}

const line = (name: string, x1: number, y1: number, x2: number, y2: number) =>
    svg("line", { class: name, x1, y1, x2, y2 });

const [HEIGHT, TOP, FOOT] = [132, 14, 116];

// border of what is allowed at the height `normal` above the apex, along unit tangential parts (a, b)
function reach(a: Allowed, normal: number, c: number, s: number): number {
    if (a.radius > 0) return a.radius;
    const [p, q] = [c / (a.mu1 || 1e-9), s / (a.mu2 || 1e-9)];
    return normal / (Math.hypot(p, q) || 1);
}

interface Parts {
    normal: number;
    // tangential impulse and velocity along t1 and t2
    s: [number, number];
    u: [number, number];
}

function wedge(into: SVGElement, a: Allowed, p: Parts, flat: boolean, middle: number): void {
    const size = Math.hypot(...p.s);
    const [c, s] = size > 0 ? [p.s[0] / size, p.s[1] / size] : [1, 0];
    const most = Math.max(p.normal, a.pull);
    const edge = reach(a, most, c, s) * a.still;
    const scale = Math.min((FOOT - TOP) / (1.1 * most), (middle - 16) / Math.max(edge, size));
    const zero = FOOT - scale * a.pull;
    const top = 1.1 * most;
    const along = a.radius > 0 ? reach(a, top, c, s) : reach(a, 1, c, s) * top;
    for (const [wider, name] of [
        [1, "border"],
        [a.still, "border faint"],
    ] as const) {
        if (name !== "border" && a.still === 1) continue;
        for (const sign of [-1, 1]) {
            const from = a.radius > 0 ? sign * scale * along : 0;
            into.append(
                line(name, middle + from, FOOT, middle + sign * wider * scale * along, FOOT - scale * top),
            );
        }
    }
    into.append(line("axis", middle, FOOT + 4, middle, TOP - 6), line("axis", 8, zero, 2 * middle - 8, zero));
    const across = flat ? p.s[0] : size;
    const [x, y] = [middle + scale * across, zero - scale * (p.normal - a.pull)];
    into.append(line("impulse", middle, zero, x, y), svg("circle", { class: "tip", cx: x, cy: y, r: 4 }));
    into.append(
        svg("text", { x: middle + 5, y: TOP - 2 }, "S_N"),
        svg("text", { x: 8, y: FOOT + 12 }, "S_T"),
    );
}

function disc(into: SVGElement, a: Allowed, p: Parts, middle: number): void {
    const [r1, r2] = a.radius > 0 ? [a.radius, a.radius] : [a.mu1 * p.normal, a.mu2 * p.normal];
    const [centre, room] = [HEIGHT / 2, 46];
    const scale = room / (Math.max(r1, r2, Math.hypot(...p.s), 1e-300) * a.still);
    for (const wider of a.still > 1 ? [a.still, 1] : [1])
        into.append(
            svg("ellipse", {
                class: wider > 1 ? "border faint" : "border",
                cx: middle,
                cy: centre,
                rx: wider * scale * r1,
                ry: wider * scale * r2,
            }),
        );
    const [x, y] = [middle + scale * p.s[0], centre - scale * p.s[1]];
    into.append(line("impulse", middle, centre, x, y), svg("circle", { class: "tip", cx: x, cy: y, r: 4 }));
    const speed = Math.hypot(...p.u);
    if (speed > 1e-9)
        into.append(
            line(
                "velocity",
                middle,
                centre,
                middle + (room * p.u[0]) / speed,
                centre - (room * p.u[1]) / speed,
            ),
            svg("text", { x: middle - 24, y: HEIGHT - 4 }, "U_T dashed"),
        );
}

// null where the law is not known, or nothing pushes
export function lawFigure(world: World, rows: Rows, frame: Frame, h: number, k: number): SVGElement | null {
    const c = frame.contacts;
    const { dim } = world;
    const a = !world.discs && c && k < c.count ? allowed(world, rows, frame, k, h) : null;
    if (!a || !c || !(c.impulse[dim * k]! + a.pull > 0)) return null;
    const S = contactImpulse(c, dim, k);
    const U = contactImpulse({ ...c, impulse: c.velocity }, dim, k);
    const parts: Parts = {
        normal: c.impulse[dim * k]! + a.pull,
        s: [dot(S, a.t1), dim === 3 ? dot(S, a.t2) : 0],
        u: [dot(U, a.t1), dim === 3 ? dot(U, a.t2) : 0],
    };
    const used = tangential(c.impulse, dim, k);
    const figure = svg("svg", {
        class: "law",
        viewBox: `0 0 264 ${HEIGHT}`,
        role: "img",
        "aria-label": `impulse in the cone of friction: tangential ${used}, normal ${c.impulse[dim * k]!}`,
    });
    wedge(figure, a, parts, dim === 2, dim === 2 ? 132 : 70);
    if (dim === 3) disc(figure, a, parts, 204);
    return figure;
}
