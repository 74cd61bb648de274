import { expect, test } from "vitest";
import { attentions, reasonsOf, undecidedChanges } from "./attention";
import { HeldOrder } from "./held_order";
import { bySeat, type Row } from "./row";
import { candidateRow, deskRow } from "./testing/rows";

const NINE = Date.parse("2026-01-05T09:00:00.000Z");
const at = (seconds: number) => new Date(NINE + seconds * 1_000).toISOString();
const look = (changes: Partial<Row>, seconds: number, offlineAt?: number, hasBegun = true) =>
  reasonsOf(deskRow(changes), offlineAt === undefined ? undefined : NINE + offlineAt * 1_000, { now: NINE + seconds * 1_000, hasBegun }).reasons;

test("a student is offline after 30 s without a connection and without a request", () => {
  expect(look({ connected: false, lastSeenAt: at(0) }, 30)).toEqual([]);
  expect(look({ connected: false, lastSeenAt: at(0) }, 31)).toEqual(["offline"]);
  expect(look({ connected: false, lastSeenAt: at(0) }, 60, 40), "the desk saw it go later").toEqual([]);
  expect(look({ connected: false, lastSeenAt: at(50) }, 60, 10), "works over HTTPS").toEqual([]);
  expect(look({ connected: false, lastSeenAt: at(0), state: "submitted" }, 99)).toEqual([]);
});

test("someone who is connected and does nothing is silent after five minutes, but not from before the beginning", () => {
  expect(look({ lastSeenAt: at(0) }, 300)).toEqual([]);
  expect(look({ lastSeenAt: at(0) }, 301)).toEqual(["silent"]);
  expect(look({ lastSeenAt: at(0), startedAt: at(200) }, 400)).toEqual([]);
  expect(look({ lastSeenAt: at(0), state: "paused" }, 900), "a pause is no silence").toEqual([]);
});

test("what the page reports is a reason while they are here", () => {
  expect(look({ refused: 2, away: true, trouble: ["storage", "clock"], lastSeenAt: at(0) }, 1)).toEqual(["refused", "storage", "away"]);
  expect(look({ refused: 2, trouble: ["saving"], state: "submitted" }, 1)).toEqual([]);
});

test("who was marked present and has not entered is missing only once it has begun", () => {
  const expected: Partial<Row> = { state: "expected", sessionId: null, lastSeenAt: null, connected: false, attendance: "present" };
  expect(look(expected, 100, undefined, false)).toEqual([]);
  expect(look(expected, 100)).toEqual(["notEntered"]);
  expect(look({ ...expected, wrongCodes: 20 }, 100, undefined, false)).toEqual(["wrongCodes"]);
});

test("a test that another device has taken over is pointed out for ten minutes, until somebody looks", () => {
  const taken = candidateRow("1", { takenOverAt: at(100) });
  const found = (seconds: number, looked: [string, string][] = []) =>
    attentions(["1"], new Map([["1", taken]]), new Map(), { now: NINE + seconds * 1_000, hasBegun: true, looked: new Map(looked) }).flatMap(({ reasons }) => reasons);
  expect([found(101), found(101, [["1", at(100)]]), found(101, [["1", at(50)]])], "looked at an earlier one").toEqual([["takenOver"], [], ["takenOver"]]);
  const before = (seconds: number) => look({ takenOverAt: at(0), lastSeenAt: at(seconds) }, seconds);
  expect([before(600), before(601)]).toEqual([["takenOver"], []]);
  expect(look({ takenOverAt: at(0), state: "submitted" }, 1)).toEqual([]);
});

test("the most urgent come first, then by seat, by its number", () => {
  const rows = [candidateRow("10", { away: true }), candidateRow("9", { away: true }), candidateRow("2", { refused: 1 }), candidateRow("1")];
  const byKey = new Map(rows.map((one) => [one.candidateId as string, one]));
  const keys = rows.toSorted(bySeat).map((one) => one.candidateId as string);
  const found = attentions(keys, byKey, new Map(), { now: NINE, hasBegun: true });
  expect(found.map(({ key }) => key)).toEqual(["2", "9", "10"]);
});

test("among many the silent are found too", () => {
  const rows = [candidateRow("1", { lastSeenAt: at(0) }), candidateRow("2", { lastSeenAt: at(200) })];
  const byKey = new Map(rows.map((one) => [one.candidateId as string, one]));
  const found = attentions(["1", "2"], byKey, new Map(), { now: NINE + 301_000, hasBegun: true });
  expect(found).toMatchObject([{ key: "1", reasons: ["silent"], since: NINE }]);
});

test("work that comes after a decision needs attention again", () => {
  const late = { changes: 5, lateMs: 60_000, lastAt: at(60), offlineSince: null, accepted: 0, declined: 2 };
  const row = (changes: object): Row => deskRow({ state: "submitted", connected: false, late: { ...late, ...changes } });
  expect(undecidedChanges(row({ undecided: 3 }))).toBe(3);
  expect(reasonsOf(row({ undecided: 3 }), undefined, { now: NINE, hasBegun: true }).reasons).toEqual(["lateWork"]);
  expect(reasonsOf(row({ undecided: 0 }), undefined, { now: NINE, hasBegun: true }).reasons).toEqual([]);
  expect([undecidedChanges(row({})), undecidedChanges(row({ declined: 0 })), undecidedChanges(deskRow())], "as a server of an earlier version tells it").toEqual([0, 5, 0]);
});

test("nothing moves while a list is held, and it is put in order when it is let go", () => {
  const order = new HeldOrder();
  const there = () => true;
  expect(order.show(["a", "b", "c"], false, there)).toEqual(["a", "b", "c"]);
  expect(order.show(["x", "c", "a"], true, there), "b stays, x goes to the end").toEqual(["a", "b", "c", "x"]);
  expect(order.show(["x"], true, (key) => key !== "c"), "who has left the room goes").toEqual(["a", "b", "x"]);
  expect(order.show(["x", "c"], false, there)).toEqual(["x", "c"]);
  const before = order.show(["x", "c"], false, there);
  expect(order.show(["x", "c"], false, there), "the same list is the same").toBe(before);
});

test("another choice is shown at once, held or not", () => {
  const order = new HeldOrder();
  const all = () => true;
  expect(order.show(["1", "2", "3"], true, all, "all")).toEqual(["1", "2", "3"]);
  expect(order.show(["2"], true, all, "offline")).toEqual(["2"]);
  expect(order.show(["3", "2"], true, all, "offline"), "held").toEqual(["2", "3"]);
});
