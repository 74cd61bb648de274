// What several pages of sittings need and that rarely changes: the templates of the caller, and whom to offer as proctors.

import type { OfferedProctor } from "../../api/schema";
import { get, type Answer } from "../api";
import { PROCTORS } from "./proctors";
import { TEMPLATE_CHOICES, type TemplateChoice } from "./shapes";

let known = $state.raw<Map<string, TemplateChoice>>(new Map());
let isRead = $state(false);

/** By id, in the server's order. Empty until they are read. */
export function templates(): Map<string, TemplateChoice> {
  return known;
}

export function hasTemplates(): boolean {
  return isRead;
}

export async function readTemplates(): Promise<Answer<unknown>> {
  const answer = await get(TEMPLATE_CHOICES);
  if (answer.kind === "done") {
    known = new Map(answer.value.templates.map((template) => [template.id, template]));
    isRead = true;
  }
  return answer;
}

let offered = $state.raw<OfferedProctor[]>([]);
let isOfferAsked = false;

/** By address. Empty until they are read. */
export function proctorsToOffer(): OfferedProctor[] {
  return offered;
}

/** Once: a colleague who is new since then can be typed in full. */
export async function readProctors(): Promise<void> {
  if (isOfferAsked) return;
  isOfferAsked = true;
  const answer = await get(PROCTORS);
  if (answer.kind === "done") offered = answer.value.people;
  else isOfferAsked = false;
}
