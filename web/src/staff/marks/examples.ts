// Example results with the marks that a scale makes of them, so that whoever chooses it sees what students will get.

import { reckonedMark, SCORE_LEAST, SCORE_MOST, type ResultMark, type MarkScale } from "../../marks/scale";

export interface ExampleMark {
  /** Per cent, or the score. */
  result: number;
  mark: ResultMark;
}

/** Enough to see where the pass mark lies, few enough to be read at a glance. */
const PER_CENT = [100, 90, 80, 70, 60, 50, 40, 30, 20, 0];

export function exampleMarks(scale: MarkScale): ExampleMark[] {
  return PER_CENT.map((share) => {
    const result = scale.basis === "score" ? SCORE_LEAST + (share * (SCORE_MOST - SCORE_LEAST)) / 100 : share;
    return { result, mark: reckonedMark(scale, { top: share, bottom: 100 }) };
  });
}
