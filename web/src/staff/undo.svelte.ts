// What the page tells at its foot: that something is done and can be undone for ten seconds, a passing message, or a complaint.

import { failure, type Answer } from "./api";
import { staffTexts } from "./texts/texts.svelte";

export interface StaffNotice {
  id: number;
  kind: "done" | "complaint";
  text: string;
  /** How often it was said while it was shown, if more than once. */
  times?: number;
  /** Of what is done to one thing after the other: which work it is, and to how many by now. */
  series?: { name: string; count: number };
  undo?: () => Promise<Answer<unknown>>;
  isUndoing?: boolean;
}

const UNDO_MS = 10_000;
const TOLD_MS = 6_000;
/** More would cover the page. What passes gives way first; what can still be undone stays for its ten seconds. */
const NOTICES_MAX = 3;

let notices = $state.raw<StaffNotice[]>([]);
/** What can be undone although its notice may have gone. */
const kept = new Map<number, { notice: Omit<StaffNotice, "id">; timer: ReturnType<typeof setTimeout> }>();
const timers = new Map<number, { timer: ReturnType<typeof setTimeout>; milliseconds: number }>();
let count = 0;

export function noticed(): StaffNotice[] {
  return notices;
}

/**
 * Says that something is done, with a button that undoes it; the keys for it do so for `keptMs`, also when the button has gone. Returns
 * how to say that there is nothing to undo any more.
 */
export function offerUndo(text: string, undo: () => Promise<Answer<unknown>>, keptMs = UNDO_MS): () => void {
  const id = add({ kind: "done", text, undo });
  passing(id, UNDO_MS);
  if (keptMs > UNDO_MS) kept.set(id, { notice: { kind: "done", text, undo }, timer: setTimeout(() => kept.delete(id), keptMs) });
  return () => {
    forget(id);
    notices = notices.map(({ undo, ...other }) => (other.id === id || undo === undefined ? other : { ...other, undo }));
  };
}

/**
 * Says what is done to one thing after the other in one message that is replaced, so that it covers no more than one: to how many by now,
 * and the last, which its button undoes. For ten seconds the keys undo the earlier ones too.
 */
export function offerUndoInSeries(name: string, said: (count: number) => string, undo: () => Promise<Answer<unknown>>): void {
  const before = notices.find(({ series, isUndoing }) => series?.name === name && isUndoing !== true);
  const inSeries = (before?.series?.count ?? 0) + 1;
  if (before !== undefined) dismiss(before.id);
  const id = add({ kind: "done", text: said(inSeries), undo, series: { name, count: inSeries } });
  passing(id, UNDO_MS);
  kept.set(id, { notice: { kind: "done", text: said(1), undo }, timer: setTimeout(() => kept.delete(id), UNDO_MS) });
}

/** Says something that need not be remembered. What is still shown is counted instead of said twice. */
export function tell(text: string): void {
  const same = notices.find((notice) => notice.kind === "done" && notice.text === text && notice.undo === undefined);
  if (same !== undefined) dismiss(same.id);
  passing(add({ kind: "done", text, ...(same === undefined ? {} : { times: (same.times ?? 1) + 1 }) }), TOLD_MS);
}

/** Says what went wrong, until the user dismisses it. */
export function complain(text: string): void {
  const same = notices.find((notice) => notice.kind === "complaint" && notice.text === text);
  if (same !== undefined) dismiss(same.id);
  add({ kind: "complaint", text });
}

export function dismiss(id: number): void {
  clearTimeout(timers.get(id)?.timer);
  timers.delete(id);
  notices = notices.filter((notice) => notice.id !== id);
}

/** Nothing goes away while the pointer or the focus is on it. */
export function hold(): void {
  for (const { timer } of timers.values()) clearTimeout(timer);
}

/** Each notice gets its whole time again. */
export function release(): void {
  for (const [id, { milliseconds }] of timers) passing(id, milliseconds);
}

/** Undoes what was done last, if it can be undone. Returns whether there was something. */
export function undoLast(): boolean {
  const last = notices.findLast(({ undo, isUndoing }) => undo !== undefined && isUndoing !== true);
  const [id, older] = [...kept].findLast(([id]) => !notices.some((notice) => notice.id === id)) ?? [];
  if (older !== undefined && id !== undefined && id > (last?.id ?? 0)) {
    forget(id);
    void undo({ ...older.notice, id: add(older.notice) });
    return true;
  }
  if (last === undefined) return false;
  void undo(last);
  return true;
}

function forget(id: number): void {
  clearTimeout(kept.get(id)?.timer);
  kept.delete(id);
}

export async function undo(notice: StaffNotice): Promise<void> {
  if (notice.undo === undefined) return;
  forget(notice.id);
  clearTimeout(timers.get(notice.id)?.timer);
  timers.delete(notice.id);
  notices = notices.map((other) => (other.id === notice.id ? { ...other, isUndoing: true } : other));
  const answer = await notice.undo();
  dismiss(notice.id);
  if (answer.kind === "done") tell(staffTexts().undone);
  else complain(failure(answer));
}

function add(notice: Omit<StaffNotice, "id">): number {
  const id = (count += 1);
  notices = [...notices, { ...notice, id }];
  for (let least = leastNeeded(); notices.length > NOTICES_MAX && least !== undefined; least = leastNeeded()) dismiss(least.id);
  return id;
}

/** What gives way to the latest notice. */
function leastNeeded(): StaffNotice | undefined {
  const older = notices.slice(0, -1).filter(({ undo }) => undo === undefined);
  return older.find(({ kind }) => kind === "done") ?? older[0];
}

function passing(id: number, milliseconds: number): void {
  clearTimeout(timers.get(id)?.timer);
  timers.set(id, { timer: setTimeout(() => dismiss(id), milliseconds), milliseconds });
}
