import { expect, test } from "vitest";
import type { Sources } from "./answer";
import { dayBounds, fileOf, pageOf, sourceQuery, sourcesOf } from "./source";

const SOURCES: Sources = {
  sittings: [
    { id: "s1", name: "Thi giữa kỳ", startsAt: "2026-10-01T08:00:00Z", state: "ended", submitted: 28 },
    { id: "s2", name: "Finals", startsAt: "2026-11-23T08:00:00Z", state: "running", submitted: 3 },
  ],
  templates: [{ id: "t1", name: "Autumn", grades: [5], submitted: 40 }],
  grades: [{ grade: 5, submitted: 400 }],
};

test("the page and the API ask by the same names", () => {
  const [template] = sourcesOf(SOURCES, "template", "");
  const [grade] = sourcesOf(SOURCES, "grade", "");
  const [sitting] = sourcesOf(SOURCES, "sitting", "");
  const pages = [sitting, template, grade].map((source) => pageOf(source!));
  expect(pages).toEqual(["/staff/results?sittingId=s1", "/staff/results?templateId=t1", "/staff/results?grade=5"]);
  expect(sourceQuery({ kind: "grade", grade: 5 })).toEqual({ grade: "5" });
  const query = { ...sourceQuery({ kind: "template", templateId: "t1" }), from: "2026-11-01" };
  expect(fileOf(query, "xlsx")).toBe("/api/manager/results.xlsx?templateId=t1&from=2026-11-01");
});

test("a search needs no accents, and keeps the order", () => {
  expect(sourcesOf(SOURCES, "sitting", "").map(({ id }) => id)).toEqual(["s1", "s2"]);
  expect(sourcesOf(SOURCES, "sitting", "giua").map(({ id }) => id)).toEqual(["s1"]);
  expect(sourcesOf(SOURCES, "grade", "5").map(({ id }) => id)).toEqual(["5"]);
  expect(sourcesOf(SOURCES, "template", "spring")).toEqual([]);
});

test("a range of days is the server's to read, and what is no day bounds nothing", () => {
  expect(dayBounds("2026-11-23", "2026-11-30")).toEqual({ from: "2026-11-23", to: "2026-11-30" });
  expect([dayBounds("", ""), dayBounds("soon", "2026"), dayBounds("2026-02-30", "2026-2-3")]).toEqual([{}, {}, {}]);
});
