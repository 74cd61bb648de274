import { expect, test } from "vitest";
import { templateChanges, templateDraftOf, templateFaults, templateFields, fieldIn, inverseOf, newTemplateDraft } from "../draft";
import { standard } from "../testing/templates";
import { accessDraftOf, accessFaults, accessFields, copiedAccess, keptFromOthers, madeCode, openAccess, proposedAccess, sortedOut, withEnd } from "./rules";

const [MORNING, EVENING] = [Date.parse("2027-06-01T01:00:00.000Z"), Date.parse("2027-06-01T11:00:00.000Z")];

test("a new template is for accounts, once each, and for no practice; one without a word of it stays as it was", () => {
  const fields = templateFields({ ...newTemplateDraft([5]), name: "Spring" });
  expect(fields.access).toEqual({ who: "signed-in", classIds: [], attempts: 1, opensAt: null, closesAt: null, code: null });
  expect([fields.practice, "showAnswers" in fields]).toEqual([false, false]);
  const old = standard();
  expect(templateChanges(templateDraftOf(old), old)).toEqual({});
  expect(["access", "showAnswers", "practice"].filter((name) => name in templateFields(templateDraftOf(old)))).toEqual([]);
});

test("what is changed is sent, and can be taken back to nothing", () => {
  const template = standard();
  const draft = templateDraftOf(template);
  draft.access = { ...draft.access, who: "classes", classIds: ["c2", "c1"], attempts: 2, code: " k7pq ", practice: false };
  const changes = templateChanges(draft, template);
  expect(changes).toEqual({ access: { who: "classes", classIds: ["c1", "c2"], attempts: 2, opensAt: null, closesAt: null, code: "k7pq" }, practice: false });
  expect(inverseOf(changes, template)).toEqual({ access: accessFields(openAccess()).access, practice: null });
  const stored = standard({ access: { who: "classes", classIds: ["c1", "c2"], attempts: 2, code: "k7pq", opensAt: "2027-06-01T01:00:00Z" }, showAnswers: "never", practice: true });
  expect(templateChanges(templateDraftOf(stored), stored)).toEqual({});
  expect(accessDraftOf(stored)).toMatchObject({ opens: MORNING, closes: undefined, answers: "never", practice: true });
});

test("what another choice has left over is not sent", () => {
  const left = { ...proposedAccess(), classIds: ["c1"], attempts: 3 };
  expect(accessFields({ ...left, who: "anyone" }).access).toMatchObject({ who: "anyone", classIds: [], attempts: null });
  expect(accessFields(left).access).toMatchObject({ who: "signed-in", classIds: [], attempts: 3 });
});

test("with a first end, answers wait for it; without an end they cannot", () => {
  const ended = withEnd(proposedAccess(), EVENING);
  expect([ended.closes, ended.answers]).toEqual([EVENING, "after-closing"]);
  // Who has chosen otherwise is not asked again with each digit.
  expect(withEnd({ ...ended, answers: "always" }, EVENING + 1).answers).toBe("always");
  expect(withEnd({ ...proposedAccess(), answers: "never" }, EVENING).answers).toBe("never");
  expect(withEnd(ended, undefined).answers).toBe("always");
});

test("how long other tests show no answers to its questions", () => {
  const kept = (changes: Partial<ReturnType<typeof proposedAccess>>) => keptFromOthers({ ...proposedAccess(), ...changes });
  expect([kept({}), kept({ who: "anyone", code: "K7PQ" }), kept({ who: "anyone", answers: "never" })]).toEqual(["always", "always", "always"]);
  expect([kept({ closes: EVENING }), kept({ who: "anyone", closes: EVENING, answers: "after-closing" })]).toEqual(["until-closed", "until-closed"]);
  expect([kept({ practice: true }), kept({ practice: undefined }), kept({ who: "anyone" })]).toEqual([undefined, undefined, undefined]);
});

test("each fault has its field", () => {
  const faults = (changes: object) => accessFaults({ ...proposedAccess(), ...changes });
  expect(faults({})).toEqual({});
  expect(faults({ who: "classes" })).toEqual({ classes: "none" });
  expect(faults({ who: "classes", classIds: Array.from({ length: 51 }, (_, index) => String(index)) })).toEqual({ classes: "many" });
  for (const attempts of [0, 21, 1.5]) expect(faults({ attempts }), String(attempts)).toEqual({ attempts: "range" });
  for (const attempts of [1, 20, null, undefined]) expect(faults({ attempts }), String(attempts)).toEqual({});
  expect(faults({ who: "anyone", attempts: 0 })).toEqual({});
  expect([faults({ opens: NaN }), faults({ opens: EVENING, closes: MORNING }), faults({ opens: MORNING, closes: EVENING })]).toEqual([{ window: "time" }, { window: "order" }, {}]);
  for (const code of ["abc", "two words", "lớp5a", "a".repeat(21)]) expect(faults({ code }), code).toEqual({ code: "form" });
  expect(faults({ code: " Apfel2026 " })).toEqual({});
  expect(faults({ answers: "after-closing" })).toEqual({ answers: "end" });
  expect(templateFaults({ ...newTemplateDraft([5]), name: "Spring", access: { ...proposedAccess(), attempts: 0 } })).toEqual({ access: "rules" });
  expect(["Invalid access", "Invalid showAnswers", "Invalid practice"].map(fieldIn)).toEqual(["access", "access", "access"]);
});

test("classes that are gone are told from those that are there", () => {
  expect(sortedOut(["c2", "gone", "c1"], [{ id: "c1" }, { id: "c2" }, { id: "c3" }])).toEqual({ kept: ["c2", "c1"], gone: ["gone"] });
  expect(sortedOut(["gone"], [])).toEqual({ kept: [], gone: ["gone"] });
});

test("a copy has no day and no code of its own", () => {
  const copied = copiedAccess({ ...proposedAccess(), who: "classes", classIds: ["c1"], opens: MORNING, closes: EVENING, code: "K7PQ", answers: "after-closing" });
  expect(copied).toEqual({ ...proposedAccess(), who: "classes", classIds: ["c1"] });
});

test("a code that is made can be typed from a board", () => {
  expect(madeCode(new Uint8Array([0, 31, 32, 255, 8, 9]))).toBe("A9A9JK");
  for (let turn = 0; turn < 50; turn += 1) expect(accessFaults({ ...proposedAccess(), code: madeCode() })).toEqual({});
});
