// The build of the page that checks receipts: one of its own, since it shares no page with students or staff, and its own
// service worker keeps it.

import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vite";
import { buildOf, filesOf } from "./src/offline/files.ts";

const server = process.env["EXAMHALL_URL"] ?? "http://127.0.0.1:8080";
const WORKER = "verify-worker";
const DOCUMENT = "verify.html";

/** Answers the address of the page with its document, as the server does. */
function address(): Plugin {
  return {
    name: "address",
    configureServer: ({ middlewares }) =>
      void middlewares.use((request: { url?: string | undefined }, _: unknown, next: () => void) => {
        if (request.url === "/verify") request.url = `/${DOCUMENT}`;
        next();
      }),
  };
}

/** Writes the build's name into the document and the service worker, and the list of the build's files into the worker. */
function kept(): Plugin {
  return {
    name: "kept",
    generateBundle: {
      // Vite adds the styles that each script needs at the very end, and those names must be found too.
      order: "post",
      handler(_, bundle) {
        const document = bundle[DOCUMENT];
        const worker = bundle[`${WORKER}.js`];
        if (document?.type !== "asset" || worker?.type !== "chunk") this.error("the document and the service worker are not where they are looked for");
        if (worker.imports.length > 0) this.error("the service worker must be one file: browsers run it as a plain script");
        const html = String(document.source);
        const names = Object.values(bundle).filter(({ fileName }) => fileName.startsWith("assets/"));
        const files = filesOf(html, Object.fromEntries(names.map((file) => [file.fileName, file.type === "chunk" ? file.code : typeof file.source === "string" ? file.source : ""])));
        const build = buildOf(html, files);
        document.source = html.replace("BUILD", build);
        worker.code = worker.code.replace(/\bBUILD_FILES\b/g, JSON.stringify(files.map((name) => `/${name}`))).replace(/\bBUILD\b/g, JSON.stringify(build));
      },
    },
  };
}

export default defineConfig({
  plugins: [svelte(), address(), kept()],
  optimizeDeps: { entries: [DOCUMENT] },
  build: {
    // The students' build has copied what is public.
    copyPublicDir: false,
    // The oldest browsers that the pages support (docs/operations.md).
    target: ["chrome109", "edge109", "firefox121", "safari15.4"],
    // The content security policy allows styles and scripts from files alone, so nothing may be inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: {
      input: { verify: DOCUMENT, [WORKER]: "src/verify/worker.ts" },
      // By these names the service worker of the students' pages, and its test, know the files that are not theirs. Fonts
      // keep the names that they have there, so that the binary and the browser hold each once.
      output: {
        entryFileNames: ({ name }) => (name === WORKER ? "[name].js" : "assets/verify-[name]-[hash].js"),
        chunkFileNames: "assets/verify-[name]-[hash].js",
        assetFileNames: ({ names }) => (names.some((name) => name.endsWith(".css")) ? "assets/verify-[name]-[hash][extname]" : "assets/[name]-[hash][extname]"),
      },
    },
  },
  server: { proxy: { "/.well-known": { target: server, changeOrigin: true } } },
});
