import { expect, test } from "vitest";
import { allowed, isWithheldBy, lacks, lastEnd, waitsForItsTime } from "./readiness";
import { candidate, room, sitting } from "./testing/school";
import en from "./texts/en";

test("a new sitting lacks people, and then seats, proctors and codes", () => {
  expect(lacks(sitting(), [])).toEqual([{ kind: "people" }]);
  const { email: _, ...bo } = candidate({ id: "c2", externalId: "7" });
  expect(lacks(sitting({ rooms: [room({ candidates: 1 }), room({ id: "r2", name: "B13" })] }), [candidate({ room: "B12" }), bo])).toEqual([
    { kind: "unseated", count: 1 },
    { kind: "proctors", rooms: ["B12"] },
    { kind: "codes", count: 1 },
  ]);
  expect(lacks(sitting(), [candidate(), { ...bo, hasAccessCode: true }])).toEqual([]);
  expect(lacks(sitting({ template: "" }), [candidate()])).toEqual([{ kind: "template" }]);
  expect(lacks(sitting({ practiceQuestions: 3 }), [candidate()])).toEqual([{ kind: "practice", count: 3 }]);
  expect(lacks(sitting({ satByLink: 2 }), [candidate()])).toEqual([{ kind: "satBefore", count: 2 }]);
  expect(lacks(sitting({ knownFrom: 12 }), [candidate()])).toEqual([{ kind: "known", count: 12 }]);
  const elsewhere = { candidates: 16, sittings: [{ id: "s2", name: "Week test 6A" }] };
  expect(lacks(sitting({ elsewhere }), [candidate()])).toEqual([{ kind: "elsewhere", ...elsewhere }]);
  // A paper in forms asks for seats, also where there are no rooms.
  const seated = (form: string, seat: string) => candidate({ form, formBy: "seat", seat });
  expect(lacks(sitting(), [candidate({ form: "A", formBy: "chance" }), seated("B", "2")])).toEqual([{ kind: "forms", count: 1 }]);
  expect(lacks(sitting(), [seated("A", "1"), seated("B", "2")])).toEqual([{ kind: "rows" }]);
  expect(lacks(sitting(), [seated("A", "A1"), seated("B", "A2"), seated("B", "A2")])).toEqual([{ kind: "seats", count: 2 }]);
  expect(lacks(sitting(), [seated("A", "A1"), seated("B", "A2")])).toEqual([]);
});

test("what may be done follows the state", () => {
  const of = (changes: Parameters<typeof sitting>[0]) => allowed(sitting(changes));
  expect(of({})).toMatchObject({ postpone: true, begin: false, remove: "delete", template: true });
  expect(of({ state: "open", openedAt: "2027-06-01T01:30:00.000Z", counts: { ...sitting().counts, total: 3 } })).toMatchObject({
    postpone: true,
    begin: true,
    remove: "callOff",
    template: false,
  });
  expect(of({ state: "running" })).toMatchObject({ postpone: false, begin: false, remove: undefined, roster: true, removeCandidates: false });
  expect(of({ state: "ended" })).toMatchObject({ roster: false, makeUp: true });
});

test("the last one stops later than the others, as far as the hard end leaves room", () => {
  const at = (minutes: number) => Date.parse("2027-06-01T02:00:00.000Z") + minutes * 60_000;
  expect(lastEnd(sitting(), [candidate()])).toBeUndefined();
  expect(lastEnd(sitting(), [candidate({ factor: 150 }), candidate({ extraMinutes: 10 }), candidate()])).toEqual({ ms: at(90), count: 2 });
  // 50 minutes for all, and 30 more.
  expect(lastEnd(sitting({ endsAt: "2027-06-01T02:50:00.000Z" }), [candidate({ factor: 150 })])).toEqual({ ms: at(80), count: 1 });
  expect(lastEnd(sitting(), [candidate({ factor: 200, endsAt: "2027-06-01T03:10:00.000Z" })])).toEqual({ ms: at(70), count: 1 });
  // What orders have given moves shared ends, and no own one.
  const grantedMs = 10 * 60_000;
  expect(lastEnd(sitting({ endsAt: "2027-06-01T02:50:00.000Z", grantedMs }), [candidate({ factor: 150, grantedMs }), candidate({ grantedMs })])).toEqual({ ms: at(90), count: 1 });
  expect(lastEnd(sitting(), [candidate({ factor: 200, endsAt: "2027-06-01T03:10:00.000Z", grantedMs })])).toEqual({ ms: at(70), count: 1 });
  expect(lastEnd(sitting({ start: "own" }), [candidate({ factor: 150 })])).toBeUndefined();
});

test("a template that is chosen leaves practice, unless the sitting has named it before", () => {
  const templates = new Map([
    ["t1", {}],
    ["t2", {}],
  ]);
  expect([isWithheldBy("t1", undefined, templates), isWithheldBy("", undefined, templates)]).toEqual([true, false]);
  const before = sitting({ templateId: "t1" });
  expect([isWithheldBy("t1", before, templates), isWithheldBy("t2", before, templates)]).toEqual([false, true]);
});

test("others hold up a release by time alone, until it has come", () => {
  const at = "2027-06-02T02:00:00.000Z";
  const of = (changes: Parameters<typeof sitting>[0]) => waitsForItsTime(sitting(changes));
  expect([of({ results: at }), of({ results: "held" }), of({ results: "now" }), of({ results: at, releasedAt: at })]).toEqual([true, false, false, false]);
});

test("one candidate who knows the paper may see their own results", () => {
  expect(en.lackKnown(1)).toBe("1 candidate has sat this paper in another sitting and may see their results: it is known.");
});
