// Which candidates get which form of the paper. The server gives it by the seat, so that neighbours have different ones; where no
// seat tells neighbours apart, chance does, which may give two of them the same.

import type { Candidate } from "./shapes";

type Seated = Pick<Candidate, "seat" | "sessionId"> & { form?: string | undefined };

export interface FormCount {
  letter: string;
  count: number;
}

/** Whether a seat tells neighbours apart, as the server reads it: by a number, by a single letter, or by two as in sheets. */
export function tellsNeighbours(seat: string | null): boolean {
  const words: string[] = seat?.match(/\p{Alphabetic}+/gu) ?? [];
  return /[0-9]/.test(seat ?? "") || words.some((word) => /^(?:.|[A-Z]{2})$/u.test(word));
}

/** How many get each form, by its letter; none if everybody gets the same paper. */
export function formCounts(candidates: Seated[]): FormCount[] {
  const counts = new Map<string, number>();
  for (const { form } of candidates) if (form !== undefined) counts.set(form, (counts.get(form) ?? 0) + 1);
  return [...counts].map(([letter, count]) => ({ letter, count })).sort((one, other) => (one.letter < other.letter ? -1 : 1));
}

/** Those whose form is left to chance, and could still be given by a seat. */
export function byChance(candidates: Seated[]): number {
  return candidates.filter(({ form, seat, sessionId }) => form !== undefined && sessionId === null && !tellsNeighbours(seat)).length;
}

/** Where the form of a candidate comes from: entering fixes it, whatever becomes of the seat. */
export function formSource({ seat, sessionId }: Seated): "entered" | "seat" | "chance" {
  if (sessionId !== null) return "entered";
  return tellsNeighbours(seat) ? "seat" : "chance";
}
