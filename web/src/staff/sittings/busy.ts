// When the people of a sitting are likely to sit another one: the proposals for a make-up and for the next week keep clear of it.

import { agenda } from "../agenda.svelte";
import { templates } from "./reading.svelte";
import type { Sitting } from "./shapes";
import type { Busy } from "./weeks";

/** What is planned for one of its grades. Who is on which roster only the server knows; it says so once the sitting is planned. */
export function busyWith({ templateId }: Pick<Sitting, "templateId">): Busy[] {
  const grades = templates().get(templateId)?.grades ?? [];
  const concerns = (id: string) => templates().get(id)?.grades.some((grade) => grades.includes(grade)) ?? false;
  return agenda().flatMap(({ state, startsAt, managed }) =>
    managed !== undefined && state !== "ended" && concerns(managed.templateId) ? [{ startMs: Date.parse(startsAt), minutes: managed.minutes ?? 0 }] : [],
  );
}
