// Loads a TypeScript module of the page into Node, for tests of small functions.
import { fileURLToPath } from "node:url";
import { build } from "vite";

export async function load(path) {
    const entry = fileURLToPath(new URL(`../../src/${path}`, import.meta.url));
    const made = await build({
        configFile: false,
        logLevel: "error",
        build: { write: false, minify: false, copyPublicDir: false, lib: { entry, formats: ["es"] } },
    });
    const [{ output }] = Array.isArray(made) ? made : [made];
    return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`);
}
