// The texts of numbers that are typed, in English: the catalogue that the others are measured by. They are loaded with the pad.

import type { NumberLanguage } from "../../exam/question";
import type { PadKey } from "../../number/pad";

const en = {
  /** Before the number, as it is read. */
  youWrote: "You wrote",
  said: (words: string, unit: string) => `You wrote ${words}${unit === "" ? "" : ` ${unit}`}.`,
  notNumber: "This can’t be read as a number.",
  /** Between what was typed and the number that it is. */
  readAs: "read as",
  or: "or",
  minus: "minus",
  over: (above: string, below: string) => `${above} over ${below}`,
  mixed: (whole: string, above: string, below: string) => `${whole} and ${above} over ${below}`,
  keys: "Keys for numbers",
  names: {
    bar: "fraction bar",
    minus: "minus",
    space: "space",
    delete: "delete the last one",
  } satisfies Partial<Record<PadKey, string>>,
  decimalNames: { en: "point", vi: "comma" } satisfies Record<NumberLanguage, string>,
  done: "Done",
};

export default en;
export type NumberTexts = typeof en;
