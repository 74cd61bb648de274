// The texts of the calculator in English: the catalogue that the others are measured by. They are loaded with it.

import type { CalculationFault, CalculatorKey } from "../../calculator/entry";

const en = {
  decimal: ".",
  display: "Calculation",
  keys: "Keys of the calculator",
  /** On keys that have a word, or a sign of the language. */
  clear: "C",
  degrees: "Deg",
  radians: "Rad",
  angle: { degrees: "Angles are in degrees. Change to radians", radians: "Angles are in radians. Change to degrees" },
  equals: (value: string) => `equals ${value}`,
  faults: {
    unfinished: "Something is missing",
    zero: "You can’t divide by zero",
    undefined: "There is no such number",
    large: "The number is too large",
  } satisfies Record<CalculationFault, string>,
  names: {
    plus: "plus",
    minus: "minus",
    times: "times",
    divide: "divided by",
    point: "point",
    percent: "per cent",
    open: "open bracket",
    close: "close bracket",
    power: "to the power of",
    square: "squared",
    inverse: "to the power of minus one",
    factorial: "factorial",
    pi: "pi",
    e: "the number e",
    answer: "last result",
    sin: "sine",
    cos: "cosine",
    tan: "tangent",
    asin: "inverse sine",
    acos: "inverse cosine",
    atan: "inverse tangent",
    sqrt: "square root",
    log: "logarithm to base ten",
    ln: "natural logarithm",
    delete: "delete the last one",
    clear: "clear all",
    equals: "equals",
  } satisfies Partial<Record<CalculatorKey, string>>,
};

export default en;
export type CalculatorTexts = typeof en;
