// How a mark is written: with the decimal sign of the reader's language. Separate from how it is reckoned, which only
// staff need.

import type { Language } from "../texts/choice.svelte";

const NUMBER = /^-?\d+\.\d+$/;

/** The mark as it is read in this language. Marks that are words stay as they are. */
export function writtenMark(text: string, language: Language): string {
  return NUMBER.test(text) ? text.replace("-", "−").replace(".", language === "vi" ? "," : ".") : text.replace(/^-(?=\d)/, "−");
}

/** A number of a scale, with as many digits as it has. */
export function writtenNumber(value: number, language: Language): string {
  return writtenMark(String(value), language);
}
