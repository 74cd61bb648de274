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
  circ: "°",
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
const FUNCTIONS = ["sin", "cos", "tan", "log", "ln"];
/** What stands before groups in braces, and is read with them. */
const STRUCTURES = ["frac", "dfrac", "tfrac", "sqrt", "text", "mathrm"];
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** The text without its dollar signs. */
export function plainText(text: string): string {
  return pieces(text)
    .map((piece) => (piece.isMath ? plainFormula(piece.text) : piece.text))
    .join("");
}

/** A formula that has more than these signs stays as it was typed. */
function plainFormula(tex: string): string {
  let text = tex.replace(/\\([a-zA-Z]+)/g, (command, name: string) => SIGNS[name] ?? (FUNCTIONS.includes(name) ? name : command));
  const commands = [...text.matchAll(/\\([a-zA-Z]+)/g)].map(([, name]) => name as string);
  if (commands.some((name) => !STRUCTURES.includes(name))) return tex;
  text = text.replace(/\\[,;: ]/g, " ").replace(/\\!/g, "").replace(/\\%/g, "%");
  for (let before = ""; before !== text; ) {
    before = text;
    // The innermost groups come first.
    text = text
      .replace(/(\d?)\\[dt]?frac\s*(?:\{([^{}]*)\}\s*\{([^{}]*)\}|(\d)(\d))/g, (_, whole: string, top?: string, bottom?: string, one?: string, other?: string) =>
        `${whole === "" ? "" : `${whole} `}${grouped(top ?? one ?? "")}/${grouped(bottom ?? other ?? "")}`,
      )
      .replace(/\\sqrt\{([^{}]*)\}/g, (_, under: string) => `√${grouped(under)}`)
      .replace(/\\(?:text|mathrm)\{([^{}]*)\}/g, "$1")
      .replace(/\^(?:\{([^{}]*)\}|([\d°]))/g, (_, group?: string, sign?: string) => raised(group ?? sign ?? ""))
      .replace(/_\{([^{}]*)\}/g, "_$1");
  }
  return /[\\{}]/.test(text) ? tex : text.replace(/ +/g, " ").trim();
}

function grouped(text: string): string {
  return /^[\p{L}\p{N}.,√]*$/u.test(text) ? text : `(${text})`;
}

function raised(text: string): string {
  if (text === "°") return text;
  return /^\d+$/.test(text) ? [...text].map((digit) => RAISED[Number(digit)]).join("") : `^${grouped(text)}`;
}
