// How many questions templates have, which their list does not say: read one after the other, for the rows in view alone.

import { SvelteMap } from "svelte/reactivity";
import { get } from "../api";
import { lengthOf } from "./lists";
import type { TemplateSummary } from "./shapes";

const known = new SvelteMap<string, number>();
const waiting = new Map<string, string>();
let isReading = false;

/** A template that has changed has another key. */
const keyOf = ({ id, updatedAt }: TemplateSummary) => `${id} ${updatedAt}`;

export function bankQuestionCount(template: TemplateSummary): number | undefined {
  return known.get(keyOf(template));
}

/** Reads the count soon, unless it is known. Returns how to do without it, for a row that has gone out of view. */
export function wantCount(template: TemplateSummary): () => void {
  const key = keyOf(template);
  if (known.has(key)) return () => {};
  waiting.set(key, template.id);
  void readWaiting();
  return () => void waiting.delete(key);
}

async function readWaiting(): Promise<void> {
  if (isReading) return;
  isReading = true;
  for (let next = first(); next !== undefined; next = first()) {
    const [key, id] = next;
    waiting.delete(key);
    const answer = await get("/api/manager/test-templates/{id}", { id });
    if (answer.kind === "done") known.set(key, lengthOf(answer.value.template));
  }
  isReading = false;
}

function first(): [string, string] | undefined {
  for (const entry of waiting) return entry;
  return undefined;
}
