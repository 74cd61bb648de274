// Builds all pages into one folder: the students' and the staff's are two builds, of which neither changes the files of the other.
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
