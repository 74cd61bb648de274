// What the measured difficulty of a question says of its label, and of the years: nothing within two errors, and nothing of less than a label.

import type { MeasuredDifficulty, YearDifficulty } from "../../api/schema";

/** Within so many standard errors lie about 95 % of what chance alone does. */
const ERRORS = 2;
/** In labels: teachers have no finer ones. */
const DIFFERENCE_MIN = 1;

/** Whether a question is so much easier or harder than its label that chance does not explain it. */
export function isMislabelled(label: number, measured: MeasuredDifficulty | undefined): boolean {
  return measured !== undefined && isApart(measured.difficulty - label, measured.error);
}

/** From the year before to the last one with answers, if the question has become easier or harder; of the others in that time. */
export function driftOf({ years }: MeasuredDifficulty): { from: YearDifficulty; to: YearDifficulty } | undefined {
  const [from, to] = years.slice(-2);
  if (from === undefined || to === undefined) return undefined;
  return isApart(to.difficulty - from.difficulty, Math.hypot(from.error, to.error)) ? { from, to } : undefined;
}

function isApart(difference: number, error: number): boolean {
  return Math.abs(difference) >= DIFFERENCE_MIN && Math.abs(difference) > ERRORS * error;
}

/** A school year as it is written: 2025/26. */
export function schoolYear(year: number): string {
  return `${year}/${String((year + 1) % 100).padStart(2, "0")}`;
}

/** A measured difficulty with its error, such as `2 ± 0.3`. */
export function measuredText({ difficulty, error }: Pick<MeasuredDifficulty, "difficulty" | "error">, locale: string): string {
  // An error is never told as none.
  const shown = Math.max(0.1, error).toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return `${difficulty.toLocaleString(locale, { maximumFractionDigits: 1 })} ± ${shown}`;
}
