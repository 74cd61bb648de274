// Venues, organizers, categories and tags as rows of a list and as fields of a form: one set of functions, since they differ only
// in their fields.

import { escaped, plainOf } from "./markup";
import type { EventStatus } from "./shapes";

export type RecordGroup = "venues" | "organizers" | "categories" | "tags";
export type RecordField = "name" | "address" | "zip" | "city" | "country" | "phone" | "website" | "email" | "parent" | "description";
export type Values = Partial<Record<RecordField, string>>;

export interface RecordRow {
  id: number;
  name: string;
  /** Categories and tags have none. */
  status?: EventStatus;
  /** Published events that have the category or the tag. */
  count?: number;
  values: Values;
}

/** What can be typed, apart from the name. */
export const RECORD_FIELDS: Record<RecordGroup, RecordField[]> = {
  venues: ["address", "zip", "city", "country", "phone", "website"],
  organizers: ["email", "phone", "website"],
  categories: ["parent", "description"],
  tags: ["description"],
};
const NAMES: Record<RecordGroup, string> = { venues: "venue", organizers: "organizer", categories: "name", tags: "name" };
/** What stands beside a name in the list. */
const SHOWN: Record<RecordGroup, RecordField[]> = {
  venues: ["address", "zip", "city", "country"],
  organizers: ["email", "phone"],
  categories: ["description"],
  tags: ["description"],
};

export function isTerm(group: RecordGroup): boolean {
  return group === "categories" || group === "tags";
}

export function rowOf(group: RecordGroup, view: Record<string, unknown>): RecordRow {
  const text = (name: string) => (view[name] === undefined || view[name] === null ? "" : String(view[name]));
  const values: Values = { name: plainOf(text(NAMES[group])) };
  for (const field of RECORD_FIELDS[group]) values[field] = field === "description" ? plainOf(text(field)) : text(field);
  if (values.parent === "0") values.parent = "";
  return {
    id: Number(view["id"]),
    name: values.name ?? "",
    values,
    ...(isTerm(group) ? { count: Number(view["count"] ?? 0) } : { status: view["status"] as EventStatus }),
  };
}

export function detailOf(group: RecordGroup, { values }: RecordRow): string {
  return SHOWN[group].map((field) => values[field] ?? "").filter((text) => text !== "").join(", ");
}

/** What must be sent so that the record has these values; without `before`, a new one. */
export function recordBody(group: RecordGroup, values: Values, before: Values = {}): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const field of ["name", ...RECORD_FIELDS[group]] as RecordField[]) {
    const value = (values[field] ?? "").trim();
    if (value === (before[field] ?? "").trim()) continue;
    if (field === "name") body[NAMES[group]] = escaped(value);
    else if (field === "parent") body["parent"] = Number(value);
    // An empty description is none that was sent, while a blank one becomes empty.
    else if (field === "description") body[field] = value === "" ? " " : escaped(value);
    else body[field] = value;
  }
  return body;
}

/** The categories that may stand above this one: not itself, and none below it. */
export function parentsOf(rows: RecordRow[], id: number | undefined): RecordRow[] {
  const parents = new Map(rows.map((row) => [row.id, Number(row.values.parent ?? 0)]));
  const isBelow = (row: RecordRow) => {
    const seen = new Set<number>();
    for (let at = row.id; at !== 0 && !seen.has(at); at = parents.get(at) ?? 0) {
      if (at === id) return true;
      seen.add(at);
    }
    return false;
  };
  return rows.filter((row) => id === undefined || !isBelow(row));
}
