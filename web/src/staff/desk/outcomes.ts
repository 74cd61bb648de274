// Says what came of orders: what is done, with a way back where there is one, what was refused, and who was left as they were.

import type { Answer } from "../api";
import { complain, offerUndo, tell } from "../undo.svelte";
import { SIGN_IN, type Desk } from "./desk.svelte";
import type { Order, Unchanged } from "./frames";
import { UNDO_WITHIN_MS, type LastOrder } from "./last_orders.svelte";
import { giveEach, type Sum } from "./orders";
import { whoAndWhy as unchangedByReason } from "../unchanged";
import { deskTexts } from "./texts/texts.svelte";

/** How what was done is taken back. */
export type Back =
  /** By these orders, which are the opposite. */
  | { kind: "orders"; orders: Order[] }
  /** The server takes the last order about time back from these, or the end of one: ids of sessions, or `*`. */
  | { kind: "last"; order: LastOrder; targets: string[] };

/** `count` is of the orders given. */
export function sayOutcome(desk: Desk, sum: Sum, done: string, count: number, back?: Back): void {
  const texts = deskTexts();
  const [first] = sum.refused;
  if (sum.abandoned > 0) complain(texts.abandoned);
  if (first !== undefined) complain(sum.done === 0 && sum.refused.length === count ? texts.allRefused(why(first)) : texts.someRefused(sum.refused.length, why(first)));
  if (sum.unchangedCount > 0) complain(texts.notChanged(unchangedSentence(sum)));
  if (sum.carriedOut.length === 0 && (first !== undefined || sum.abandoned > 0 || sum.unchangedCount > 0)) return;
  if (back === undefined) return tell(done);
  if (back.kind === "orders") return void offerUndo(done, () => given(desk, back.orders));
  const { order, targets } = back;
  // A test that has ended is reopened later, which says what that means.
  const keptMs = order.type === "finish" ? undefined : UNDO_WITHIN_MS;
  order.settled = offerUndo(done, () => takeBack(desk, targets, order), keptMs);
  desk.lastOrders.given(order, targets);
}

/** Takes the last order about time back from these targets; with `only`, from those for whom it is still that one. */
export async function takeBack(desk: Desk, targets: readonly string[], only?: LastOrder): Promise<Answer<unknown>> {
  const left = only === undefined ? targets : desk.lastOrders.left(only, targets);
  if (left.length === 0) return { kind: "refused", status: 409, error: deskTexts().whyOrderedSince, body: undefined };
  desk.lastOrders.undone(left);
  return given(desk, left.map((sessionId) => ({ type: "undo", sessionId })));
}

async function given(desk: Desk, orders: Order[]): Promise<Answer<unknown>> {
  const sum = await giveEach((one) => desk.give(one), orders);
  if (sum.unchangedCount > 0) complain(deskTexts().notChanged(unchangedSentence(sum)));
  const [first] = sum.refused;
  if (first !== undefined) return { kind: "refused", status: 409, error: why(first), body: first };
  return sum.abandoned > 0 ? { kind: "unreachable" } : { kind: "done", value: undefined };
}

/** Those whom the orders have left as they were, by the reason. */
export function unchangedSentence(sum: Pick<Sum, "unchanged" | "unchangedCount">): string {
  const texts = deskTexts();
  const whys: Partial<Record<Unchanged["reason"], string>> = {
    already_submitted: texts.whySubmitted,
    as_ordered: texts.whyAsOrdered,
    own_end: texts.whyOwnEnd,
    own_pause: texts.whyOwnPause,
    hall_pause: texts.whyHallPause,
  };
  return unchangedByReason(sum, { whys, nameless: texts.nameless, andMore: texts.andMore });
}

/** In the reader's language where the reason is known, else the server's own sentence. */
export function why({ code, error }: { code: string; error: string }): string {
  const texts = deskTexts();
  const known: Record<string, string> = {
    unknown_session: texts.whyUnknownSession,
    unknown_candidate: texts.whyUnknownSession,
    already_submitted: texts.whySubmitted,
    sitting_ended: texts.whyEnded,
    forbidden: texts.whyForbidden,
    too_little_time: texts.whyTooLittle,
    nothing_to_undo: texts.whyNothingToUndo,
    not_submitted: texts.whyNotEnded,
    released: texts.whyReleased,
    too_old: texts.whyTooOld,
    answers_seen: texts.whyAnswersSeen,
    late_accepted: texts.whyLateAccepted,
    [SIGN_IN]: texts.whySignedOut,
  };
  return known[code] ?? error;
}
