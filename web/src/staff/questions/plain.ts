// The text of a question for one line of a list: its formulas in plain signs, since thousands of lines would be slow to typeset.

import { pieces } from "../../math/pieces";

const SIGNS: Record<string, string> = {
  times: "×",
  cdot: "·",
  div: "÷",
  pm: "±",
  le: "≤",
  leq: "≤",
  ge: "≥",
  geq: "≥",
  lt: "<",
  gt: ">",
  ne: "≠",
  neq: "≠",
  approx: "≈",
  to: "→",
  pi: "π",
  alpha: "α",
  beta: "β",
  circ: "∘",
  degree: "°",
  angle: "∠",
  triangle: "△",
  square: "□",
  parallel: "∥",
  perp: "⊥",
  cup: "∪",
  cap: "∩",
  in: "∈",
  infty: "∞",
  ldots: "…",
  dots: "…",
  cdots: "…",
  quad: " ",
  left: "",
  right: "",
  displaystyle: "",
};
/** What draws a line below or above the sign before it. */
const LINES: Record<string, string> = { "\\underline": "\u0332", "\\overline": "\u0305" };
const FUNCTIONS = ["sin", "cos", "tan", "log", "ln"];
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const TOKEN = /\\(?:text|mathrm)\s*\{[^{}\\]*\}|\\[a-zA-Z]+|\\.|\s+|./gsu;

interface Part {
  /** A power is an exponent that has no raised digits; `°` and raised digits are raised. */
  kind: "sign" | "word" | "raised" | "index" | "power" | "fraction" | "root";
  text: string;
}

/** What follows these could seem to belong to them. */
const OPEN_ENDED: (Part["kind"] | undefined)[] = ["index", "power", "fraction", "root"];

/** The text without its dollar signs. */
export function plainText(text: string): string {
  return pieces(text)
    .map(({ isMath, isDisplay, text }) => (isMath ? (isDisplay ? ` ${plainFormula(text)} ` : plainFormula(text)) : text))
    .join("");
}

/** A formula that has more than these signs, or would read like another one, stays as it was typed. */
function plainFormula(tex: string): string {
  return formula(tex.match(TOKEN) ?? [], false) ?? tex;
}

/** Takes the tokens up to the last one, or up to the brace that closes a group. */
function formula(tokens: string[], isGroup: boolean): string | undefined {
  const parts: Part[] = [];
  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    if (token === "}") return isGroup ? joined(parts) : undefined;
    const part = token === "^" || token === "_" ? script(token, tokens, parts) : structure(token, tokens) ?? sign(token);
    const isOfWhole = token === "!" && ["power", "fraction", "root"].includes(parts.at(-1)?.kind ?? "");
    if (part === undefined || isOfWhole) return undefined;
    if (part.text !== "") parts.push(part);
  }
  return isGroup ? undefined : joined(parts);
}

/** A group in braces, or a single letter, digit or sign. */
function argument(tokens: string[]): string | undefined {
  while (tokens[0]?.trim() === "") tokens.shift();
  const token = tokens.shift() ?? "";
  const text = token === "{" ? formula(tokens, true) : /^(?:[\p{L}\p{N}]|\\[a-z]+)$/u.test(token) ? sign(token)?.text.trim() : undefined;
  return text === "" ? undefined : text;
}

function structure(token: string, tokens: string[]): Part | undefined {
  if (token === "\\sqrt") {
    const under = argument(tokens);
    return under === undefined ? undefined : { kind: "root", text: `√${grouped(under)}` };
  }
  const line = LINES[token];
  if (line !== undefined) {
    const text = argument(tokens);
    return text === undefined ? undefined : { kind: "sign", text: [...text].map((sign) => sign + line).join("") };
  }
  if (!/^\\[dt]?frac$/.test(token)) return undefined;
  const [top, bottom] = [argument(tokens), argument(tokens)];
  return top === undefined || bottom === undefined ? undefined : { kind: "fraction", text: `${grouped(top)}/${grouped(bottom)}` };
}

/** An index or an exponent of the last part. */
function script(token: "^" | "_", tokens: string[], parts: Part[]): Part | undefined {
  while (parts.at(-1)?.text.trim() === "") parts.pop();
  const base = parts.at(-1)?.kind;
  const text = argument(tokens);
  if (text === undefined) return undefined;
  if (token === "_") return OPEN_ENDED.includes(base) ? undefined : { kind: "index", text: `_${grouped(text)}` };
  if (text === "∘" || text === "°") return { kind: "raised", text: "°" };
  if (base === "raised" || (base !== "index" && OPEN_ENDED.includes(base))) return undefined;
  if (/^\d+$/.test(text)) return { kind: "raised", text: [...text].map((digit) => RAISED[Number(digit)]).join("") };
  return { kind: "power", text: `^${grouped(text)}` };
}

function sign(token: string): Part | undefined {
  const [, words] = /^\\(?:text|mathrm)\s*\{(.*)\}$/s.exec(token) ?? [];
  if (words !== undefined) return { kind: words.length > 1 ? "word" : "sign", text: words };
  if (/^\\[,;: ]$/.test(token)) return { kind: "sign", text: " " };
  if (token === "\\!") return { kind: "sign", text: "" };
  if (token === "\\%") return { kind: "sign", text: "%" };
  if (!token.startsWith("\\")) return token === "{" ? undefined : { kind: "sign", text: token };
  const name = token.slice(1);
  if (FUNCTIONS.includes(name)) return { kind: "word", text: name };
  const text = SIGNS[name];
  return text === undefined ? undefined : { kind: "sign", text };
}

function joined(parts: Part[]): string {
  let text = "";
  for (const [index, part] of parts.entries()) {
    if (part.kind === "fraction" && /\/\s*$/.test(text)) text += `(${part.text})`;
    else text += isApart(part, parts[index - 1], parts[index - 2]) ? ` ${part.text}` : part.text;
  }
  return text.replace(/\s+/g, " ").trim();
}

/** Whether a space keeps the part from being read with those before it. */
function isApart({ kind, text }: Part, last: Part | undefined, lastButOne: Part | undefined): boolean {
  if (last === undefined || kind === "raised" || kind === "index" || kind === "power") return false;
  if (OPEN_ENDED.includes(last.kind)) return /^[\p{L}\p{N}(√]/u.test(text);
  // A comma after a root of 2 begins no decimals.
  if (OPEN_ENDED.includes(lastButOne?.kind) && /^[.,]$/.test(last.text)) return /^\d/.test(text);
  if (kind === "fraction") return /[\p{L}\p{N})°%!.,]$/u.test(last.text);
  if (kind === "word") return /[\p{L}\p{N})]$/u.test(last.text);
  return last.kind === "word" && /^[\p{L}\p{N}√]/u.test(text);
}

/** Only one number, one letter, or a root of these is read as one without brackets. */
function grouped(text: string): string {
  return /^√*(?:\p{L}|\d+(?:[.,]\d+)*)$/u.test(text) ? text : `(${text})`;
}
