// A school's own mark of a result, reckoned as the server reckons it (docs/decisions/0086-marks.md): in whole
// hundredths, so that no rounding of the browser's numbers can make another mark than the one on paper.

import type { StaffResult, StaffResults } from "../api/schema";

/** How marks are made of results. */
export type MarkScale = NonNullable<StaffResults["markScale"]>;
export type NumberScale = Extract<MarkScale, { type: "numbers" }>;
export type LabelScale = Extract<MarkScale, { type: "labels" }>;
/** What a mark is made of: the share of right answers, that of the points, or the score. */
export type MarkBasis = MarkScale["basis"];
/** `text` has a decimal point, whatever the language. `passed` is missing without a pass mark. */
export type ResultMark = NonNullable<StaffResult["mark"]>;

/** The share of a result, as a fraction. */
export interface ResultShare {
  top: number;
  bottom: number;
}

/** What a result has of each basis. Nobody knows the points of some results from elsewhere. */
export interface MarkedResult {
  correctAnswers: number;
  totalQuestions: number;
  points?: ResultShare;
  score: number;
}

export const SCORE_LEAST = 200;
export const SCORE_MOST = 800;
/** The numbers to which marks are rounded. */
export const MARK_STEPS = [1, 0.5, 0.25, 0.1, 0.05, 0.01] as const;

export const hundredths = (value: number) => Math.round(value * 100);

/** The digits behind the decimal sign that marks of this step have. */
export function stepDecimals(step: number): number {
  const parts = hundredths(step);
  if (parts % 100 === 0) return 0;
  return parts % 10 === 0 ? 1 : 2;
}

/** The share by which a scale marks a result; undefined if nothing can be reckoned. */
export function shareOfResult({ basis }: Pick<MarkScale, "basis">, result: MarkedResult): ResultShare | undefined {
  const { correctAnswers, totalQuestions, points, score } = result;
  if (basis === "score") return { top: score - SCORE_LEAST, bottom: SCORE_MOST - SCORE_LEAST };
  const share = basis === "percent" ? { top: correctAnswers, bottom: totalQuestions } : points;
  return share === undefined || share.bottom === 0 ? undefined : share;
}

export function reckonedMark(scale: MarkScale, share: ResultShare): ResultMark {
  return scale.type === "numbers" ? numberMark(scale, share) : labelMark(scale, share);
}

/** Everything is counted towards the best mark, whether that is the highest number or the lowest. */
function numberMark({ worst, best, step, rounding, pass }: NumberScale, { top, bottom }: ResultShare): ResultMark {
  const towards = best > worst ? 1 : -1;
  const [least, most, by] = [towards * hundredths(worst), towards * hundredths(best), hundredths(step)];
  const [reached, unit] = [least * bottom + top * (most - least), by * bottom];
  const steps = { up: Math.ceil(reached / unit), down: Math.floor(reached / unit), nearest: Math.floor((2 * reached + unit) / (2 * unit)) };
  const mark = Math.min(most, Math.max(least, steps[rounding] * by));
  return { text: decimalText(towards * mark, stepDecimals(step)), ...(pass == null ? {} : { passed: mark >= towards * hundredths(pass) }) };
}

/** The hundredths as a number with so many digits behind its point. */
function decimalText(value: number, decimals: number): string {
  const [whole, parts] = [Math.floor(Math.abs(value) / 100), Math.abs(value) % 100];
  const digits = decimals === 0 ? "" : `.${String(parts).padStart(2, "0").slice(0, decimals)}`;
  return `${value < 0 ? "-" : ""}${whole}${digits}`;
}

function labelMark({ basis, labels, pass }: LabelScale, { top, bottom }: ResultShare): ResultMark {
  const reached = basis === "score" ? (SCORE_LEAST * bottom + (SCORE_MOST - SCORE_LEAST) * top) * 100 : top * 100 * 100;
  const found = labels.findIndex(({ from }) => reached >= hundredths(from) * bottom);
  const place = found < 0 ? labels.length - 1 : found;
  const least = labels.findIndex(({ label }) => label === pass);
  return { text: labels[place]?.label ?? "", ...(least < 0 ? {} : { passed: place <= least }) };
}

/** By which marks are sorted: the better the higher. Undefined for who has none, and for a word not of the scale. */
export function markRank(scale: MarkScale | null | undefined, mark: ResultMark | null | undefined): number | undefined {
  if (mark == null) return undefined;
  if (scale?.type === "labels") {
    const place = scale.labels.findIndex(({ label }) => label === mark.text);
    return place < 0 ? undefined : -place;
  }
  const number = Number(mark.text);
  if (Number.isNaN(number)) return undefined;
  return scale != null && scale.best < scale.worst ? -number : number;
}

/** Every mark that a scale can give, the best first; undefined if these are too many to be looked at one by one. */
export function possibleMarks(scale: MarkScale, most: number): string[] | undefined {
  if (scale.type === "labels") return scale.labels.map(({ label }) => label);
  const [worst, best, by] = [scale.worst, scale.best, scale.step].map(hundredths) as [number, number, number];
  const count = Math.floor(Math.abs(best - worst) / by) + 1;
  if (count > most) return undefined;
  const towards = best > worst ? -by : by;
  return Array.from({ length: count }, (_, index) => decimalText(best + index * towards, stepDecimals(scale.step)));
}
