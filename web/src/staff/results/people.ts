// Which rows of people are shown and in which order: names as Vietnamese schools sort and search them.

import { compareTexts } from "../order";
import { folded, wordsOf } from "../search";
import { keyOf, studentName, type ResultRow } from "./answer";
import { SCALES, valueOf, type Measure } from "./distribution";

export interface ResultFilters {
  search: string;
  /** Empty for all of them, like the state. */
  room: string;
  state: string;
  measure: Measure;
  /** Bounds of the scale; undefined if there is none. */
  least: number | undefined;
  most: number | undefined;
  /** As the server writes it; empty for all of them. */
  mark: string;
}

/** People without a value come before those with the lowest. */
export function compareNumbers(one: number | null | undefined, other: number | null | undefined): number {
  return (one ?? -Infinity) === (other ?? -Infinity) ? 0 : (one ?? -Infinity) - (other ?? -Infinity);
}

/** What is searched of each row, since a letter that is typed must not fold five thousand names again. */
const searched = new WeakMap<ResultRow, string>();

function searchedOf(row: ResultRow): string {
  const known = searched.get(row) ?? folded([studentName(row), row.account, row.room, row.seat].join(" "));
  searched.set(row, known);
  return known;
}

/** The rows that fit, in their order. */
export function filteredResults(rows: ResultRow[], filters: ResultFilters): ResultRow[] {
  const words = wordsOf(filters.search);
  return rows.filter((row) => {
    if (filters.room !== "" && row.room !== filters.room) return false;
    if (filters.state !== "" && row.state !== filters.state) return false;
    if (filters.mark !== "" && row.mark?.text !== filters.mark) return false;
    if (!isWithin(row, filters)) return false;
    return words.every((word) => searchedOf(row).includes(word));
  });
}

/** The upper bound is left out, as in a bar of the histogram, unless it is the end of the scale. */
function isWithin(row: ResultRow, { measure, least, most }: ResultFilters): boolean {
  if (least === undefined && most === undefined) return true;
  const value = valueOf(row, measure);
  if (value === undefined) return false;
  return value >= (least ?? -Infinity) && (most === undefined || value < most || (value === most && most === SCALES[measure].most));
}

/** The rooms and the states that occur, for the choices of the filters. */
export function choicesOf(rows: ResultRow[]): { rooms: string[]; states: ResultRow["state"][] } {
  const rooms = new Set(rows.map(({ room }) => room).filter((room) => room !== null));
  return { rooms: [...rooms].sort(compareTexts), states: [...new Set(rows.map(({ state }) => state))] };
}

/** The best first, those who are equal by name. */
export function byScore(rows: ResultRow[]): ResultRow[] {
  return [...rows].sort((one, other) => compareNumbers(other.score, one.score) || compareNumbers(other.right, one.right) || byNameThenKey(one, other));
}

/** Those with the largest share of right answers first: it follows what they can better than the score, in which one guessed hard question counts five. */
export function byRight(rows: ResultRow[]): ResultRow[] {
  const share = ({ right, questions }: ResultRow) => (right === null || !questions ? undefined : right / questions);
  return [...rows].sort((one, other) => compareNumbers(share(other), share(one)) || compareNumbers(other.score, one.score) || byNameThenKey(one, other));
}

export function sortedByName(rows: ResultRow[]): ResultRow[] {
  return [...rows].sort(byNameThenKey);
}

export function compareNames(one: ResultRow, other: ResultRow): number {
  return compareTexts(studentName(one), studentName(other));
}

function byNameThenKey(one: ResultRow, other: ResultRow): number {
  return compareNames(one, other) || compareTexts(keyOf(one), keyOf(other));
}
