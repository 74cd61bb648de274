// Builds all pages into one folder: those of students, those of the staff and the one that checks receipts are three builds, of
// which none changes the files of another.
// node build.js [--outDir FOLDER] [--emptyOutDir] [--logLevel LEVEL]

import { parseArgs } from "node:util";
import { build } from "vite";

const options = {
  outDir: { type: "string", default: "dist" },
  emptyOutDir: { type: "boolean", default: false },
  logLevel: { type: "string", default: "info" },
};
const { outDir, emptyOutDir, logLevel } = parseArgs({ options }).values;

await build({ configFile: "vite.config.ts", logLevel, build: { outDir, emptyOutDir } });
await build({ configFile: "vite.staff.config.ts", logLevel, build: { outDir, emptyOutDir: false } });
await build({ configFile: "vite.verify.config.ts", logLevel, build: { outDir, emptyOutDir: false } });
