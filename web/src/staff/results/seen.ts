// The letters that one student saw, where the options stood in another order than in the master copy: results have the letters of
// that copy, and whoever speaks with the student needs both.

import type { Selected } from "../../exam/protocol";
import { letterAsShown } from "../option_letters";
import type { ResultRow } from "./answer";
import type { ResultsTexts } from "./texts/en";

type Seeing = Pick<ResultRow, "form" | "optionOrder">;

/** The letter that the student saw, if it is not that of the master copy. */
export function seenLetter({ optionOrder }: Seeing, questionId: string, letter: Selected): string | undefined {
  const seen = letterAsShown(optionOrder?.[questionId], letter);
  return seen === letter ? undefined : seen;
}

/** An answer as the student saw it, with the letter of the master copy where that is another one. */
export function asSeen(row: Seeing, questionId: string, letter: Selected, texts: Pick<ResultsTexts, "seenAs">): string {
  const seen = seenLetter(row, questionId, letter);
  return seen === undefined ? letter : texts.seenAs(seen, letter);
}

/** What is to be said once of numbers and letters: that forms have others, that options alone stood otherwise, or nothing. */
export function copyNote(rows: Seeing[]): "forms" | "letters" | undefined {
  if (rows.some(({ form }) => form !== undefined)) return "forms";
  return rows.some(({ optionOrder }) => optionOrder !== undefined) ? "letters" : undefined;
}
