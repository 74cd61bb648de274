// What is loaded only when it is needed must be here before the network goes: the sheet, mathematics, and the pages themselves.

import type { Question } from "../../exam/question";
import { registerServiceWorker } from "../../offline/registration";

/** The first question goes first. */
const FETCH_AFTER_MS = 1_500;
/** A page that is never idle has waited long enough by then. */
const IDLE_MS = 2_000;

/** Fetches it all in a while, when the browser has nothing else to do; gives what calls that off. */
export function prefetch(questions: Record<string, Question>): () => void {
  const fetch = () => void fetchNow(questions);
  const whenIdle = () => ("requestIdleCallback" in window ? requestIdleCallback(fetch, { timeout: IDLE_MS }) : fetch());
  const timer = setTimeout(whenIdle, FETCH_AFTER_MS);
  return () => clearTimeout(timer);
}

/** Each of them is tried for itself; what could not be fetched is asked for again when it is needed. */
async function fetchNow(questions: Record<string, Question>): Promise<void> {
  const isMath = Object.values(questions).some(hasMath);
  await Promise.allSettled([import("../../drawing/Overlay.svelte"), ...(isMath ? [import("../../math/render")] : []), registerServiceWorker()]);
}

function hasMath({ question, options }: Question): boolean {
  return [question, ...options].some((text) => text.includes("$"));
}
