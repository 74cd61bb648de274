// Keeps questions for exams, and gives them back, in as many requests as it takes. Separate from its page, so that it can be tested.

import type { Answer } from "../../api";

/** As many as the server takes at once. */
const MARKED_MAX = 500;

/** Stops at the first part that fails: one that is marked twice is marked once, so that all of it is simply tried again. */
export async function inParts(ids: readonly string[], mark: (part: string[]) => Promise<Answer<unknown>>): Promise<Answer<unknown>> {
  let answer: Answer<unknown> = { kind: "done", value: undefined };
  for (let from = 0; from < ids.length && answer.kind === "done"; from += MARKED_MAX) answer = await mark(ids.slice(from, from + MARKED_MAX));
  return answer;
}

/** Those that an undo gives back: the others were kept before. */
export function newlyKept(ids: readonly string[], before: readonly string[]): string[] {
  const kept = new Set(before);
  return ids.filter((id) => !kept.has(id));
}
