// The build of the staff pages: one of its own, so that the files of the students' pages do not change with them.

import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vite";

const server = process.env["EXAMHALL_URL"] ?? "http://127.0.0.1:8080";
const DOCUMENT = "/staff.html";
/** The addresses that the server answers with the document. */
const PAGES = /^\/(staff(\/|$)|sittings\/[^/]+\/screen$)/;

/** Answers the addresses of the staff pages with their document, as the server does. */
function document(): Plugin {
  const toDocument = (request: { url?: string | undefined }, _: unknown, next: () => void) => {
    const [path = "", query] = (request.url ?? "").split("?");
    if (PAGES.test(path)) request.url = query === undefined ? DOCUMENT : `${DOCUMENT}?${query}`;
    next();
  };
  return {
    name: "document",
    configureServer: ({ middlewares }) => void middlewares.use(toDocument),
    configurePreviewServer: ({ middlewares }) => void middlewares.use(toDocument),
  };
}

const proxy = {
  "/api": { target: server, ws: true, changeOrigin: true },
  "/auth": { target: server, changeOrigin: true },
};

export default defineConfig({
  plugins: [svelte(), document()],
  // While developing, libraries are found before a page first asks for them.
  optimizeDeps: { entries: ["staff.html", "src/staff/**/*.svelte"] },
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
      input: { staff: "staff.html" },
      // By these names the service worker of the students' pages, and its test, know the files that are not theirs. Fonts
      // keep the names that they have there, so that the binary and the browser hold each once.
      output: {
        entryFileNames: "assets/staff-[name]-[hash].js",
        chunkFileNames: "assets/staff-[name]-[hash].js",
        assetFileNames: ({ names }) => (names.some((name) => name.endsWith(".css")) ? "assets/staff-[name]-[hash][extname]" : "assets/[name]-[hash][extname]"),
      },
    },
  },
  server: { proxy },
  preview: { proxy },
});
