import { expect, test } from "vitest";
import { folded } from "../search";
import { sittingsByDay, filteredSittings, templateGrades, isHeld, type SittingFilter } from "./days";
import type { TemplateChoice } from "./shapes";
import { room, sitting } from "./testing/school";

const NOW = new Date(2027, 5, 1, 12).getTime();
const at = (day: number, hour = 9) => new Date(2027, 5, day, hour).toISOString();
const all: SittingFilter = { state: "", grade: "", text: "", past: false };
const templates = new Map<string, TemplateChoice>([
  ["t1", { id: "t1", name: "Paper A", grades: [5], mode: "standard", durationMinutes: 60 }],
  ["t2", { id: "t2", name: "Paper B", grades: [6, 5], mode: "standard", durationMinutes: 60 }],
  ["t3", { id: "t3", name: "Paper C", grades: [10], mode: "standard", durationMinutes: 60 }],
]);
const list = [
  sitting({ id: "coming", startsAt: at(3) }),
  sitting({ id: "afternoon", startsAt: at(1, 14), templateId: "t3", template: "Đại số" }),
  sitting({ id: "today", startsAt: at(1), state: "ended", released: true }),
  sitting({ id: "released", startsAt: at(-3), state: "ended", released: true }),
  sitting({ id: "held", startsAt: at(-2), state: "ended", counts: { ...sitting().counts, submitted: 4 }, rooms: [room({ name: "Aula" })] }),
];
const ids = (filter: Partial<SittingFilter>) => filteredSittings(list, { ...all, ...filter }, templates, NOW).map(({ id }) => id);

test("past days are left out, unless they are asked for or wait for a release", () => {
  expect(ids({})).toEqual(["coming", "afternoon", "today", "held"]);
  expect(ids({ past: true })).toEqual(["coming", "afternoon", "today", "released", "held"]);
  expect(ids({ state: "ended" })).toEqual(["today", "released", "held"]);
  expect(ids({ state: "held" })).toEqual(["held"]);
});

test("grades and words choose", () => {
  expect(ids({ grade: "10" })).toEqual(["afternoon"]);
  expect(ids({ text: "dai so" })).toEqual(["afternoon"]);
  expect(ids({ text: "finals AULA" })).toEqual(["held"]);
  expect(folded("Đường thẳng")).toBe("duong thang");
  expect(templateGrades(templates.values())).toEqual([5, 6, 10]);
});

test("days come in their order from today, and those before in reverse", () => {
  const days = sittingsByDay(list, NOW).map(({ date, sittings }) => [date, sittings.map(({ id }) => id)]);
  expect(days.map(([, ids]) => ids)).toEqual([["today", "afternoon"], ["coming"], ["held"], ["released"]]);
  expect(days[0]?.[0]).toBe("2027-06-01");
});

test("only results that exist can be released", () => {
  expect(isHeld(sitting({ state: "ended" }))).toBe(false);
});
