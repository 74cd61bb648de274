import { expect, test } from "vitest";
import { buildOf, filesOf } from "./files";

const DOCUMENT = `<script src="/assets/student-1.js"></script><link href="/assets/student-2.css">`;
const BUILT = {
  "assets/student-1.js": `import("./Overlay-3.js")`,
  "assets/student-2.css": `src:url(/assets/latin-4.woff2)`,
  "assets/Overlay-3.js": `import{a}from"./student-1.js";const css="assets/Overlay-5.css"`,
  "assets/Overlay-5.css": "",
  "assets/latin-4.woff2": "",
  "assets/staff-6.js": `import"./latin-4.woff2"`,
};

test("a page's files are those that it names, and those that these name", () => {
  expect(filesOf(DOCUMENT, BUILT)).toEqual(["assets/Overlay-3.js", "assets/Overlay-5.css", "assets/latin-4.woff2", "assets/student-1.js", "assets/student-2.css"]);
  expect(filesOf("", BUILT)).toEqual([]);
});

test("another file or another document is another build", () => {
  const files = filesOf(DOCUMENT, BUILT);
  expect(buildOf(DOCUMENT, files)).toMatch(/^[0-9a-f]{16}$/);
  expect(buildOf(DOCUMENT, [...files])).toBe(buildOf(DOCUMENT, files));
  expect(buildOf(DOCUMENT, files.slice(1))).not.toBe(buildOf(DOCUMENT, files));
  expect(buildOf(`${DOCUMENT} `, files)).not.toBe(buildOf(DOCUMENT, files));
});
