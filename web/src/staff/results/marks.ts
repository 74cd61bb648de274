// How the marks of a group are spread: how many have which, how many have passed, and their mean.

import { mean } from "d3-array";
import { markRank, possibleMarks, type MarkScale, type ResultMark } from "../../marks/scale";
import { compareNumbers } from "./people";
import type { ResultRow } from "./answer";

export interface MarkCount {
  text: string;
  count: number;
  passed?: boolean;
}

export interface MarkSpread {
  /** The best first. */
  counts: MarkCount[];
  /** How many have a mark, and how many of one mark at most. */
  count: number;
  most: number;
  /** How many have passed; undefined without a pass mark. */
  passed: number | undefined;
  /** Of numbers. */
  mean: number | undefined;
}

/** Of a scale with more marks, only those are listed that somebody has. */
const LISTED_MAX = 21;

export function markSpreadOf(rows: ResultRow[], scale: MarkScale): MarkSpread {
  const marks = rows.flatMap(({ mark }) => mark ?? []);
  const found = new Map<string, MarkCount>();
  for (const { text, passed } of marks) found.set(text, { text, ...(passed === undefined ? {} : { passed }), count: (found.get(text)?.count ?? 0) + 1 });
  const listed = possibleMarks(scale, LISTED_MAX)?.map((text) => found.get(text) ?? { text, count: 0 });
  const occurring = [...found.values()].sort((one, other) => compareNumbers(markRank(scale, other), markRank(scale, one)));
  return {
    counts: listed ?? occurring,
    count: marks.length,
    most: Math.max(0, ...[...found.values()].map(({ count }) => count)),
    passed: scale.pass == null ? undefined : marks.filter(({ passed }) => passed === true).length,
    mean: scale.type === "numbers" ? mean(marks, ({ text }) => Number(text)) : undefined,
  };
}

/** The worst first, whoever has none before all of them. */
export function compareMarks(scale: MarkScale | null | undefined): (one: ResultRow, other: ResultRow) => number {
  const rank = (mark: ResultMark | undefined) => markRank(scale, mark);
  return (one, other) => compareNumbers(rank(one.mark), rank(other.mark));
}
