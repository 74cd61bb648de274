// Measures the colours of each theme as the style sheets have them, by the formula of WCAG 2.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { THEMES } from "./settings";

const TEXT = 4.5;
const CONTROL = 3;

/** Text and what lies under it. */
const TEXTS: [string, string[]][] = [
  ["ink", ["ground", "paper", "accent-soft", "warm-soft", "off-ground"]],
  ["quiet", ["ground", "paper", "accent-soft"]],
  ["accent", ["ground", "paper", "accent-soft"]],
  ["warm", ["ground", "paper", "warm-soft"]],
  ["warm-deep", ["paper", "warm-soft"]],
  ["on-accent", ["accent", "accent-deep"]],
  ["on-warm", ["warm", "warm-deep"]],
  ["off-ink", ["off-ground"]],
];
/** Edges of controls, the ring of the focus, and the full part of a bar. */
const CONTROLS: [string, string[]][] = [
  ["edge", ["ground", "paper"]],
  ["accent", ["ground", "paper", "track"]],
];

function coloursIn(block: string): Record<string, string> {
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name = "", colour = ""]) => [name, colour]));
}

function blockOf(css: string, selector: string): string {
  const start = css.indexOf(selector);
  expect(start, selector).toBeGreaterThanOrEqual(0);
  return css.slice(start, css.indexOf("}", start));
}

const base = coloursIn(blockOf(readFileSync("src/style/base.css", "utf8"), ":root,\n.on-white {"));
const themes = readFileSync("src/view/themes.css", "utf8");

function coloursOf(theme: string): Record<string, string> {
  return theme === "light" ? base : { ...base, ...coloursIn(blockOf(themes, `:is(:root, .swatch)[data-theme="${theme}"] {`)) };
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((first, second) => second - first);
  return (high + 0.05) / (low + 0.05);
}

test("the formula is that of WCAG", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
});

test.each(THEMES)("text and controls of the theme %s can be told from their ground", (theme) => {
  const colours = coloursOf(theme);
  const low = (pairs: [string, string[]][], least: number) =>
    pairs.flatMap(([over, unders]) => unders.map((under) => [over, under, contrast(colours[over] ?? "", colours[under] ?? "")] as const)).filter(([, , ratio]) => !(ratio >= least));
  expect(low(TEXTS, TEXT)).toEqual([]);
  expect(low(CONTROLS, CONTROL)).toEqual([]);
});

test("the high contrast of the theme of that name is 7 for all text", () => {
  const colours = coloursOf("contrast");
  for (const [over, unders] of TEXTS) for (const under of unders) expect(contrast(colours[over] ?? "", colours[under] ?? ""), `${over} on ${under}`).toBeGreaterThan(7);
});

test("each theme has all the colours", () => {
  const names = Object.keys(base);
  for (const theme of ["dark", "contrast"]) expect(names.filter((name) => !(name in coloursIn(blockOf(themes, `[data-theme="${theme}"] {`)))), theme).toEqual([]);
});

/** Pictures lie on white in every theme. */
const WHITE = ["src/ui/PictureImage.svelte"];

test("no component of the students' pages has a colour of its own, which no theme could change", () => {
  const files = ["student", "ui", "drawing", "sitting", "math", "view", "reading", "calculator"].flatMap((folder) =>
    readdirSync(join("src", folder), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".svelte")).map((name) => join("src", folder, name)),
  );
  const own = files.filter((path) => /#[0-9a-f]{3,8}\b|\brgba?\(/i.test(/<style>[\s\S]*<\/style>/.exec(readFileSync(path, "utf8"))?.[0] ?? ""));
  expect(files.length).toBeGreaterThan(30);
  expect(own.filter((path) => !WHITE.includes(path))).toEqual([]);
});
