// Builds one file, dist/viewer.html, with scripts, styles, the worker and its WebAssembly inside.
import { gzipSync } from "node:zlib";
import { build, defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// the worker as text: built on its own, compressed, in base64 (source/client.ts unpacks it)
function packedWorker() {
    const name = "virtual:worker";
    return {
        name: "packed-worker",
        resolveId: (id) => (id === name ? "\0" + name : null),
        async load(id) {
            if (id !== "\0" + name) return null;
            const made = await build({
                configFile: false,
                logLevel: "warn",
                build: {
                    write: false,
                    copyPublicDir: false,
                    target: "es2022",
                    lib: { entry: "src/source/worker.ts", formats: ["iife"], name: "worker" },
                },
            });
            const [{ output }] = Array.isArray(made) ? made : [made];
            const packed = gzipSync(Buffer.from(output[0].code, "utf8"), { level: 9 });
            return `export default "${packed.toString("base64")}";`;
        },
    };
}

export default defineConfig({
    plugins: [packedWorker(), viteSingleFile({ removeViteModuleLoader: true })],
    build: {
        target: "es2022",
        chunkSizeWarningLimit: 8192,
        rollupOptions: { input: "viewer.html" },
    },
});
