// Which candidates get which form of the paper. The server gives it by the seat, so that neighbours have different ones; where no
// seat tells neighbours apart, chance does, which may give two of them the same.

import type { Candidate } from "../shapes";

type Formed = Pick<Candidate, "form" | "formBy">;
type Seated = Formed & Pick<Candidate, "room" | "seat">;

export interface FormCount {
  letter: string;
  count: number;
}

/** How many get each form, by its letter; none if everybody gets the same paper. */
export function formCounts(candidates: Formed[]): FormCount[] {
  const counts = new Map<string, number>();
  for (const { form } of candidates) if (form !== undefined) counts.set(form, (counts.get(form) ?? 0) + 1);
  return [...counts].map(([letter, count]) => ({ letter, count })).sort((one, other) => (one.letter < other.letter ? -1 : 1));
}

/** Those whose form is left to chance, and could still be given by a seat. */
export function byChance(candidates: Formed[]): number {
  return candidates.filter(({ formBy }) => formBy === "chance").length;
}

/**
 * Whether all forms that seats give come from a single number, as in `7` or `Seat 7`. Such seats do not say who sits in front of
 * whom: only those in a line are sure to have different forms.
 */
export function areInOneLine(candidates: Seated[]): boolean {
  const seats = candidates.flatMap(({ formBy, seat }) => (formBy === "seat" ? [seat ?? ""] : []));
  return seats.length > 1 && seats.every((seat) => /^(?:\p{Alphabetic}{2,}[\s.:]+)?\d+$/u.test(seat.trim()));
}

/** How many have the seat of somebody else in their room, and with it the same form. */
export function onOneSeat(candidates: Seated[]): number {
  const seats = candidates.flatMap(({ formBy, room, seat }) => (formBy === "seat" ? [JSON.stringify([room, seat?.trim().toLowerCase()])] : []));
  const counts = new Map<string, number>();
  for (const seat of seats) counts.set(seat, (counts.get(seat) ?? 0) + 1);
  return seats.filter((seat) => (counts.get(seat) ?? 0) > 1).length;
}
