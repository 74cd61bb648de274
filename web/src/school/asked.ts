// Asks the server for the school. Separate from what shows it, since no page waits for this.

import { accentOf, type Accent } from "./colours";
import { schoolOf, type School } from "./school";

/** The school with the accent that its colour gives to the pages, if it gives one. */
export interface ShownSchool extends School {
  accent: Accent | undefined;
}

/** What the server says: the school, or that nobody has named it; undefined if it says nothing. */
export async function askSchool(known: readonly string[], cache: RequestCache = "default"): Promise<{ school: ShownSchool | undefined } | undefined> {
  const answer = await fetch("/api/school", { headers: { Accept: "application/json" }, priority: "low", cache }).catch(() => undefined);
  const said: unknown = answer?.ok === true ? await answer.json().catch(() => undefined) : undefined;
  // A portal in the server's place says something else.
  if (typeof said !== "object" || said === null || !("name" in said)) return undefined;
  const school = schoolOf(said, known);
  return { school: school === undefined ? undefined : { ...school, accent: accentOf(school.colour) } };
}
