// A formula in words, from its TeX. It knows what schools use; a command that it does not know is read by its name, so that
// nothing is left out in silence.

import type { Tongue } from "./tongues";

const FRACTIONS = ["frac", "dfrac", "tfrac", "cfrac"];
const WORDS = ["text", "textbf", "textit", "textrm", "mathrm", "mathbf", "mathit", "mathbb", "mbox", "operatorname"];
const SIZES = ["left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "displaystyle", "textstyle"];
/** Spaces, sizes of brackets, and whatever else changes only how a formula looks. */
const SILENT = [...SIZES, "quad", "qquad", "limits", "nolimits", "boxed", "hline", "phantom"];
const OVER: Record<string, string> = { underline: "underline", overline: "overline", bar: "overline", vec: "vec", overrightarrow: "vec", hat: "widehat", widehat: "widehat" };
const BLANKS = ["square", "Box", "_"];
/** After these, a minus belongs to the number that follows. */
const OPERATIONS = /^(?:[-+−×÷*/:=<>≠≤≥≈±(,;[]|times|cdot|div|pm|lt|gt|leq?|geq?|neq?|approx|leqslant|geqslant|to|lbrace)$/;

interface Read {
  words: string[];
  /** How many things it consists of. */
  count: number;
  hasOperation: boolean;
}

export function formulaWords(tex: string, tongue: Tongue): string {
  return joined(new Formula(tex, tongue).read().words);
}

function joined(words: string[]): string {
  return words.join(" ").replace(/\s+/g, " ").replace(/ ,/g, ",").trim();
}

class Formula {
  #rest: string;
  /** Whether an absolute value has begun, since both its signs are the same. */
  #isInAbsolute = false;

  constructor(
    tex: string,
    private tongue: Tongue,
  ) {
    this.#rest = tex;
  }

  /** Reads up to the end, or to this bracket. */
  read(end?: string): Read {
    const found: Read = { words: [], count: 0, hasOperation: false };
    let before = "";
    for (let token = this.#token(); token !== undefined && token !== end; token = this.#token()) {
      if (/^\s+$/.test(token) || token === "~") continue;
      const name = token.replace(/^\\/, "");
      const isSigned = /^[-−]$/.test(name) && (before === "" || OPERATIONS.test(before));
      const words = isSigned ? this.tongue.negative : this.#wordsOf(token, name, before, found.words);
      if (words === undefined) continue;
      if (words !== "") found.words.push(words);
      const isOperation = !isSigned && OPERATIONS.test(name) && name !== "(" && name !== "[";
      if (isOperation) found.hasOperation = true;
      else if (!isSigned) found.count += 1;
      before = name;
    }
    return found;
  }

  /** The words of this token with its arguments; undefined if it has none. */
  #wordsOf(token: string, name: string, before: string, words: string[]): string | undefined {
    const { tongue } = this;
    if (token === "{") return joined(this.read("}").words);
    if (token === "^") return this.#power();
    if (token === "_") return tongue.index(joined(this.#argument().words));
    if (token === "|") return this.#bar();
    if (token === ".") return this.#rest.startsWith("\\overline") ? tongue.signs["point"] : undefined;
    if (token === "&" || token === "}") return undefined;
    if (token === "\\\\" || token === "," || token === ";") return ",";
    if (!token.startsWith("\\")) return tongue.signs[token] ?? token;
    if (FRACTIONS.includes(name)) return this.#fraction(before, words);
    if (name === "sqrt") return this.#root();
    if (WORDS.includes(name)) return this.#raw();
    if (name === "begin" || name === "end") return void this.#raw();
    if (SILENT.includes(name) || /^[,;:! ]$/.test(name)) return undefined;
    if (BLANKS.includes(name)) return tongue.blank;
    if (name === "{" || name === "}") return tongue.signs[name === "{" ? "lbrace" : "rbrace"];
    const over = OVER[name];
    if (over !== undefined) {
      const words = joined(this.#argument().words);
      return name === "underline" && words === "" ? tongue.blank : tongue.over[over]?.(words);
    }
    return tongue.signs[name] ?? name;
  }

  #power(): string {
    const exponent = this.#argument();
    const words = joined(exponent.words);
    if (words === this.tongue.degrees || words === this.tongue.signs["prime"]) return words;
    return this.tongue.power(words, exponent.count <= 1 && !exponent.hasOperation);
  }

  #fraction(before: string, words: string[]): string {
    const [above, below] = [this.#argument(), this.#argument()];
    const fraction = this.tongue.fraction(joined(above.words), joined(below.words), !above.hasOperation && !below.hasOperation);
    const isMixed = /^\d+$/.test(before) && [above, below].every((part) => /^\d+$/.test(joined(part.words)));
    return isMixed ? this.tongue.mixed(words.pop() ?? "", fraction) : fraction;
  }

  #root(): string {
    const degree = this.#rest.trimStart().startsWith("[") ? this.#degree() : "";
    const under = this.#argument();
    return this.tongue.root(joined(under.words), degree, under.count <= 1 && !under.hasOperation);
  }

  #degree(): string {
    this.#rest = this.#rest.trimStart().slice(1);
    return joined(this.read("]").words);
  }

  #bar(): string {
    this.#isInAbsolute = !this.#isInAbsolute;
    return this.tongue.absolute[this.#isInAbsolute ? 0 : 1];
  }

  /** One argument of a command: a group, or the next token alone. */
  #argument(): Read {
    this.#rest = this.#rest.trimStart();
    const token = this.#token();
    if (token === undefined) return { words: [], count: 0, hasOperation: false };
    if (token === "{") return this.read("}");
    // Of a number without a group, TeX takes the first digit only.
    const one = /^\d/.test(token) ? token.charAt(0) : token;
    this.#rest = token.slice(one.length) + this.#rest;
    const words = this.#wordsOf(one, one.replace(/^\\/, ""), "", []);
    return { words: words === undefined ? [] : [words], count: 1, hasOperation: false };
  }

  /** The next group as it is written. */
  #raw(): string {
    const match = /^\s*\{((?:[^{}]|\{[^{}]*\})*)\}/.exec(this.#rest);
    if (match === null) return "";
    this.#rest = this.#rest.slice(match[0].length);
    return (match[1] ?? "").replace(/[{}$\\]/g, " ").trim();
  }

  #token(): string | undefined {
    // Braces keep the comma of a decimal number from being spaced as a list is.
    const decimal = /^\d+\{[.,]\}\d+/.exec(this.#rest)?.[0];
    if (decimal !== undefined) {
      this.#rest = this.#rest.slice(decimal.length);
      return decimal.replace(/[{}]/g, "");
    }
    const token = this.tongue.number.exec(this.#rest)?.[0] ?? /^(?:\\[A-Za-z]+|\\[\s\S]|\s+|[\s\S])/u.exec(this.#rest)?.[0];
    this.#rest = this.#rest.slice(token?.length ?? 0);
    return token;
  }
}
