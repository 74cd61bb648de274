import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { buildOf, filesOf } from "./src/offline/files.ts";

const server = process.env["EXAMHALL_URL"] ?? "http://127.0.0.1:8080";
const WORKER = "service-worker";
const DOCUMENT = "student.html";

/** Tells the document and the service worker which build they are of, and the worker which files that build has. */
function offline(): Plugin {
  return {
    name: "offline",
    generateBundle: {
      // Vite itself writes last into the scripts which styles they need.
      order: "post",
      handler(_, bundle) {
        const document = bundle[DOCUMENT];
        const worker = bundle[`${WORKER}.js`];
        if (document?.type !== "asset" || worker?.type !== "chunk") this.error("the document and the service worker are not where they are looked for");
        if (worker.imports.length > 0) this.error("the service worker must be one file: browsers run it as a plain script");
        const names = Object.values(bundle).filter(({ fileName }) => fileName.startsWith("assets/"));
        const html = String(document.source);
        const files = filesOf(html, Object.fromEntries(names.map((file) => [file.fileName, file.type === "chunk" ? file.code : text(file.source)])));
        const build = buildOf(html, files);
        document.source = html.replace("BUILD", build);
        worker.code = worker.code.replace(/\bBUILD_FILES\b/g, JSON.stringify(files.map((name) => `/${name}`))).replace(/\bBUILD\b/g, JSON.stringify(build));
      },
    },
  };
}

/** Fonts name no files. */
function text(source: string | Uint8Array): string {
  return typeof source === "string" ? source : "";
}

export default defineConfig({
  plugins: [svelte(), offline()],
  build: {
    // The oldest browsers that students may have (docs/operations.md).
    target: ["chrome109", "edge109", "firefox121", "safari15.4"],
    // Nothing is put into the pages as data: the content policy lets styles and scripts come from files alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: {
      input: { student: DOCUMENT, [WORKER]: "src/offline/worker.ts" },
      // A worker is looked for under the same address for ever, and rules over what lies below it.
      output: { entryFileNames: ({ name }) => (name === WORKER ? "[name].js" : "assets/[name]-[hash].js") },
    },
  },
  server: {
    proxy: {
      "/api": { target: server, ws: true, changeOrigin: true },
      "/auth": { target: server, changeOrigin: true },
    },
  },
  test: { include: ["src/**/*.test.ts"], environment: "node" },
});
