// Ends all devices of a student but the one at work.

import type { Desk } from "./desk.svelte";
import { why } from "./outcomes";
import type { Row } from "./row";
import { deskTexts } from "./texts/texts.svelte";

export type Ended =
  /** A candidate has a new access code. Others have none. */
  | { kind: "ended"; code: string | undefined }
  /** It is done, the answer got lost, and before its repeat another access code was made. */
  | { kind: "replaced" }
  | { kind: "refused"; why: string };

export async function endOtherDevices(desk: Pick<Desk, "give">, row: Row): Promise<Ended> {
  const { sessionId, candidateId } = row;
  if (sessionId === null) return { kind: "refused", why: deskTexts().allRefused(deskTexts().whyUnknownSession) };
  const outcome = await desk.give({ type: "only_this_device", sessionId });
  if (outcome.kind === "refused") return { kind: "refused", why: deskTexts().allRefused(why(outcome)) };
  if (outcome.kind !== "done") return { kind: "refused", why: deskTexts().abandoned };
  return outcome.code === undefined && candidateId !== undefined ? { kind: "replaced" } : { kind: "ended", code: outcome.code };
}
