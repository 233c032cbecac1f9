// A small server of one run file, as `moreau view` is one: the page, session.json, ranges of run.h5, and `live`.
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { basename } from "node:path";
import { PAGE } from "./paths.mjs";

const TOKEN = "t0ken";

function sendRange(request, response, path) {
    const size = statSync(path).size;
    const [, a, b] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [null, "0", ""];
    const [from, to] = [Number(a), Math.min(b === "" ? size - 1 : Number(b), size - 1)];
    const bytes = Buffer.alloc(Math.max(0, to - from + 1));
    const file = openSync(path, "r");
    readSync(file, bytes, 0, bytes.length, from);
    closeSync(file);
    response.writeHead(request.headers.range ? 206 : 200, {
        "Content-Type": "application/octet-stream",
        "Content-Length": bytes.length,
        "Accept-Ranges": "bytes",
        "Content-Range": `bytes ${from}-${to}/${size}`,
        "Cache-Control": "no-store",
    });
    response.end(bytes);
    return bytes.length;
}

// one text frame from the server to the page
function textFrame(text) {
    const body = Buffer.from(text);
    const head =
        body.length < 126
            ? Buffer.from([0x81, body.length])
            : Buffer.from([0x81, 126, body.length >> 8, body.length & 255]);
    return Buffer.concat([head, body]);
}

// texts of the page's frames, which are masked and short
function readFrames(data) {
    const out = [];
    for (let at = 0; at + 6 <= data.length;) {
        const size = data[at + 1] & 127;
        const mask = data.subarray(at + 2, at + 6);
        const body = data.subarray(at + 6, at + 6 + size).map((byte, k) => byte ^ mask[k % 4]);
        if ((data[at] & 15) === 1) out.push(Buffer.from(body).toString());
        at += 6 + size;
    }
    return out;
}

// live: {parameters, onMessage(message, send)} makes the run a live one
export async function serve(path, live = null) {
    const told = { requests: 0, bytes: 0, messages: [], send: () => undefined };
    const server = createServer((request, response) => {
        const url = new URL(request.url, "http://localhost");
        if (url.searchParams.get("token") !== TOKEN) return response.writeHead(403).end();
        if (url.pathname === "/") {
            response.writeHead(200, { "Content-Type": "text/html" });
            return response.end(readFileSync(PAGE));
        }
        if (url.pathname === "/session.json") {
            const session = {
                name: basename(path),
                size: statSync(path).size,
                live: !!live,
                parameters: live?.parameters ?? [],
            };
            return response
                .writeHead(200, { "Content-Type": "application/json" })
                .end(JSON.stringify(session));
        }
        if (url.pathname !== "/run.h5") return response.writeHead(404).end();
        told.requests++;
        told.bytes += sendRange(request, response, path);
    });
    server.on("upgrade", (request, socket) => {
        const key = request.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
        const accept = createHash("sha1").update(key).digest("base64");
        socket.write(
            `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
        );
        told.send = (message) => socket.write(textFrame(JSON.stringify(message)));
        socket.on("data", (data) =>
            readFrames(data).forEach((text) => {
                const message = JSON.parse(text);
                told.messages.push(message);
                live?.onMessage?.(message, told.send);
            }),
        );
        socket.on("error", () => undefined);
        live?.onOpen?.(told.send);
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    told.url = `http://127.0.0.1:${server.address().port}/?token=${TOKEN}`;
    told.close = () => {
        server.closeAllConnections();
        server.close();
    };
    return told;
}
