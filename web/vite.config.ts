import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { buildOf, filesOf } from "./src/offline/files.ts";

const server = process.env["EXAMHALL_URL"] ?? "http://127.0.0.1:8080";
const WORKER = "service-worker";
const DOCUMENT = "student.html";
const ENTRY = "/src/student/main.ts";

/** Writes the build's name into the document and the service worker, and the list of the build's files into the worker. */
function offline(): Plugin {
  return {
    name: "offline",
    generateBundle: {
      // Vite adds the styles that each script needs at the very end, and those names must be found too.
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

/** The text of an asset; empty for fonts and the like, which name no files. */
function text(source: string | Uint8Array): string {
  return typeof source === "string" ? source : "";
}

/** The modules that the student's page needs before its first question. */
const atOnce = new Set<string>();

/** Follows the imports of the student's page, but for those of parts that are loaded later. */
function needed(): Plugin {
  return {
    name: "needed",
    buildEnd() {
      const waiting = [...this.getModuleIds()].filter((id) => id.endsWith(ENTRY));
      if (waiting.length !== 1) this.error(`${ENTRY} is not the one entry of the student's page`);
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (atOnce.has(id)) continue;
        atOnce.add(id);
        waiting.push(...(this.getModuleInfo(id)?.importedIds ?? []));
      }
    },
  };
}

export default defineConfig({
  plugins: [svelte(), offline(), needed()],
  build: {
    // The oldest browsers that the pages support (docs/operations.md).
    target: ["chrome109", "edge109", "firefox121", "safari15.4"],
    // The content security policy allows styles and scripts from files alone, so nothing may be inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: {
      // Its classes have no effect until they are used, which its package doesn't say; unsaid, one import brings them all.
      treeshake: { moduleSideEffects: [{ test: /\/svelte\/src\/reactivity\//, sideEffects: false }] },
      input: { student: DOCUMENT, reference: "reference.html", [WORKER]: "src/offline/worker.ts" },
      // Browsers look for a service worker under one fixed address, and it controls only what lies below that.
      output: {
        entryFileNames: ({ name }) => (name === WORKER ? "[name].js" : "assets/[name]-[hash].js"),
        // What the student's page needs at once and shares with parts that are loaded later is one file, since every answer has
        // the same long headers.
        codeSplitting: { groups: [{ name: "shared", minShareCount: 2, test: (id) => atOnce.has(id) }] },
      },
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
