// One sentence that sums up who may sit a template, and what is shown of it.

import type { AccessDraft } from "./rules";
import type { RulesTexts } from "./texts/en";

/** `show` writes a moment. */
export function accessSentence({ who, classIds, attempts, opens, closes, code, answers, practice }: AccessDraft, words: RulesTexts, show: (ms: number) => string): string {
  const when = (ms: number | undefined) => (ms === undefined || Number.isNaN(ms) ? "" : show(ms));
  const [from, until] = [when(opens), when(closes)];
  const parts = [
    words.said[who](classIds.length),
    who === "anyone" || attempts == null ? words.saidAlways : words.saidTimes(attempts),
    ...(from === "" && until === "" ? [] : [from === "" ? words.saidUntil(until) : until === "" ? words.saidFrom(from) : words.saidBetween(from, until)]),
    ...(code.trim() === "" ? [] : [words.saidCode]),
  ];
  const shown = [words.saidAnswers[answers], ...(practice === true ? [words.saidPractice] : [])];
  return `${parts.join(", ")}; ${shown.join(words.saidAnd)}.`;
}
