import { expect, test } from "vitest";
import { auditFile, auditPageQuery, auditQuery, detailText, auditFacts } from "./audit";

const NONE = { actor: "", action: "", from: "", to: "" };

test("the server knows when a day begins and ends, and what is no filter is not sent", () => {
  expect(auditQuery(NONE)).toEqual({});
  expect(auditQuery({ actor: " head@x.org ", action: "user.role", from: "2026-06-01", to: "2026-06-01" })).toEqual({
    actor: "head@x.org",
    action: "user.role",
    from: "2026-06-01",
    to: "2026-06-01",
  });
  expect(auditQuery({ ...NONE, from: "yesterday", to: "2026-13-01" })).toEqual({});
});

test("the file has the same filters as the list, and all pages", () => {
  expect(auditPageQuery({ ...NONE, actor: "a@x.org" }, "2")).toEqual({ actor: "a@x.org", page: "2" });
  expect(auditPageQuery(NONE, "1")).toEqual({});
  expect(auditFile({ ...NONE, actor: "a+b@x.org" }, "xlsx")).toBe("/api/admin/audit/export?actor=a%2Bb%40x.org&format=xlsx");
});

test("details are a sentence or facts", () => {
  expect(auditFacts("Role of a copy")).toEqual([["", "Role of a copy"]]);
  expect(auditFacts({ from: "student", to: "reviewer", grades: [4, 5], note: null })).toEqual([
    ["from", "student"],
    ["to", "reviewer"],
    ["grades", "4, 5"],
    ["note", "–"],
  ]);
  expect([null, undefined, "", {}].map(detailText)).toEqual(["", "", "", ""]);
  expect(detailText({ from: "student", to: "reviewer" })).toBe("from: student, to: reviewer");
});
