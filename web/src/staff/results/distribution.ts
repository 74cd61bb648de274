// How the results of a group are spread: bins for the histogram, mean and median.

import { bin, max, mean, median } from "d3-array";
import type { ResultRow } from "./answer";

/** By what results are compared: the percentage of right answers, or the score, in which hard questions count more. */
export type Measure = "right" | "score";

/** Where a scale begins and ends, and how wide one bar of the histogram is. */
export const SCALES: Record<Measure, { least: number; most: number; step: number }> = {
  right: { least: 0, most: 100, step: 10 },
  score: { least: 200, most: 800, step: 50 },
};

/** From `from` to below `to`; the last bin has its end too. */
export interface Bin {
  from: number;
  to: number;
  count: number;
}

export interface Distribution {
  bins: Bin[];
  /** How many results there are. */
  count: number;
  /** The highest bar. */
  most: number;
  mean: number | undefined;
  median: number | undefined;
}

/** The value of a result on this scale; undefined for someone without one. */
export function valueOf(row: ResultRow, measure: Measure): number | undefined {
  if (measure === "score") return row.score ?? undefined;
  return row.right === null || row.questions === null || row.questions === 0 ? undefined : (100 * row.right) / row.questions;
}

export function distributionOf(rows: ResultRow[], measure: Measure): Distribution {
  const { least, most, step } = SCALES[measure];
  const values = rows.map((row) => valueOf(row, measure)).filter((value) => value !== undefined);
  const thresholds = Array.from({ length: (most - least) / step - 1 }, (_, index) => least + (index + 1) * step);
  const groups = bin().domain([least, most]).thresholds(thresholds)(values);
  const bins = groups.map(({ length }, index) => ({ from: least + index * step, to: least + (index + 1) * step, count: length }));
  return { bins, count: values.length, most: max(bins, ({ count }) => count) ?? 0, mean: mean(values), median: median(values) };
}
