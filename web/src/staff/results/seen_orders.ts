// The orders in which students saw the options, where they stood otherwise than in the master copy.

import { seenLetter } from "../../exam/option_order";
import type { Selected } from "../../exam/protocol";
import type { ResultRow } from "./answer";
import type { ResultsTexts } from "./texts/en";

type Ordered = Pick<ResultRow, "optionOrder">;

/** An answer as the student saw it, with the letter of the master copy where that is another one. */
export function seenAs({ optionOrder }: Ordered, questionId: string, letter: Selected, texts: Pick<ResultsTexts, "seenAs">): string {
  const seen = seenLetter(letter, optionOrder?.[questionId]);
  return seen === letter ? letter : texts.seenAs(seen, letter);
}

/** What is to be said once of numbers and letters: that forms have others, that options alone stood otherwise, or nothing. */
export function copyNote(rows: (Ordered & Pick<ResultRow, "form">)[]): "forms" | "letters" | undefined {
  if (rows.some(({ form }) => form !== undefined)) return "forms";
  return rows.some(({ optionOrder }) => optionOrder !== undefined) ? "letters" : undefined;
}
