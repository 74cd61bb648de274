// What the keys of the pad do to the text in the box. Separate from the pad, so that it can be tested without a browser.

import { TYPED_CHARACTERS_MAX } from "../exam/protocol";
import type { NumberLanguage } from "../exam/question";

export type PadKey = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "decimal" | "bar" | "minus" | "space" | "delete" | "done";

/** As they lie, row by row. */
export const PAD_ROWS: readonly (readonly PadKey[])[] = [
  ["7", "8", "9", "delete"],
  ["4", "5", "6", "minus"],
  ["1", "2", "3", "bar"],
  ["decimal", "0", "space", "done"],
];

/** The sign between a whole number and its decimals. */
export const DECIMAL_SIGNS: Record<NumberLanguage, string> = { en: ".", vi: "," };

const SIGNS: Partial<Record<PadKey, string>> = { bar: "/", minus: "-", space: " " };

/** The text of a box, and what is chosen in it. */
export interface BoxText {
  text: string;
  from: number;
  to: number;
}

/** What takes the place of a part of the text; undefined where the key does nothing. */
export function padPressed(key: PadKey, { text, from, to }: BoxText, language: NumberLanguage): BoxText | undefined {
  if (key === "done") return undefined;
  if (key === "delete") {
    if (from !== to) return { text: "", from, to };
    // One character, also one of two halves.
    const last = [...text.slice(0, from)].at(-1);
    return last === undefined ? undefined : { text: "", from: from - last.length, to };
  }
  const sign = key === "decimal" ? DECIMAL_SIGNS[language] : (SIGNS[key] ?? key);
  return text.length - (to - from) + sign.length > TYPED_CHARACTERS_MAX ? undefined : { text: sign, from, to };
}
