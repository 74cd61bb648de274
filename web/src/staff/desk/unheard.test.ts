import { expect, test } from "vitest";
import { attentions, reasonsOf } from "./attention";
import { Roster } from "./roster";
import { byCandidate, type Row } from "./row";
import { candidateRow, deskRow } from "./testing/rows";
import en from "./texts/en";
import vi from "./texts/vi";
import { isGone, Unheard } from "./unheard.svelte";

const NINE = Date.parse("2026-01-05T09:00:00.000Z");
const at = (seconds: number) => new Date(NINE + seconds * 1_000).toISOString();

let desks = 0;

/** A desk that has seen these rows of one candidate one after the other, each a second after the one before. */
function after(...changes: Partial<Row>[]): Unheard {
  const unheard = new Unheard(`desk ${(desks += 1)}`);
  const roster = new Roster(byCandidate, () => {}, unheard);
  changes.forEach((change, second) => {
    roster.change([candidateRow("1", { lastSeenAt: at(0), ...change })], [], at(second));
    roster.apply();
  });
  return unheard;
}

const gone: Partial<Row> = { connected: false };
const ended: Partial<Row> = { connected: false, state: "submitted" };

test("whose device had no connection at the end is remembered until it comes back, or somebody has looked", () => {
  expect(after({}, gone, ended).keys).toEqual(["1"]);
  expect(after({}, ended).keys, "the end closes the connection of everyone").toEqual([]);
  expect(after({}, gone, {}, ended).keys, "it had come back before").toEqual([]);
  expect(after({}, gone, { ...gone, lastSeenAt: at(5) }, { ...ended, lastSeenAt: at(5) }).keys, "works over HTTPS").toEqual([]);
  const late = { changes: 2, lateMs: 60_000, lastAt: at(60), offlineSince: at(0), accepted: 0, declined: 0 };
  expect(after({}, gone, ended, { ...ended, late }).keys, "its work has come").toEqual([]);
  expect(after({}, gone, ended, { ...ended, lastSeenAt: at(60) }).keys, "it has come back with nothing").toEqual([]);
  expect(after({}, gone, ended, { state: "active" }).keys, "reopened").toEqual([]);
  expect(after({}, gone, ended, { ...ended, late: { ...late, changes: 0 } }).keys, "visits alone are no answers").toEqual(["1"]);
  const looked = after({}, gone, ended);
  looked.settle("1");
  expect(looked.size).toBe(0);
});

test("who is offline at the second end of a reopened test is remembered, whatever has come after the first", () => {
  const late = { changes: 2, lateMs: 1_000, lastAt: at(3), offlineSince: at(1), accepted: 0, declined: 0 };
  const reopened: Partial<Row>[] = [{}, gone, ended, { ...ended, late }, { lastSeenAt: at(4) }, { ...gone, lastSeenAt: at(4) }];
  expect(after(...reopened, { ...ended, late, lastSeenAt: at(4) }).keys).toEqual(["1"]);
  expect(after(...reopened, { ...ended, late }).keys, "an older time is stored").toEqual(["1"]);
  const more = { ...late, changes: 5, lastAt: at(7) };
  expect(after(...reopened, { ...ended, late, lastSeenAt: at(4) }, { ...ended, late: more, lastSeenAt: at(4) }).keys, "its work has come").toEqual([]);
  expect(after(...reopened, { ...ended, late: more, lastSeenAt: at(4) }).keys, "with the end").toEqual([]);
});

test("who is gone is who is not heard, on whatever road", () => {
  const row = deskRow({ connected: false, lastSeenAt: at(0) });
  expect(isGone(row, NINE, NINE + 1_000)).toBe(true);
  expect([isGone(row, undefined, NINE + 1_000), isGone(row, undefined, NINE + 31_000)], "without a socket from the beginning").toEqual([false, true]);
  expect([isGone({ ...row, connected: true }, undefined, NINE + 99_000), isGone({ ...row, state: "submitted" }, NINE, NINE + 99_000)]).toEqual([false, false]);
});

test("a device that may hold answers needs attention, and so does work that has come, but not visits alone", () => {
  const row = candidateRow("1", ended);
  const found = attentions(["1"], new Map([["1", row]]), new Map(), { now: NINE, hasBegun: true, unheard: after({}, gone, ended) });
  expect(found.flatMap(({ reasons }) => reasons)).toEqual(["unheard"]);
  const late = { changes: 2, lateMs: 60_000, lastAt: at(60), offlineSince: null, accepted: 0, declined: 0 };
  const reasons = (changes: number) => reasonsOf({ ...row, late: { ...late, changes } }, undefined, { now: NINE, hasBegun: true }).reasons;
  expect([reasons(2), reasons(0)]).toEqual([["lateWork"], []]);
});

test("what a device held is decided about as late work, and a test is reopened only for who is to go on", () => {
  for (const text of [en.finishOfflineThen, en.dismissUnheardLead]) {
    expect(text).toMatch(/accept or decline it .*“Reopen…” only if the student is to go on/i);
    expect(text).toContain(`“${en.lateWorkOne}”`);
  }
  for (const text of [vi.finishOfflineThen, vi.dismissUnheardLead]) {
    expect(text).toMatch(/hãy chấp nhận hoặc từ chối .*Chỉ “Mở lại…” nếu cho học sinh làm tiếp/i);
    expect(text).toContain(`“${vi.lateWorkOne}”`);
  }
});
