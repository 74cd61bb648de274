// No name turns the text around it, wherever a page shows one: in the sentences of all catalogues, and in its elements.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, type AST } from "svelte/compiler";
import { expect, test } from "vitest";
import { isolated, isolating } from "./isolated";
import { unmarked } from "./unmarked";

const ARABIC = "\u0639\u0644\u064a";
/** An override that nothing ends, an isolate that ends what it is in, letters that run to the left, and an isolate of its own. */
const HOSTILE = ["\u202eadA", `\u2069\u202e${ARABIC} (3)`, `${ARABIC}\u200f 12`, `\u2068${ARABIC}\u2069\u2069\u202b`];
const ISOLATE = /\u2068[^\u202a-\u202e\u2066-\u2069]*\u2069/;
/** What turns the text after it, unless it is in an isolate. */
const TURNS = /[\u202a-\u202e\u2066-\u2069\u200f\u0590-\u08ff]/;

/** What stands outside of all isolates. */
function outside(text: string): string {
  const rest = text.replace(ISOLATE, "");
  return rest === text ? text : outside(rest);
}

test("a name is isolated where it must be, and stays as it is where it need not", () => {
  expect(["Ada", "Nguy\u1ec5n Th\u1ecb \u00c1nh", "\u738b", ""].map(isolated)).toEqual(["Ada", "Nguy\u1ec5n Th\u1ecb \u00c1nh", "\u738b", ""]);
  expect(isolated(ARABIC)).toBe(`\u2068${ARABIC}\u2069`);
  expect(isolated("\u202eadA\u202c")).toBe("adA");
  for (const name of HOSTILE) expect(outside(isolated(name)), JSON.stringify(name)).not.toMatch(TURNS);
  // A sentence with a name in it may be told to another sentence.
  const sentence = `Ada and ${isolated(ARABIC)}`;
  expect(isolated(sentence)).toBe(`\u2068${sentence}\u2069`);
  expect(HOSTILE.map(unmarked).join("")).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
});

type Said = (...told: unknown[]) => unknown;

function sentencesOf(texts: unknown, name = ""): [string, Said][] {
  if (typeof texts === "function") return [[name, texts as Said]];
  if (typeof texts !== "object" || texts === null || Array.isArray(texts)) return [];
  return Object.entries(texts).flatMap(([inner, value]) => sentencesOf(value, `${name}.${inner}`));
}

function called(say: Said, told: unknown[]): string {
  try {
    return String(say(...told));
  } catch {
    // It is told something else.
    return "";
  }
}

const CATALOGUES = import.meta.glob<object>(["./??.ts", "./*/??.ts", "../staff/**/texts/??.ts"], { eager: true, import: "default" });

/** What the first page loads is told names at its end alone. */
const FIRST = ["./en.ts", "./vi.ts"];

test.each(FIRST)("%s: a name stands where nothing follows that it could turn", (path) => {
  const told = sentencesOf(CATALOGUES[path]).filter(([, say]) => /^\(?name\b/.test(String(say)));
  expect(told.length).toBeGreaterThan(1);
  expect(told.filter(([, say]) => !called(say, ["Ada"]).endsWith("Ada")).map(([name]) => name)).toEqual([]);
});

test.each(Object.entries(CATALOGUES).filter(([path]) => !FIRST.includes(path)))("%s: no sentence is turned by what it is told", (path, catalogue) => {
  let turned = 0;
  for (const [name, say] of sentencesOf(isolating(catalogue))) {
    for (const hostile of HOSTILE) {
      const told = [[hostile, hostile, hostile, hostile], [hostile, 2, 2, 2], [2, hostile, 2], [[hostile, "Bo"], 2, hostile], [hostile, [2], 3, hostile]];
      for (const values of told) {
        const said = called(say, values);
        if (said.includes(ARABIC)) turned += 1;
        expect(outside(said), `${path} ${name}`).not.toMatch(TURNS);
      }
    }
  }
  if (["./sittings/en.ts", "../staff/desk/texts/en.ts"].includes(path)) expect(turned).toBeGreaterThan(0);
});

const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).map((name) => join("src", name));

test("every other catalogue is told through this", () => {
  const accessors = sources.filter((path) => path.endsWith("/texts.svelte.ts"));
  expect(accessors.length).toBeGreaterThan(20);
  expect(accessors.filter((path) => !readFileSync(path, "utf8").includes("= isolating("))).toEqual([]);
});

/** What people, sittings, rooms and the like are called in the markup. */
const NAMES = ["name", "student", "candidate", "by", "who"];

type Node = { type: string } & Record<string, unknown>;

function isName(expression: Node): boolean {
  if (expression.type === "ChainExpression") return isName(expression["expression"] as Node);
  if (expression.type === "LogicalExpression") return isName(expression["left"] as Node);
  const named = expression.type === "MemberExpression" ? (expression["property"] as Node) : expression;
  const isOfTexts = expression.type === "MemberExpression" && ["CallExpression"].includes((expression["object"] as Node).type);
  return named.type === "Identifier" && NAMES.includes(String(named["name"])) && !isOfTexts;
}

const isShown = (node: Node) => (node.type === "Text" ? String(node["data"]).trim() !== "" : ["ExpressionTag", "RegularElement", "IfBlock", "EachBlock", "HtmlTag", "RenderTag"].includes(node.type));

/** The names that stand in one element with something else, and in no `<bdi>`. */
function bareNames(node: unknown, element: string): string[] {
  if (Array.isArray(node)) return node.flatMap((inner) => bareNames(inner, element));
  if (typeof node !== "object" || node === null || typeof (node as Node).type !== "string") return [];
  const { type, ...parts } = node as Node;
  const within = type === "RegularElement" ? String(parts["name"]) : element;
  const nodes = type === "Fragment" ? (parts["nodes"] as Node[]) : [];
  const isMixed = nodes.filter(isShown).length > 1 && element !== "bdi";
  const own = nodes.filter((one) => isMixed && one.type === "ExpressionTag" && isName(one["expression"] as Node)).map((one) => String(one["start"]));
  return [...own, ...Object.entries(parts).flatMap(([key, part]) => (["expression", "attributes"].includes(key) ? [] : bareNames(part, within)))];
}

test("a name that shares an element with other text stands in a <bdi>", () => {
  const components = sources.filter((path) => path.endsWith(".svelte"));
  expect(components.length).toBeGreaterThan(200);
  const bare = (source: string) => bareNames((parse(source, { modern: true }) as AST.Root).fragment, "").map((start) => source.slice(Number(start) - 30, Number(start) + 30).replace(/\s+/g, " "));
  expect(bare("<p>{one.name}: 3</p>")).toHaveLength(1);
  expect([...bare("<p><bdi>{one.name}</bdi>: 3</p>"), ...bare("<p>{one.name}</p>"), ...bare("<p>{texts().name}: 3</p>")]).toEqual([]);
  expect(components.flatMap((path) => bare(readFileSync(path, "utf8")).map((found) => `${path}: ${found}`))).toEqual([]);
});
