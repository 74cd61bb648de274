// What a desk asks for besides the rows: the plan of its sitting, as far as who watches may know it, and the name of a template.

import { get } from "../api";
import type { Incident } from "./incident";
import { managed, proctored, type WatchedSitting } from "./sitting";

/** Undefined if it can't be read now. Who is known not to manage it is not asked about as one who might. */
export async function readSitting(id: string, isManaged: boolean | undefined): Promise<WatchedSitting | undefined> {
  if (isManaged !== false) {
    const answer = await get("/api/admin/sittings/{id}", { id });
    if (answer.kind === "done") return managed(answer.value.sitting);
    if (answer.kind === "unreachable") return undefined;
  }
  const answer = await get("/api/sittings/proctored");
  const found = answer.kind === "done" ? answer.value.sittings.find((one) => one.id === id) : undefined;
  return found === undefined ? undefined : proctored(found);
}

/** Those of the room, and of the exam as a whole, with the school's own kinds; undefined if they can't be read now. */
export async function readIncidents(id: string, room: string | undefined): Promise<{ incidents: Incident[]; kinds: string[] } | undefined> {
  const answer = await get("/api/sittings/{id}/incidents", { id, room });
  return answer.kind === "done" ? answer.value : undefined;
}

/** While a sitting of it is open, a template is shown to those who manage it alone. Empty if it can't be read. */
export async function readTemplateName(id: string): Promise<string> {
  for (const path of ["/api/manager/test-templates/{id}", "/api/admin/test-templates/{id}", "/api/test-templates/{id}"] as const) {
    const answer = await get(path, { id });
    if (answer.kind === "done") return "template" in answer.value ? answer.value.template.name : answer.value.name;
  }
  return "";
}
