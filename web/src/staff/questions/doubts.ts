// What the figures of a question say against it: too hard, too easy, without discrimination, or a wrong answer that more gave than the key.

import { CHOICES } from "../../exam/protocol";
import type { Figures } from "./bank";

export type Doubt = { kind: "hard" | "easy" | "flat" } | { kind: "mistake"; choice: string };

/** Fewer tests say nothing: of twenty, one alone moves a share by five per cent. */
export const ATTEMPTS_MIN = 20;
const HARD_BELOW = 0.25;
const EASY_ABOVE = 0.97;
const FLAT_BELOW = 0.1;
/** The share of tests that may have been graded with another key. */
const OTHER_KEYS_MAX = 0.05;

export function hasEnough({ attempts }: Figures): boolean {
  return attempts >= ATTEMPTS_MIN;
}

/** The right answers by which tests were graded, if that of today is not the only one. */
export function otherKeys({ gradedBy = {}, wrong }: Figures, key: string): { choice: string; tests: number }[] {
  const known: readonly string[] = wrong === undefined ? CHOICES : Object.keys(gradedBy);
  const keys = known.flatMap((choice) => (gradedBy[choice] === undefined ? [] : [{ choice, tests: gradedBy[choice] }]));
  return keys.some(({ choice }) => choice !== key) ? keys : [];
}

/** Figures of tests that were graded with another key say nothing against the question of today. */
function isOfKey(figures: Figures, key: string): boolean {
  const others = otherKeys(figures, key).filter(({ choice }) => choice !== key);
  return others.reduce((sum, { tests }) => sum + tests, 0) <= OTHER_KEYS_MAX * figures.attempts;
}

/** None without figures, before enough students had the question, or if they are by another key than that of today. */
export function doubtsOf(figures: Figures | undefined, key: string): Doubt[] {
  if (figures === undefined || !hasEnough(figures) || !isOfKey(figures, key)) return [];
  const { pValue, discrimination } = figures;
  const mistake = mistakeOf(figures, key);
  return [
    ...(pValue < HARD_BELOW ? [{ kind: "hard" } as const] : []),
    ...(pValue > EASY_ABOVE ? [{ kind: "easy" } as const] : []),
    ...(discrimination !== null && discrimination < FLAT_BELOW ? [{ kind: "flat" } as const] : []),
    ...(mistake === undefined ? [] : [{ kind: "mistake", choice: mistake } as const]),
  ];
}

/** The wrong answer that most gave, if it was given more often than the key. */
function mistakeOf({ options, wrong, attempts, pValue }: Figures, key: string): string | undefined {
  if (wrong !== undefined) return wrong.find(({ count }) => count > pValue * attempts)?.text;
  const share = (choice: string) => options[choice] ?? 0;
  const [most] = CHOICES.filter((choice) => choice !== key).sort((one, other) => share(other) - share(one));
  return most !== undefined && share(most) > share(key) ? most : undefined;
}
