// Asks the server what it says on every page.

import type { PageStatus } from "../api/schema";
import { statusOf } from "./said";

/** Undefined if it does not answer, or something else does in its place. */
export async function askStatus(): Promise<PageStatus | undefined> {
  const answer = await fetch("/api/status", { headers: { Accept: "application/json" }, priority: "low", cache: "no-store" }).catch(() => undefined);
  return answer?.ok === true ? statusOf(await answer.json().catch(() => undefined)) : undefined;
}
