// Ends all devices of a student but the one that is connected.

import type { Desk } from "./desk.svelte";
import { why } from "./outcomes";
import type { Row } from "./row";
import { deskTexts } from "./texts/texts.svelte";

export type Ended =
  /** A candidate has a new access code, which is told in this one answer. Others have none. */
  | { kind: "ended"; code: string | undefined }
  /** It is done, and the answer with the code got lost: the repeat of the order is answered without it. */
  | { kind: "lost" }
  | { kind: "refused"; why: string };

export async function endOtherDevices(desk: Pick<Desk, "give">, row: Row): Promise<Ended> {
  const { sessionId, candidateId } = row;
  if (sessionId === null) return { kind: "refused", why: deskTexts().allRefused(deskTexts().whyUnknownSession) };
  const outcome = await desk.give({ type: "only_this_device", sessionId });
  if (outcome.kind === "refused") return { kind: "refused", why: deskTexts().allRefused(why(outcome)) };
  if (outcome.kind !== "done") return { kind: "refused", why: deskTexts().abandoned };
  return outcome.code === undefined && candidateId !== undefined ? { kind: "lost" } : { kind: "ended", code: outcome.code };
}
