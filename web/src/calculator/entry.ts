// The entry of a calculator: a list of its own keys, and nothing else. It decides which key may follow which, how the
// list is shown, and which expression it stands for.

export const OPERATIONS = ["plus", "minus", "times", "divide"] as const;
export const FUNCTIONS = ["sin", "cos", "tan", "asin", "acos", "atan", "sqrt", "log", "ln"] as const;
export type Operation = (typeof OPERATIONS)[number];
export type Named = (typeof FUNCTIONS)[number];
export type Digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";
/** A key that stands in an entry. */
export type Sign = Digit | Operation | Named | "point" | "percent" | "open" | "close" | "power" | "square" | "inverse" | "factorial" | "pi" | "e" | "answer";
/** Any key. */
export type CalculatorKey = Sign | "delete" | "clear" | "equals" | "angle";

/** What is wrong with an entry that has no result. */
export type CalculationFault = "unfinished" | "zero" | "undefined" | "large";
export type Result = { value: number } | { fault: CalculationFault };

export interface Entry {
  signs: Sign[];
  /** The last result, which `answer` stands for. */
  answer: number;
  /** The result of the entry, once it has been asked for. */
  result: Result | undefined;
}

export const EMPTY: Entry = { signs: [], answer: 0, result: undefined };

/** More than anyone types on purpose. */
const SIGNS_MAX = 60;

/** How a sign is shown. */
const SHOWN: Record<Exclude<Sign, Digit | "point">, string> = {
  plus: " + ",
  minus: " − ",
  times: " × ",
  divide: " ÷ ",
  percent: " %",
  open: "(",
  close: ")",
  power: "^(",
  square: "²",
  inverse: "⁻¹",
  factorial: "!",
  pi: "π",
  e: "e",
  answer: "Ans",
  sin: "sin(",
  cos: "cos(",
  tan: "tan(",
  asin: "sin⁻¹(",
  acos: "cos⁻¹(",
  atan: "tan⁻¹(",
  sqrt: "√(",
  log: "log(",
  ln: "ln(",
};
const BINARY: Record<Operation, string> = { plus: "+", minus: "-", times: "*", divide: "/" };

const isDigit = (sign: Sign | undefined): boolean => sign !== undefined && /^\d$/.test(sign);
const isOperation = (sign: Sign | undefined): sign is Operation => OPERATIONS.some((operation) => operation === sign);
const isFunction = (sign: Sign | undefined): sign is Named => FUNCTIONS.some((name) => name === sign);
/** Opens a bracket. */
const isOpening = (sign: Sign | undefined): boolean => sign === "open" || sign === "power" || isFunction(sign);
/** Belongs to the value before it. */
const isPostfix = (sign: Sign): boolean => ["percent", "square", "inverse", "factorial"].includes(sign);
/** A value ends here. */
const isValue = (sign: Sign | undefined): boolean => sign !== undefined && (isDigit(sign) || isPostfix(sign) || ["close", "pi", "e", "answer"].includes(sign));

/** The entry after this key. What can't follow is ignored. */
export function pressed(entry: Entry, key: Exclude<CalculatorKey, "angle">, evaluate: (expression: string, answer: number) => Result): Entry {
  if (key === "clear") return { ...EMPTY, answer: entry.answer };
  if (key === "delete") return entry.result === undefined ? { ...entry, signs: entry.signs.slice(0, -1) } : { ...entry, result: undefined };
  if (key === "equals") return equalled(entry, evaluate);
  const before = begun(entry, key);
  const signs = withSign(before.signs, key);
  return signs === undefined || signs.length > SIGNS_MAX ? entry : { ...before, signs };
}

function equalled(entry: Entry, evaluate: (expression: string, answer: number) => Result): Entry {
  if (entry.signs.length === 0 || entry.result !== undefined) return entry;
  const last = entry.signs.at(-1);
  const isUnfinished = isOperation(last) || isOpening(last);
  const result: Result = isUnfinished ? { fault: "unfinished" } : evaluate(expressionOf(entry.signs), entry.answer);
  return { ...entry, result, answer: "value" in result ? result.value : entry.answer };
}

/** After a result, a value begins anew, and anything else goes on with the result. After a fault, the entry goes on. */
function begun(entry: Entry, key: Sign): Entry {
  if (entry.result === undefined) return entry;
  const goesOn = isOperation(key) || isPostfix(key) || key === "power";
  const signs: Sign[] = "fault" in entry.result ? entry.signs : goesOn ? ["answer"] : [];
  return { ...entry, signs, result: undefined };
}

/** The signs with one more; undefined if it can't stand there. */
function withSign(signs: Sign[], sign: Sign): Sign[] | undefined {
  const last = signs.at(-1);
  if (isOperation(sign)) return withOperation(signs, sign);
  if (sign === "point") return mayHavePoint(signs) ? [...signs, ...(isDigit(last) ? [] : ["0" as const]), sign] : undefined;
  if (sign === "close") return openIn(signs) > 0 && isValue(last) ? [...signs, sign] : undefined;
  if (isPostfix(sign) || sign === "power") return isValue(last) ? [...signs, sign] : undefined;
  return last === "point" && !isDigit(sign) ? undefined : [...signs, sign];
}

/** An operation takes the place of one before it. A minus may also begin a number. */
function withOperation(signs: Sign[], sign: Operation): Sign[] | undefined {
  const last = signs.at(-1);
  if (isValue(last)) return [...signs, sign];
  if (sign === "minus" && (last === undefined || isOpening(last) || last === "times" || last === "divide")) return [...signs, sign];
  const before = isOperation(last) ? withoutOperations(signs) : undefined;
  return before === undefined || !isValue(before.at(-1)) ? undefined : [...before, sign];
}

function withoutOperations(signs: Sign[]): Sign[] {
  const end = signs.findLastIndex((sign) => !isOperation(sign));
  return signs.slice(0, end + 1);
}

function mayHavePoint(signs: Sign[]): boolean {
  const start = signs.findLastIndex((sign) => !isDigit(sign)) + 1;
  return signs[start - 1] !== "point";
}

function openIn(signs: Sign[]): number {
  return signs.filter(isOpening).length - signs.filter((sign) => sign === "close").length;
}

/** The entry as it is shown, with the decimal sign of the language. */
export function shownOf(signs: Sign[], decimal: string): string {
  const parts = signs.map((sign, index) => {
    if (sign === "point") return decimal;
    const isNegative = sign === "minus" && !isValue(signs[index - 1]);
    return isNegative ? "−" : (SHOWN as Partial<Record<Sign, string>>)[sign] ?? sign;
  });
  return parts.join("").trim();
}

/** The expression for the evaluator. Brackets that are still open are closed at its end. */
export function expressionOf(signs: Sign[]): string {
  const parts: string[] = [];
  signs.forEach((sign, index) => {
    const last = signs[index - 1];
    const isJoined = isDigit(sign) && (isDigit(last) || last === "point");
    const begins = isDigit(sign) || sign === "open" || isFunction(sign) || sign === "pi" || sign === "e" || sign === "answer";
    if (isValue(last) && begins && !isJoined) parts.push("*");
    if (sign === "percent") percent(parts, signs[index + 1]);
    else if (sign === "factorial") wrap(parts, "factorial(", ")");
    else parts.push(partOf(sign));
  });
  return parts.join("") + ")".repeat(Math.max(0, openIn(signs)));
}

function partOf(sign: Sign): string {
  if (isOperation(sign)) return BINARY[sign];
  if (isFunction(sign)) return `${sign}(`;
  const others: Partial<Record<Sign, string>> = { point: ".", open: "(", close: ")", power: "^(", square: "^2", inverse: "^(-1)" };
  return others[sign] ?? sign;
}

/**
 * The last value becomes hundredths; of a sum that it alone is added to or taken from, that part: 200 + 10 % is 220. What
 * comes before is a sum as far as the bracket goes in which it stands.
 */
function percent(parts: string[], next: Sign | undefined): void {
  const operation = startOfValue(parts) - 1;
  const isWhole = next === undefined || ["plus", "minus", "close"].includes(next);
  const isAdded = /^[+-]$/.test(parts[operation] ?? "") && !/^$|^[-+*/]$|\($/.test(parts[operation - 1] ?? "");
  if (!isWhole || !isAdded) return wrap(parts, "(", "/100)");
  const start = startOfSum(parts, operation);
  const [sum, value] = [parts.slice(start, operation).join(""), parts.slice(operation + 1).join("")];
  parts.splice(start, parts.length, `((${sum})*(100${parts[operation]}(${value}))/100)`);
}

/** Where the sum before this operation begins: at the beginning, or behind the bracket that is still open. */
function startOfSum(parts: string[], operation: number): number {
  for (let index = operation - 1, depth = 0; index >= 0; index -= 1) {
    if (parts[index] === ")") depth += 1;
    else if (parts[index]?.endsWith("(") && (depth -= 1) < 0) return index + 1;
  }
  return 0;
}

/** Puts the last value between these. */
function wrap(parts: string[], before: string, after: string): void {
  const start = startOfValue(parts);
  const value = parts.splice(start).join("");
  parts.push(`${before}${value}${after}`);
}

/** Where the last value begins: a number, a bracket with its function, or a part that is one already. */
function startOfValue(parts: string[]): number {
  const last = parts.length - 1;
  if (parts[last] === ")") {
    let depth = 0;
    for (let index = last; index >= 0; index -= 1) {
      if (parts[index] === ")") depth += 1;
      else if (parts[index]?.endsWith("(")) depth -= 1;
      if (depth === 0) return parts[index] === "^(" ? startOfValue(parts.slice(0, index)) : index;
    }
  }
  if (/^\^(2|\(-1\))$/.test(parts[last] ?? "")) return startOfValue(parts.slice(0, last));
  if (!/^[\d.]$/.test(parts[last] ?? "")) return last;
  return parts.findLastIndex((part) => !/^[\d.]$/.test(part)) + 1;
}
