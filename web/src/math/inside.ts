// Finds where formulas stand in a text that somebody is typing, so that what is inserted goes into the one at the cursor.

import { formulasIn } from "./pieces";

/** A dollar sign that is no price and that no formula closes: somebody is writing the formula. */
const OPENED = /\$(?=[^\s\d$.,;:!?)])/g;

/** Whether what is typed at this place belongs to a formula. */
export function isInFormula(text: string, at: number): boolean {
  const formulas = formulasIn(text);
  if (formulas.some(({ from, to }) => from <= at && at <= to)) return true;
  const line = text.lastIndexOf("\n", at - 1) + 1;
  const isOutside = (index: number) => !isEscaped(text, index) && !formulas.some(({ from, to }) => from - 2 <= index && index <= to + 1);
  return [...text.slice(line, at).matchAll(OPENED)].some(({ index }) => isOutside(line + index));
}

function isEscaped(text: string, at: number): boolean {
  return text[at - 1] === "\\" && text[at - 2] !== "\\";
}
