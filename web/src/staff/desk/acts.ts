// Gives an order to one student, to several or to everyone, and says what came of it, with a way back where there is one.

import type { Answer } from "../api";
import { now } from "../serverClock";
import { complain, offerUndo, tell } from "../undo.svelte";
import type { Desk } from "./desk.svelte";
import type { Order } from "./frames";
import { giveEach, wayBack, type Sum } from "./orders";
import type { Row } from "./row";
import { isWholeRoom, marksFor, ordersFor, reached, type Mark, type TimeOrder } from "./selection";
import { deskTexts } from "./texts/texts.svelte";

export interface More {
  minutes?: number;
  text?: string;
}

/** Orders about time, to those of these rows whom they reach. */
export async function order(desk: Desk, type: TimeOrder, rows: Row[], more: More = {}): Promise<void> {
  const whom = reached(asTheyAre(desk, rows), type);
  const ids = whom.flatMap(({ sessionId }) => sessionId ?? []);
  const texts = deskTexts();
  const sign = JSON.stringify([type, more.minutes, more.text, [...ids].sort()]);
  const taken = desk.repeats.take(sign);
  if (taken === "again") tell(texts.givenAlready);
  if (taken !== "new") return;
  // An order for the room reaches whoever is in it when it arrives. It stands for these only while the desk knows who that is, and
  // what can't be taken back is given to each by name.
  const isEveryone = type !== "finish" && desk.isTrusted && desk.ordersWaiting === 0 && isWholeRoom(whom, desk.roster.rows.values(), desk.isSitting);
  const orders = ordersFor(type, whom, isEveryone, more);
  const sum = await giveEach((one) => desk.give(one), orders);
  desk.repeats.answered(sign);
  const done: Record<TimeOrder, string> = {
    extend: texts.extendDone(sum.done, more.minutes ?? 0),
    pause: texts.pauseDone(sum.done),
    unpause: texts.unpauseDone(sum.done),
    finish: texts.finishDone(sum.done),
    notice: texts.noticeDone(sum.done),
  };
  say(desk, sum, done[type], orders.length, wayBack(sum.carriedOut, ids));
}

/** Marks, and letting in late. A mark can be taken back only if there was another one before: there is no order for "unmarked". */
export async function mark(desk: Desk, type: Mark, rows: Row[]): Promise<void> {
  const whom = reached(asTheyAre(desk, rows), type);
  const orders = marksFor(type, whom);
  const haveMarks = whom.every(({ attendance, candidateId }) => attendance !== undefined || (candidateId !== undefined && desk.marked.has(candidateId)));
  const sum = await giveEach((one) => desk.give(one), orders);
  for (const order of sum.carriedOut) if (order.type === "present" || order.type === "absent") desk.marked.add(order.candidateId);
  const texts = deskTexts();
  const done = { present: texts.presentDone, absent: texts.absentDone, admit: texts.admitDone }[type](sum.done);
  say(desk, sum, done, orders.length, haveMarks ? wayBack(sum.carriedOut) : []);
}

/** A list may show rows of half a second ago. */
function asTheyAre(desk: Desk, rows: Row[]): Row[] {
  return rows.map((row) => desk.roster.rows.get(desk.roster.keyOf(row)) ?? row);
}

export async function begin(desk: Desk): Promise<void> {
  const sum = await giveEach((one) => desk.give(one), [{ type: "begin" }]);
  if (sum.refused.length === 0 && sum.abandoned === 0) desk.isBeginGiven = true;
  say(desk, sum, deskTexts().beginDone(sum.done), 1, []);
  void desk.readPlan();
}

export async function noteIncident(desk: Desk, row: Row | undefined, kind: string, text: string, by: string): Promise<boolean> {
  const candidateId = row?.candidateId;
  const outcome = await desk.give({ type: "incident", kind, text, ...(candidateId === undefined ? {} : { candidateId }) });
  if (outcome.kind === "done") {
    desk.noted({ at: new Date(now()).toISOString(), kind, text, by, room: desk.room ?? row?.room ?? null, candidateId: candidateId ?? null, candidate: row?.student ?? null });
    tell(deskTexts().incidentDone);
    return true;
  }
  complain(outcome.kind === "refused" ? deskTexts().allRefused(why(outcome)) : deskTexts().abandoned);
  return false;
}

/** `count` is of the orders given, and `back` takes back those that were carried out. */
function say(desk: Desk, sum: Sum, done: string, count: number, back: Order[]): void {
  const texts = deskTexts();
  const [first] = sum.refused;
  if (sum.abandoned > 0) complain(texts.abandoned);
  if (first !== undefined) complain(sum.done === 0 && sum.refused.length === count ? texts.allRefused(why(first)) : texts.someRefused(sum.refused.length, why(first)));
  if (sum.done === 0 && (first !== undefined || sum.abandoned > 0)) return;
  if (back.length === 0) return tell(done);
  offerUndo(done, () => takeBack(desk, back));
}

async function takeBack(desk: Desk, orders: Order[]): Promise<Answer<unknown>> {
  const { refused, abandoned } = await giveEach((one) => desk.give(one), orders);
  const [first] = refused;
  if (first !== undefined) return { kind: "refused", status: 409, error: first.error, body: first };
  return abandoned > 0 ? { kind: "unreachable" } : { kind: "done", value: undefined };
}

/** In the reader's language where the reason is known, else the server's own sentence. */
function why({ code, error }: { code: string; error: string }): string {
  const texts = deskTexts();
  const known: Record<string, string> = {
    unknown_session: texts.whyUnknownSession,
    unknown_candidate: texts.whyUnknownSession,
    already_submitted: texts.whySubmitted,
    sitting_ended: texts.whyEnded,
    forbidden: texts.whyForbidden,
  };
  return known[code] ?? error;
}
