// One beat a second for everything that shows a time, so that ages and clocks change together and cost one timer.

import { createSubscriber } from "svelte/reactivity";

const TICK_MS = 1_000;

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, TICK_MS);
  return () => clearInterval(timer);
});

/** The clock of `performance`, read anew each second. */
export function second(): number {
  subscribe();
  return performance.now();
}
