import { expect, test } from "vitest";
import { detailOf, parentsOf, recordBody, rowOf } from "./records";

test("records become rows", () => {
  const hall = rowOf("venues", { id: 7, status: "publish", venue: "Great &#038; Small", city: "Ghent", address: "Main 1" });
  expect([hall.name, hall.status, detailOf("venues", hall)]).toEqual(["Great & Small", "publish", "Main 1, Ghent"]);
  const grade = rowOf("categories", { id: 2, name: "Grade 5", parent: 0, count: 3, description: "a &lt; b", status: "x" });
  expect(grade).toEqual({ id: 2, name: "Grade 5", count: 3, values: { name: "Grade 5", parent: "", description: "a < b" } });
});

test("only what has changed is sent", () => {
  const { values } = rowOf("venues", { id: 7, status: "publish", venue: "Hall", city: "Ghent" });
  expect(recordBody("venues", values, values)).toEqual({});
  expect(recordBody("venues", { ...values, name: " R&D ", city: "" }, values)).toEqual({ venue: "R&amp;D", city: "" });
  expect(recordBody("categories", { name: "A", parent: "5", description: "" })).toEqual({ name: "A", parent: 5 });
  const before = { name: "A", parent: "5", description: "x" };
  expect(recordBody("categories", { name: "A", parent: "", description: "" }, before)).toEqual({ parent: 0, description: " " });
});

test("no category stands below itself", () => {
  const rows = [
    { id: 1, name: "School", parent: 0 },
    { id: 2, name: "Exams", parent: 1 },
    { id: 3, name: "Finals", parent: 2 },
    { id: 4, name: "Trips", parent: 0 },
  ].map((view) => rowOf("categories", view));
  expect(parentsOf(rows, 2).map(({ id }) => id)).toEqual([1, 4]);
  expect(parentsOf(rows, undefined)).toHaveLength(4);
});
