// Finds out where the run lies: inside the page, behind the server that sent the page, or nowhere yet.
import type { Where } from "./worker";

export interface Parameter {
    name: string;
    value: number | string | boolean;
    doc: string;
    live: boolean;
}

export interface Session {
    name: string;
    size: number;
    live: boolean;
    parameters: Parameter[];
}

export interface Found {
    name: string;
    where: Where;
    session: Session | null;
}

// bytes of a text in base64
export function decode(text: string): Uint8Array<ArrayBuffer> {
    const raw = atob(text);
    const bytes = new Uint8Array(raw.length);
    for (let k = 0; k < raw.length; k++) bytes[k] = raw.charCodeAt(k);
    return bytes;
}

function inlined(): Found | null {
    const element = document.getElementById("run-data");
    if (!element) return null;
    const bytes = decode(element.textContent ?? "");
    element.textContent = "";
    return { name: element.dataset["name"] ?? "run.h5", where: { bytes }, session: null };
}

export function token(): string | null {
    return new URLSearchParams(location.search).get("token");
}

// an address of the server, with the token that it wants
export function address(name: string, scheme = location.protocol): string {
    const url = new URL(name, location.href);
    url.search = new URLSearchParams({ token: token() ?? "" }).toString();
    url.hash = "";
    url.protocol = scheme;
    return url.href;
}

async function served(): Promise<Found | null> {
    if (token() === null || !location.protocol.startsWith("http")) return null;
    const answer = await fetch(address("session.json"));
    if (!answer.ok)
        throw new Error(
            `The server answered ${answer.status}. Start moreau view again and use its new address.`,
        );
    const session = (await answer.json()) as Session;
    return { name: session.name, where: { url: address("run.h5"), size: session.size }, session };
}

export async function findRun(): Promise<Found | null> {
    return inlined() ?? (await served());
}
