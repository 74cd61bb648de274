// The people of a class as a list that can be changed and sent again, and what they need as chips.

import { sentText, type RosterColumn } from "../roster/paste";
import type { Needs } from "../sittings/chips";
import type { ClassPerson } from "./shapes";

const COLUMNS = ["email", "externalId", "name", "factor", "extraMinutes", "note"] as const satisfies readonly RosterColumn[];

/** A person with the key of their row. */
export type KeyedPerson = ClassPerson & { key: string };

/** A table with headings as people paste it. Columns that say nothing of anybody are left out. */
export function classList(people: ClassPerson[]): string {
  const columns = COLUMNS.filter((column) => people.some((person) => cellOf(person, column) !== ""));
  return sentText({ columns: [...columns], rows: people.map((person) => columns.map((column) => cellOf(person, column))) });
}

function cellOf(person: ClassPerson, column: (typeof COLUMNS)[number]): string {
  return String(person[column] ?? "");
}

export function needsOf({ factor, extraMinutes, note }: ClassPerson): Needs {
  return { factor: factor ?? 100, extraMinutes: extraMinutes ?? 0, startsAt: null, endsAt: null, note: note ?? null };
}

export function foundPerson({ name, email, externalId }: ClassPerson): string {
  return [name, email, externalId].join(" ");
}
