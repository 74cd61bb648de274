// The orders in which students saw the options, where they stood otherwise than in the master copy. They are read for whoever is
// looked at: with those of everybody, the results of thousands would be twice as large.

import { SvelteMap } from "svelte/reactivity";
import { seenLetter } from "../../exam/option_order";
import type { Selected } from "../../exam/protocol";
import { get } from "../api";
import type { ResultRow } from "./answer";
import type { ResultsTexts } from "./texts/en";

/** From the id of a question to the letters of its options in the order in which the student saw them. */
type Orders = Record<string, string>;

export class SeenOrders {
  #orders = new SvelteMap<string, Orders>();
  #asked = new Set<string>();

  /** Whether anybody who was looked at has seen another order. */
  get areThere(): boolean {
    return [...this.#orders.values()].some((orders) => Object.keys(orders).length > 0);
  }

  /** Reads those of a finished test, once. What can't be read stays unsaid. */
  async read({ sessionId, answers }: Pick<ResultRow, "sessionId" | "answers">): Promise<void> {
    if (sessionId === null || answers.length === 0 || this.#asked.has(sessionId)) return;
    this.#asked.add(sessionId);
    const answer = await get("/api/sessions/{id}", { id: sessionId });
    if (answer.kind === "done") this.#orders.set(sessionId, (answer.value as { optionOrder?: Orders }).optionOrder ?? {});
  }

  /** An answer as the student saw it, with the letter of the master copy where that is another one. */
  said({ sessionId }: Pick<ResultRow, "sessionId">, questionId: string, letter: Selected, texts: Pick<ResultsTexts, "seenAs">): string {
    const seen = seenLetter(letter, this.#orders.get(sessionId ?? "")?.[questionId]);
    return seen === letter ? letter : texts.seenAs(seen, letter);
  }
}

/** What is to be said once of numbers and letters: that forms have others, that options alone stood otherwise, or nothing. */
export function copyNote(rows: Pick<ResultRow, "form">[], areOrdersThere: boolean): "forms" | "letters" | undefined {
  if (rows.some(({ form }) => form !== undefined)) return "forms";
  return areOrdersThere ? "letters" : undefined;
}
