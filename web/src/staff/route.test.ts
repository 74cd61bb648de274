import { expect, test } from "vitest";
import { deskOf } from "./halls";
import { isStaffs, staffRouteOf } from "./route";

const at = (path: string) => staffRouteOf(new URL(path, "https://exam.test"));

test("each address is one page", () => {
  expect(at("/staff")).toEqual({ page: "today" });
  expect(at("/staff/")).toEqual({ page: "today" });
  expect(at("/staff/sittings?day=2026-06-01")).toEqual({ page: "sittings" });
  expect(at("/staff/sittings/new")).toEqual({ page: "newSitting" });
  expect(at("/staff/sittings/5e0c")).toEqual({ page: "sitting", id: "5e0c" });
  expect(at("/staff/sittings/5e0c/desk")).toEqual({ page: "desk", hall: { kind: "sitting", sittingId: "5e0c" } });
  expect(at("/staff/sittings/5e0c/desk?room=Ph%C3%B2ng%201")).toEqual({ page: "desk", hall: { kind: "sitting", sittingId: "5e0c", room: "Phòng 1" } });
  expect(at("/staff/desk?grade=10")).toEqual({ page: "desk", hall: { kind: "grade", grade: 10 } });
  expect(at("/staff/desk?templateId=ab")).toEqual({ page: "desk", hall: { kind: "template", templateId: "ab" } });
  expect(at("/staff/templates?grade=5")).toEqual({ page: "templates" });
  expect(at("/staff/templates/new?from=5e0c")).toEqual({ page: "newTemplate" });
  expect(at("/staff/templates/5e0c?view=fairness")).toEqual({ page: "template", id: "5e0c" });
  expect(at("/staff/results")).toEqual({ page: "results" });
  expect(at("/staff/results?grade=5")).toEqual({ page: "results", of: { kind: "grade", grade: 5 } });
  expect(at("/staff/results?sittingId=ab&grade=5")).toEqual({ page: "results", of: { kind: "sitting", sittingId: "ab" } });
  expect(at("/staff/questions?grade=5&question=g5-001")).toEqual({ page: "questions" });
  expect(at("/staff/questions/import")).toEqual({ page: "importQuestions" });
  expect(at("/staff/signoff")).toEqual({ page: "signOff" });
  expect(at("/staff/signoff/10?changed=edited")).toEqual({ page: "signOffGrade", grade: 10 });
  expect(at("/staff/classes?grade=5")).toEqual({ page: "classes" });
  expect(at("/staff/classes/5e0c?find=ada")).toEqual({ page: "schoolClass", id: "5e0c" });
  expect(at("/staff/people?role=admin")).toEqual({ page: "people" });
  expect(at("/staff/people/add")).toEqual({ page: "addPeople" });
  expect(at("/staff/people/accommodations")).toEqual({ page: "accommodations" });
  expect(at("/staff/school?tab=log")).toEqual({ page: "school" });
  expect(at("/staff/school/platforms")).toEqual({ page: "platforms" });
  expect(at("/staff/school/platforms/new?kind=canvas")).toEqual({ page: "newPlatform" });
  expect(at("/staff/school/platforms/5e0c")).toEqual({ page: "platform", id: "5e0c" });
  expect(at("/staff/school/audit?action=user.role")).toEqual({ page: "audit" });
  expect(at("/staff/calendar?view=week")).toEqual({ page: "calendar" });
  expect(at("/staff/calendar/new?day=2027-06-01")).toEqual({ page: "event" });
  expect(at("/staff/calendar/23")).toEqual({ page: "event", id: 23 });
  expect(at("/sittings/5e0c/screen")).toEqual({ page: "screen", sittingId: "5e0c" });
});

test("anything else is unknown", () => {
  for (const path of [
    "/staff/desk",
    "/staff/desk?grade=0",
    "/staff/desk?grade=11",
    "/staff/desk?grade=1e0",
    "/staff/x",
    "/staff/results/5",
    "/staff/questions/5",
    "/staff/questions/import/x",
    "/staff/signoff/11",
    "/staff/signoff/x",
    "/staff/signoff/5/x",
    "/staff/calendar/0",
    "/staff/calendar/maths",
    "/staff/calendar/23/x",
    "/staff/sittings/5/x",
    "/staff/templates/5/x",
    "/staff/sittings/5/desk/x",
    "/staff/classes/5/x",
    "/staff/people/x",
    "/staff/people/add/x",
    "/staff/school/x",
    "/staff/school/audit/x",
    "/staff/school/platforms/5/x",
    "/staff/%E0%A4%A",
    "/staffroom",
  ]) {
    expect(at(path), path).toEqual({ page: "unknown" });
  }
});

test("the address of a desk leads back to its hall", () => {
  for (const hall of [
    { kind: "sitting", sittingId: "5e0c" },
    { kind: "sitting", sittingId: "5e0c", room: "A & B" },
    { kind: "grade", grade: 5 },
    { kind: "template", templateId: "ab" },
  ] as const) {
    expect(at(deskOf(hall))).toEqual({ page: "desk", hall });
  }
});

test("links to the students' pages and to the projector are no links of the frame", () => {
  const isOurs = (path: string) => isStaffs(new URL(path, "https://exam.test"));
  expect(["/staff", "/staff/results?grade=5"].map(isOurs)).toEqual([true, true]);
  expect(["/", "/staffroom", "/sittings/5/screen", "/report/5"].map(isOurs)).toEqual([false, false, false, false]);
});
