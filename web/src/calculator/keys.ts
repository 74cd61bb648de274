// The keys of the two calculators, where they lie, and which keys of a keyboard do the same.

import type { CalculatorKey } from "./entry";

const BASIC: CalculatorKey[][] = [
  ["clear", "delete", "percent", "divide"],
  ["7", "8", "9", "times"],
  ["4", "5", "6", "minus"],
  ["1", "2", "3", "plus"],
  ["0", "point", "sqrt", "equals"],
];
const SCIENTIFIC: CalculatorKey[][] = [
  ["angle", "sin", "cos", "tan", "sqrt"],
  ["pi", "asin", "acos", "atan", "factorial"],
  ["e", "log", "ln", "square", "power"],
  ["7", "8", "9", "delete", "clear"],
  ["4", "5", "6", "times", "divide"],
  ["1", "2", "3", "plus", "minus"],
  ["0", "point", "open", "close", "equals"],
];

export const KEYS = { basic: BASIC, scientific: SCIENTIFIC };
export type CalculatorKind = keyof typeof KEYS;

/** What stands on a key. */
export const FACES: Record<Exclude<CalculatorKey, "angle" | "point" | "clear">, string> = {
  ...({ 0: "0", 1: "1", 2: "2", 3: "3", 4: "4", 5: "5", 6: "6", 7: "7", 8: "8", 9: "9" } as const),
  plus: "+",
  minus: "−",
  times: "×",
  divide: "÷",
  percent: "%",
  open: "(",
  close: ")",
  power: "xʸ",
  square: "x²",
  inverse: "x⁻¹",
  factorial: "x!",
  pi: "π",
  e: "e",
  answer: "Ans",
  sin: "sin",
  cos: "cos",
  tan: "tan",
  asin: "sin⁻¹",
  acos: "cos⁻¹",
  atan: "tan⁻¹",
  sqrt: "√",
  log: "log",
  ln: "ln",
  delete: "⌫",
  equals: "=",
};

const TYPED: Record<string, CalculatorKey> = {
  "+": "plus",
  "-": "minus",
  "*": "times",
  "/": "divide",
  ":": "divide",
  ".": "point",
  ",": "point",
  "%": "percent",
  "(": "open",
  ")": "close",
  "^": "power",
  "!": "factorial",
  "=": "equals",
  Enter: "equals",
  Backspace: "delete",
  Delete: "clear",
};

/**
 * The key of this calculator for a key of the keyboard. Where the row of digits has letters, as on the Vietnamese layout, or
 * digits of another script, it is the place of the key that counts.
 */
export function keyTyped(typed: string, kind: CalculatorKind, code = ""): CalculatorKey | undefined {
  const digit = /^\d$/.exec(typed)?.[0] ?? (/[^\0-\x7f]/.test(typed) ? /^Digit(\d)$/.exec(code)?.[1] : undefined);
  const key = digit === undefined ? TYPED[typed] : (digit as CalculatorKey);
  return key !== undefined && KEYS[kind].some((row) => row.includes(key)) ? key : undefined;
}
