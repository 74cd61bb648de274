import { expect, test } from "vitest";
import { Roster } from "./roster";
import { byCandidate, type Row } from "./row";
import { everyone, isWholeRoom, marksFor, meantBy, ordersFor, reached } from "./selection";
import { begunAt, managed, mayBegin, proctored, startsAt } from "./sitting";
import { firstStep, daySteps, type ExamDay } from "./steps";
import { Stored } from "./stored";
import { candidateRow, deskRow } from "./testing/rows";
import { isHolding, unreadyReasons } from "./unready";

const expected = (id: string, changes: Partial<Row> = {}) => candidateRow(id, { sessionId: null, state: "expected", connected: false, lastSeenAt: null, ...changes });

function day(rows: Row[], more: Partial<ExamDay> = {}): ExamDay {
  const roster = new Roster(byCandidate);
  roster.replace(rows);
  roster.apply();
  const unready = rows.filter((row) => isHolding(unreadyReasons(row)) && row.sessionId !== null).length;
  return { isSitting: true, counts: roster.counts, beginsByItself: false, hasBegun: false, doorsOpen: true, unready, attention: 0, incidents: 0, stored: 0, ...more };
}

const lights = (input: ExamDay) => Object.fromEntries(daySteps(input).map(({ step, light }) => [step, light]));

test("the steps light up as the day goes on", () => {
  const morning = day([expected("1"), expected("2")], { doorsOpen: false });
  expect(lights(morning)).toEqual({ prepare: "now", attendance: "open", begin: "open", watch: "later", incidents: "open", dismiss: "later" });
  const entering = day([candidateRow("1", { state: "waiting" }), expected("2")]);
  expect(lights(entering)).toMatchObject({ prepare: "now", attendance: "now", begin: "now" });
  const ready = day([candidateRow("1", { state: "ready", ready: true, attendance: "present" }), expected("2", { attendance: "absent", state: "absent" })]);
  expect(lights(ready)).toMatchObject({ prepare: "done", attendance: "done", begin: "now" });
  const running = day([candidateRow("1"), candidateRow("2")], { hasBegun: true });
  expect(lights(running)).toMatchObject({ prepare: "done", attendance: "done", begin: "done", watch: "now", dismiss: "later" });
  expect(firstStep(daySteps(running))).toBe("watch");
});

test("nobody is dismissed while a device may still hold answers", () => {
  const over = day([candidateRow("1", { state: "submitted" }), candidateRow("2", { state: "submitted" })], { hasBegun: true, stored: 2 });
  expect(daySteps(over).at(-1)).toMatchObject({ step: "dismiss", light: "done", left: 0 });
  expect(daySteps({ ...over, unheard: 1 }).at(-1)).toMatchObject({ step: "dismiss", light: "now", left: 1 });
});

test("a desk opens at the step that is on", () => {
  const opens = (input: ExamDay, isDue = false) => firstStep(daySteps(input), isDue);
  expect(opens(day([expected("1")], { doorsOpen: false }))).toBe("prepare");
  const oneIsMissing = day([candidateRow("1", { state: "ready", ready: true }), expected("2")]);
  expect(opens(oneIsMissing)).toBe("prepare");
  expect(opens(oneIsMissing, true), "it is time, and somebody is always missing").toBe("begin");
  expect(opens(day([candidateRow("1", { state: "ready", ready: true })]))).toBe("begin");
  expect(opens(day([candidateRow("1"), expected("2")], { hasBegun: true }))).toBe("watch");
  expect(opens(day([expected("1")], { hasBegun: true })), "it has begun, and nobody has come").toBe("watch");
  const handedIn = candidateRow("2", { state: "submitted" });
  expect(opens(day([candidateRow("1"), handedIn], { hasBegun: true })), "some still write").toBe("watch");
  expect(opens(day([handedIn], { hasBegun: true }))).toBe("dismiss");
  expect(opens(day([handedIn], { hasBegun: true, stored: 1 }))).toBe("dismiss");
});

test("attendance is done when everyone has entered or is marked, also those who are present and have not entered", () => {
  const attendance = (rows: Row[]) => daySteps(day(rows)).find(({ step }) => step === "attendance");
  const entered = [candidateRow("1", { state: "waiting" }), candidateRow("2", { state: "waiting" })];
  expect(attendance([...entered, expected("3"), expected("4", { attendance: "present" })])).toMatchObject({ light: "now", left: 1 });
  expect(attendance([...entered, expected("3", { attendance: "present" })])).toMatchObject({ light: "done", left: 0 });
});

test("dismissing is done only when everyone has handed in and is stored", () => {
  const rows = [candidateRow("1", { state: "submitted" }), candidateRow("2", { state: "submitted" }), candidateRow("3", { state: "absent", sessionId: null })];
  const one = day(rows, { hasBegun: true, stored: 1 });
  expect(daySteps(one).at(-1)).toEqual({ step: "dismiss", light: "now", left: 1 });
  const two = day(rows, { hasBegun: true, stored: 2 });
  expect(daySteps(two).at(-1)).toEqual({ step: "dismiss", light: "done", left: 0 });
  expect(lights(two)).toMatchObject({ watch: "done" });
  const atWork = day([...rows, candidateRow("4")], { hasBegun: true, stored: 2 });
  expect(daySteps(atWork).at(-1)).toEqual({ step: "dismiss", light: "now", left: 1 });
});

test("a grade has no roster, so it has only two steps", () => {
  expect(Object.keys(lights(day([candidateRow("1")], { isSitting: false, hasBegun: true })))).toEqual(["watch", "dismiss"]);
});

test("each reason for not being ready is named, and a clock holds nobody up", () => {
  expect(unreadyReasons(expected("1"))).toEqual(["notEntered"]);
  expect(unreadyReasons(expected("1", { attendance: "absent" }))).toEqual([]);
  expect(unreadyReasons(candidateRow("1", { state: "waiting", connected: false }))).toEqual(["socket"]);
  expect(unreadyReasons(candidateRow("1", { state: "waiting", trouble: ["storage"] }))).toEqual(["storage", "paper"]);
  const clock = unreadyReasons(candidateRow("1", { state: "ready", ready: true, trouble: ["clock"] }));
  expect([clock, isHolding(clock)]).toEqual([["clock"], false]);
  expect(unreadyReasons(candidateRow("1"))).toEqual([]);
});

test("an order counts those whom it would change", () => {
  const rows = [candidateRow("1"), candidateRow("2", { state: "paused" }), candidateRow("3", { state: "submitted" }), expected("4"), candidateRow("5", { state: "ready" })];
  const names = (type: Parameters<typeof reached>[1]) => reached(rows, type).map(({ student }) => student);
  expect(names("extend")).toEqual(["1", "2", "5"]);
  expect(names("pause")).toEqual(["1", "5"]);
  expect(names("unpause")).toEqual(["2"]);
  expect(reached([candidateRow("6", { state: "ready", standing: "paused" }), expected("7", { standing: "paused" })], "unpause").map(({ student }) => student), "who waits and is paused").toEqual(["6"]);
  expect(names("absent"), "who has entered is there").toEqual(["4"]);
  expect(names("admit")).toEqual(["4"]);
  expect(ordersFor("extend", reached(rows, "extend"), false, { minutes: 5 })).toHaveLength(3);
  expect(ordersFor("extend", reached(rows, "extend"), true, { minutes: 5 })).toEqual([{ type: "extend", sessionId: "*", minutes: 5 }]);
  expect(marksFor("present", [rows[3] as Row])).toEqual([{ type: "present", candidateId: "4" }]);
});

test("everyone in a grade leaves out those who sit an exam there", () => {
  const free = ["1", "2"].map((id) => deskRow({ sessionId: id }));
  const rows = [...free, candidateRow("3")];
  expect(everyone(rows, false)).toEqual(free);
  expect(everyone(rows, true)).toEqual(rows);
  expect([isWholeRoom(free, rows, false), isWholeRoom(rows, rows, true)]).toEqual([true, true]);
  expect(isWholeRoom([free[0] as Row, rows[2] as Row], rows, false), "as many, but others").toBe(false);
});

test("a key is for whom somebody looks at, or for all who are selected if that one is among them", () => {
  const none = { inDrawer: undefined, focused: undefined, selected: new Set<string>(), opened: undefined };
  const selected = new Set(["1", "2"]);
  expect(meantBy({ ...none, inDrawer: "5", opened: "5", selected })).toEqual(["5"]);
  expect(meantBy({ ...none, focused: "3", opened: "5", selected })).toEqual(["3"]);
  expect(meantBy({ ...none, focused: "2", opened: "5", selected })).toEqual(["1", "2"]);
  expect(meantBy({ ...none, opened: "5", selected })).toEqual(["1", "2"]);
  expect(meantBy({ ...none, opened: "5" })).toEqual(["5"]);
  expect(meantBy(none)).toEqual([]);
});

const PLAN = { id: "7c1d", name: "Finals", startsAt: "2026-01-05T09:00:00.000Z", begunAt: null, endedAt: null, start: "proctor" as const, perRoom: true, rooms: [{ name: "B12", begunAt: "2026-01-05T09:01:00.000Z" }, { name: "B13" }] };

test("who may begin depends on the plan and on the room", () => {
  const all = managed(PLAN);
  expect([mayBegin(all, undefined), mayBegin(all, "B13")]).toEqual([true, true]);
  expect(mayBegin(managed({ ...PLAN, start: "clock" }), undefined)).toBe(false);
  const own = proctored({ ...PLAN, rooms: ["B12"] });
  expect([mayBegin(own, undefined), mayBegin(own, "B12")]).toEqual([false, true]);
  expect(mayBegin(proctored({ ...PLAN, perRoom: false, rooms: ["B12"] }), "B12")).toBe(false);
  const byClock = proctored({ ...PLAN, start: "clock", rooms: ["B12"], roomStarts: [{ name: "B12", startsAt: "2026-01-05T09:15:00.000Z", begunAt: null }] });
  expect([mayBegin(byClock, "B12"), startsAt(byClock, "B12"), startsAt(byClock, undefined)]).toEqual([false, Date.parse("2026-01-05T09:15:00Z"), Date.parse("2026-01-05T09:00:00Z")]);
});

test("the beginning is that of the room, or what a row says", () => {
  const all = managed(PLAN);
  expect(begunAt(all, "B12", [])).toBe(Date.parse("2026-01-05T09:01:00.000Z"));
  expect(begunAt(all, "B13", [])).toBeUndefined();
  expect(begunAt(all, "B13", [candidateRow("1")])).toBe(Date.parse("2026-01-05T09:00:00.000Z"));
});

test("the beginning stays when all have handed in", () => {
  const own = managed({ ...PLAN, start: "own", perRoom: false, rooms: [] });
  const handedIn = candidateRow("1", { state: "submitted" });
  expect(begunAt(own, undefined, [handedIn])).toBe(Date.parse("2026-01-05T09:00:00.000Z"));
  expect(begunAt(managed(PLAN), "B13", [handedIn, candidateRow("2", { state: "waiting" })]), "their test was ended while the others wait").toBeUndefined();
});

test("where rooms begin by themselves, all have begun when the last of them has", () => {
  const all = managed(PLAN);
  const there = [candidateRow("1"), candidateRow("2", { state: "submitted" })];
  const other = (changes: Partial<Row>) => candidateRow("3", { room: "B13", startedAt: "2026-01-05T09:05:00.000Z", ...changes });
  expect(begunAt(all, undefined, [...there, other({ state: "ready" })])).toBeUndefined();
  expect(begunAt(all, undefined, [...there, other({ state: "expected", sessionId: null })])).toBeUndefined();
  expect(begunAt(all, undefined, [...there, other({})])).toBe(Date.parse("2026-01-05T09:05:00.000Z"));
  expect(begunAt(all, undefined, [...there, other({ state: "absent", sessionId: null })]), "nobody to begin for").toBe(Date.parse("2026-01-05T09:01:00.000Z"));
  expect(begunAt(managed({ ...PLAN, begunAt: "2026-01-05T09:07:00.000Z" }), undefined, [])).toBe(Date.parse("2026-01-05T09:07:00.000Z"));
});

test("stored is what the database has, not what a row says", async () => {
  const rows = new Map([["1", candidateRow("1", { state: "submitted" })], ["2", candidateRow("2", { state: "submitted" })], ["3", candidateRow("3")]]);
  let inDatabase = ["1"];
  const stored = new Stored({ candidates: async () => inDatabase, session: async () => undefined });
  expect(stored.count(rows)).toBe(0);
  expect(await stored.look(rows)).toBe(true);
  expect(stored.count(rows)).toBe(1);
  expect(await stored.look(rows), "nothing new").toBe(false);
  inDatabase = ["1", "2"];
  await stored.look(rows);
  expect(stored.count(rows)).toBe(2);
});

test("the proctor of a room asks session by session, and a released score needs no question", async () => {
  const asked: string[] = [];
  const rows = new Map([["1", candidateRow("1", { state: "submitted" })], ["2", candidateRow("2", { state: "submitted", score: 500 })]]);
  const stored = new Stored({
    candidates: async () => undefined,
    session: async (id) => {
      asked.push(id);
      return true;
    },
  });
  expect(stored.count(rows)).toBe(1);
  await stored.look(rows);
  expect(asked).toEqual(["s-1"]);
  expect(stored.count(rows)).toBe(2);
});
