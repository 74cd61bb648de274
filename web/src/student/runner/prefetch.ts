// Loads ahead what would otherwise be loaded on demand, since the network may be gone by then: the sheet, mathematics, and
// the pages themselves.

import type { Question } from "../../exam/question";
import { registerServiceWorker } from "../../offline/registration";

/** The first question must not wait for this. */
const FETCH_AFTER_MS = 1_500;
/** A page that is never idle begins after this time all the same. */
const IDLE_MS = 2_000;

/** Loads everything a little later, when the browser is idle. Returns what cancels that. */
export function prefetch(questions: Record<string, Question>): () => void {
  const fetch = () => void fetchNow(questions);
  const whenIdle = () => ("requestIdleCallback" in window ? requestIdleCallback(fetch, { timeout: IDLE_MS }) : fetch());
  const timer = setTimeout(whenIdle, FETCH_AFTER_MS);
  return () => clearTimeout(timer);
}

/** Each part may fail on its own; it is then loaded on demand. */
async function fetchNow(questions: Record<string, Question>): Promise<void> {
  const isMath = Object.values(questions).some(hasMath);
  await Promise.allSettled([import("../../drawing/Overlay.svelte"), ...(isMath ? [import("../../math/render")] : []), registerServiceWorker()]);
}

function hasMath({ question, options }: Question): boolean {
  return [question, ...options].some((text) => text.includes("$"));
}
