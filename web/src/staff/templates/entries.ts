// What the fields for numbers of questions hold while somebody types.

import { total } from "./shapes";

/** What a field for a number holds; nothing while it is empty. */
export type NumberEntry = number | null | undefined;

export const QUESTIONS_MAX = 200;

/** An empty field is none; what is no number of questions is none too, and a fault. */
export function countsIn(entries: readonly NumberEntry[]): number[] {
  return entries.map((entry) => (isCount(entry) ? (entry ?? 0) : 0));
}

export function isCount(entry: NumberEntry): boolean {
  return entry === null || entry === undefined || (Number.isInteger(entry) && entry >= 0);
}

export function listFault(entries: readonly NumberEntry[]): "range" | "number" | undefined {
  if (!entries.every(isCount)) return "number";
  const questions = total(countsIn(entries));
  return questions < 1 || questions > QUESTIONS_MAX ? "range" : undefined;
}
