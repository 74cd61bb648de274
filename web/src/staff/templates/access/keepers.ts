// For which sittings the link of a template is closed: from their plan on until their results are released.

import type { AgendaEntry } from "../../agenda";

export function keepersOf(templateId: string, agenda: readonly AgendaEntry[]): AgendaEntry[] {
  return agenda.filter(({ managed }) => managed?.templateId === templateId && managed.releasedAt === null);
}
