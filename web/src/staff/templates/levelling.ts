// Draws the five lists after stage 1 together until no edge between them costs more than chance does, so that nobody need do it by trial.

import { trapsOf, type PaperMix } from "./fairness";
import { total, type DifficultyCounts } from "./shapes";
import { SLIGHT_DROP } from "./verdict";

/** In how many steps the lists meet in the middle one. */
const STEPS = 20;

/** The lists with as much of their difference as is fair. In the last step all are the same, which always is. */
export function levelled({ first, second }: PaperMix): number[][] {
  const middle = second[Math.floor(second.length / 2)] ?? [];
  for (let step = 0; step < STEPS; step += 1) {
    const lists = second.map((counts) => between(counts, middle, step / STEPS));
    if (trapsOf({ first, second: lists }).every(({ drop }) => drop < SLIGHT_DROP)) return lists;
  }
  return second.map(() => [...middle]);
}

/** This share of the way from one list to another that is as long, in whole questions. */
function between(from: DifficultyCounts, to: DifficultyCounts, share: number): number[] {
  const exact = from.map((count, index) => count + ((to[index] ?? 0) - count) * share);
  const whole = exact.map(Math.floor);
  const rest = (index: number) => (exact[index] ?? 0) - (whole[index] ?? 0);
  const byRest = whole.map((_, index) => index).sort((one, other) => rest(other) - rest(one) || one - other);
  for (const index of byRest.slice(0, Math.max(0, total(from) - total(whole)))) whole[index] = (whole[index] ?? 0) + 1;
  return whole;
}
