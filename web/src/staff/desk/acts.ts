// Gives an order to one student, to several or to everyone, and says what came of it.

import { failure } from "../api";
import { now } from "../serverClock";
import { complain, tell } from "../undo.svelte";
import type { Desk } from "./desk.svelte";
import { EVERYONE, type Order } from "./frames";
import { giveEach, wayBack } from "./orders";
import type { Offer } from "./outages";
import { sayOutcome, takeBack, why, type Back } from "./outcomes";
import type { ReversalKind } from "./reversals.svelte";
import type { Row } from "./row";
import { isWholeRoom, marksFor, ordersFor, reached, type Mark, type TimeOrder } from "./selection";
import { deskTexts } from "./texts/texts.svelte";

export interface More {
  /** Below 0 they are taken back. */
  minutes?: number;
  text?: string;
}

/** Orders about time, to those of these rows whom they reach, each for themselves. */
export async function order(desk: Desk, type: TimeOrder, rows: Row[], more: More = {}): Promise<void> {
  const whom = reached(asTheyAre(desk, rows), type);
  const ids = whom.flatMap(({ sessionId }) => sessionId ?? []);
  const keys = keysOf(desk, whom);
  if (desk.reversals.isDeaf(type, keys)) return;
  const texts = deskTexts();
  const sign = JSON.stringify([type, more.minutes, more.text, [...ids].sort()]);
  if (!isNew(desk, sign)) return;
  // A message for the room reaches whoever is in it when it arrives. It stands for these only while the desk knows who that is.
  const isEveryone = type === "notice" && desk.isTrusted && desk.ordersWaiting === 0 && isWholeRoom(whom, desk.roster.rows.values(), desk.isSitting);
  const orders = ordersFor(type, whom, isEveryone, more);
  desk.reversals.ordered(type, keys);
  const sum = await giveEach((one) => desk.give(one), orders);
  desk.repeats.answered(sign);
  desk.reversals.ordered(type, keys);
  const { minutes = 0 } = more;
  const done: Record<TimeOrder, string> = {
    extend: minutes < 0 ? texts.takenDone(sum.done, -minutes) : texts.extendDone(sum.done, minutes),
    pause: texts.pauseDone(sum.done),
    unpause: texts.unpauseDone(sum.done),
    finish: texts.finishDone(sum.done),
    notice: texts.noticeDone(sum.done),
  };
  const targets = sum.carriedOut.flatMap((one) => ("sessionId" in one ? [one.sessionId] : []));
  sayOutcome(desk, sum, done[type], orders.length, lastOf(type, minutes, targets));
}

/** An order for everyone who is there, and for whoever comes later. */
export async function orderEveryone(desk: Desk, type: "extend" | "pause" | "unpause", more: More = {}): Promise<void> {
  if (isDeafForAll(desk, type)) return;
  const { minutes = 0, text } = more;
  const sign = JSON.stringify([type, minutes, text, EVERYONE]);
  if (!isNew(desk, sign)) return;
  const given: Order = type === "extend" ? { type, sessionId: EVERYONE, minutes } : type === "pause" && text ? { type, sessionId: EVERYONE, text } : { type, sessionId: EVERYONE };
  desk.reversals.ordered(type, [EVERYONE]);
  const sum = await giveEach((one) => desk.give(one), [given]);
  desk.repeats.answered(sign);
  desk.reversals.ordered(type, [EVERYONE]);
  const texts = deskTexts();
  const done = {
    extend: minutes < 0 ? texts.takenAllDone(sum.done, -minutes) : texts.extendAllDone(sum.done, minutes),
    pause: texts.pauseAllDone(sum.done),
    unpause: texts.unpauseAllDone(sum.done),
  }[type];
  // It has changed how the room stands, also where it has found nobody.
  const isDone = sum.refused.length === 0 && sum.abandoned === 0;
  sayOutcome(desk, isDone ? { ...sum, carriedOut: [given] } : sum, done, 1, isDone ? lastOf(type, minutes, [EVERYONE]) : undefined);
}

/** Gives the time back in which the server was away: to everyone at once where they are all, else to each of them. */
export async function giveOutage(desk: Desk, { from, minutes, keys }: Offer): Promise<void> {
  desk.answered.add(from);
  const rows = keys.map((key) => desk.roster.rows.get(key)).filter((row) => row !== undefined);
  const all = [...desk.roster.rows.values()];
  const isEveryone = desk.isTrusted && isWholeRoom(rows, all, desk.isSitting) && !all.some(({ state }) => state === "expected");
  if (isEveryone) await orderEveryone(desk, "extend", { minutes });
  else await order(desk, "extend", rows, { minutes });
}

/** Takes the last order about time back, which this desk has given to this student, or to everyone. */
export async function undoLastOrder(desk: Desk, target: string, keys: string[]): Promise<void> {
  if (desk.reversals.isDeaf("undo", keys)) return;
  const answer = await takeBack(desk, [target]);
  if (answer.kind === "done") tell(deskTexts().undone);
  else complain(answer.kind === "refused" ? deskTexts().allRefused(answer.error) : failure(answer));
}

function lastOf(type: TimeOrder, minutes: number, targets: string[]): Back | undefined {
  if (type === "notice" || targets.length === 0) return undefined;
  // An end is taken back for one student at a time.
  if (type === "finish" && targets.length > 1) return undefined;
  return { kind: "last", order: type === "extend" ? { type, minutes } : { type }, targets };
}

/** Whether this order was not given a moment ago; who gives it again is told so. */
function isNew(desk: Desk, sign: string): boolean {
  const taken = desk.repeats.take(sign);
  if (taken === "again") tell(deskTexts().givenAlready);
  return taken === "new";
}

/** Marks, and letting in late. A mark can be taken back only if there was another one before: there is no order for "unmarked". */
export async function mark(desk: Desk, type: Mark, rows: Row[]): Promise<void> {
  const whom = reached(asTheyAre(desk, rows), type);
  const keys = keysOf(desk, whom);
  if (whom.length === 0 || desk.reversals.isDeaf(type, keys)) return;
  const orders = marksFor(type, whom);
  const haveMarks = whom.every(({ attendance, candidateId }) => attendance !== undefined || (candidateId !== undefined && desk.marked.has(candidateId)));
  desk.reversals.ordered(type, keys);
  const sum = await giveEach((one) => desk.give(one), orders);
  desk.reversals.ordered(type, keys);
  for (const order of sum.carriedOut) if (order.type === "present" || order.type === "absent") desk.marked.add(order.candidateId);
  const texts = deskTexts();
  const done = { present: texts.presentDone, absent: texts.absentDone, admit: texts.admitDone }[type](sum.done);
  const back = haveMarks ? wayBack(sum.carriedOut) : [];
  sayOutcome(desk, sum, done, orders.length, back.length === 0 ? undefined : { kind: "orders", orders: back });
}

/** Whether a button for this would be deaf: it would undo what was ordered a moment ago. */
export function isDeaf(desk: Desk, kind: ReversalKind, rows: Row[]): boolean {
  return desk.reversals.isDeaf(kind, keysOf(desk, rows));
}

export function isDeafForAll(desk: Desk, kind: ReversalKind): boolean {
  return desk.reversals.isDeaf(kind, [EVERYONE]);
}

function keysOf(desk: Desk, rows: Row[]): string[] {
  return rows.map((row) => desk.roster.keyOf(row));
}

/** A list may show rows of half a second ago. */
function asTheyAre(desk: Desk, rows: Row[]): Row[] {
  return rows.map((row) => desk.roster.rows.get(desk.roster.keyOf(row)) ?? row);
}

export async function begin(desk: Desk): Promise<void> {
  const sum = await giveEach((one) => desk.give(one), [{ type: "begin" }]);
  if (sum.refused.length === 0 && sum.abandoned === 0) desk.isBeginGiven = true;
  sayOutcome(desk, sum, deskTexts().beginDone(sum.done), 1);
  void desk.readPlan();
}

export async function noteIncident(desk: Desk, row: Row | undefined, kind: string, text: string, by: string): Promise<boolean> {
  const candidateId = row?.candidateId;
  const outcome = await desk.give({ type: "incident", kind, text, ...(candidateId === undefined ? {} : { candidateId }) });
  if (outcome.kind === "done") {
    desk.notes.add({ at: new Date(now()).toISOString(), kind, text, by, room: desk.room ?? row?.room ?? null, candidateId: candidateId ?? null, candidate: row?.student ?? null });
    tell(deskTexts().incidentDone);
    return true;
  }
  complain(outcome.kind === "refused" ? deskTexts().allRefused(why(outcome)) : deskTexts().abandoned);
  return false;
}
