import { expect, test } from "vitest";
import { byCandidate, bySession, isHere, type Row, type RowState } from "./row";
import { Roster } from "./roster";
import { candidateRow, deskRow } from "./testing/rows";

const AT = "2026-01-05T09:30:00.000Z";

test("what arrives is taken over at once, the latest of each row", () => {
  let calls = 0;
  const roster = new Roster(bySession, () => (calls += 1));
  roster.replace([deskRow({ sessionId: "a" }), deskRow({ sessionId: "b" })]);
  roster.change([deskRow({ sessionId: "a", answered: 1 })], [], AT);
  roster.change([deskRow({ sessionId: "a", answered: 2 })], ["b"], AT);
  expect(roster.rows.size, "not before it is painted").toBe(0);
  expect(calls).toBe(3);
  expect(roster.apply().sort()).toEqual(["a", "b"]);
  expect([...roster.rows.values()].map(({ answered }) => answered)).toEqual([2]);
  expect(roster.hasPending).toBe(false);
  roster.change([], [], AT);
  expect(calls, "an empty change is nothing to paint").toBe(3);
});

test("a new roster removes those who are not in it, also those who still wait to be taken over", () => {
  const roster = new Roster(bySession);
  roster.replace([deskRow({ sessionId: "a" })]);
  roster.apply();
  roster.change([deskRow({ sessionId: "b" })], [], AT);
  roster.replace([deskRow({ sessionId: "c" })]);
  roster.apply();
  expect([...roster.rows.keys()]).toEqual(["c"]);
});

test("counts kept by difference are those of counting again", () => {
  const roster = new Roster(byCandidate);
  const states: RowState[] = ["expected", "waiting", "ready", "active", "paused", "submitted", "absent"];
  let seed = 7;
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let turn = 0; turn < 400; turn += 1) {
    const rows = Array.from({ length: 12 }, () => {
      const state = states[next(7)] as RowState;
      const changes: Partial<Row> = { state, connected: next(2) === 0, away: next(3) === 0, progress: ["a", "v", "-", "A", "M"].sort(() => next(3) - 1).join(""), at: next(5) };
      const mark = [{}, { attendance: "present" as const }, { attendance: "absent" as const }][next(3)];
      return candidateRow(`c${next(60)}`, { ...changes, ...mark, ...(state === "expected" ? { sessionId: null } : {}) });
    });
    if (turn % 50 === 0) roster.replace(rows);
    else roster.change(rows, [`c${next(60)}`], AT);
    roster.apply(next(3) === 0 ? 5 : undefined);
  }
  while (roster.hasPending) roster.apply();
  const all = [...roster.rows.values()];
  const count = (is: (row: Row) => boolean) => all.filter(is).length;
  expect(all.length).toBeGreaterThan(20);
  expect(roster.counts).toEqual({
    ...Object.fromEntries(states.map((state) => [state, count((row) => row.state === state)])),
    total: all.length,
    here: count(isHere),
    offline: count((row) => isHere(row) && !row.connected),
    away: count((row) => isHere(row) && row.away),
    unmarked: count((row) => row.state === "expected" && row.attendance === undefined),
  });
  const at = (index: number) => count((row) => row.at === index && (row.state === "active" || row.state === "paused"));
  expect(roster.heat.questions.map((question) => question.at)).toEqual([0, 1, 2, 3, 4].map(at));
  const answered = (index: number) => count((row) => "aA".includes(row.progress?.[index] ?? "-"));
  expect(roster.heat.questions.map((question) => question.answered)).toEqual([0, 1, 2, 3, 4].map(answered));
});

test("much at once is taken over in parts, but a whole roster is one picture", () => {
  const roster = new Roster(bySession);
  const rows = Array.from({ length: 5_000 }, (_, index) => deskRow({ sessionId: `s${index}` }));
  roster.replace(rows);
  expect(roster.apply()).toHaveLength(5_000);
  roster.change(rows, [], AT);
  expect(roster.apply().length).toBeLessThan(5_000);
  while (roster.hasPending) roster.apply();
  expect(roster.counts.total).toBe(5_000);
});

test("the shape changes with people and places, and not with their work", () => {
  const roster = new Roster(byCandidate);
  roster.replace([candidateRow("a"), candidateRow("b")]);
  roster.apply();
  const before = roster.shape;
  roster.change([candidateRow("a", { answered: 5, state: "paused" })], [], AT);
  roster.apply();
  expect(roster.shape).toBe(before);
  roster.change([candidateRow("a", { seat: "31" })], [], AT);
  roster.apply();
  expect(roster.shape).toBe(before + 1);
});

test("a loss of connection is dated by the server", () => {
  const roster = new Roster(bySession);
  roster.replace([deskRow({ sessionId: "a" }), deskRow({ sessionId: "b", connected: false })]);
  roster.apply();
  expect(roster.offlineSince.size, "nobody saw b go").toBe(0);
  roster.change([deskRow({ sessionId: "a", connected: false })], [], AT);
  roster.apply();
  expect(roster.offlineSince.get("a")).toBe(Date.parse(AT));
  roster.change([deskRow({ sessionId: "a", connected: false, answered: 1 })], [], "2026-01-05T09:31:00.000Z");
  roster.apply();
  expect(roster.offlineSince.get("a"), "still the same loss").toBe(Date.parse(AT));
  roster.change([deskRow({ sessionId: "a" })], [], AT);
  roster.apply();
  expect(roster.offlineSince.size).toBe(0);
});

test("rows of a server that knows nothing of progress are no heat", () => {
  const roster = new Roster(bySession);
  roster.replace([deskRow()]);
  roster.apply();
  expect(roster.heat).toMatchObject({ rows: 0, questions: [] });
});

test("differences change the fields that they name, and null ends what need not be there", () => {
  const roster = new Roster(bySession);
  roster.replace([deskRow({ sessionId: "a", n: 0, note: "By the door", form: "B" }), deskRow({ sessionId: "b", n: 1 })]);
  roster.differ([{ n: 0, answered: 3 }]);
  roster.apply();
  expect(roster.rows.get("a")).toMatchObject({ answered: 3, note: "By the door", form: "B" });
  roster.differ([{ n: 0, state: "paused", note: null, form: null }, { n: 7, answered: 9 }]);
  roster.differ([{ n: 0, answered: 4, score: null }]);
  roster.apply();
  expect(roster.rows.get("a")).toMatchObject({ answered: 4, state: "paused", score: null });
  for (const name of ["note", "form"]) expect(roster.rows.get("a")).not.toHaveProperty(name);
  expect(roster.counts).toMatchObject({ paused: 1, active: 1, total: 2 });
  roster.change([], ["a"], "2026-01-05T09:00:01.000Z");
  roster.differ([{ n: 0, answered: 5 }]);
  roster.apply();
  expect([...roster.rows.keys()]).toEqual(["b"]);
});

test("rows in view are named by their numbers, which a server of before does not give", () => {
  const roster = new Roster(bySession);
  roster.replace([deskRow({ sessionId: "a" })]);
  roster.apply();
  expect(roster.numbersOf(["a"])).toBeUndefined();
  roster.replace([deskRow({ sessionId: "a", n: 4 }), deskRow({ sessionId: "b", n: 9 })]);
  roster.apply();
  expect(roster.numbersOf(["b", "x", "a"])).toEqual([9, 4]);
});
