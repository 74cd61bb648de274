import { expect, test } from "vitest";
import { byCourse, customParameter, nameOfPerson, rowShown, scoreShown, suggestedRow, targetPage } from "./links";
import { courseLink } from "./testing/platform";

test("links stand by their courses, and those without a name first", () => {
  const all = [courseLink({ id: "1", contextTitle: "B" }), courseLink({ id: "2", contextTitle: "A", title: "z" }), courseLink({ id: "3", contextTitle: "A", title: "b" }), courseLink({ id: "4", contextTitle: null })];
  expect(all.sort(byCourse).map(({ id }) => id)).toEqual(["4", "3", "2", "1"]);
});

test("a link leads to the page of its sitting or its template", () => {
  expect(targetPage({ target: { kind: "sitting", id: "s1" } })).toBe("/staff/sittings/s1");
  expect(targetPage({ target: { kind: "template", id: "t1" } })).toBe("/staff/templates/t1");
});

test("a score is shown with its maximum, and none as long as only the end is told", () => {
  expect(scoreShown({ scoreGiven: 0, scoreMaximum: 600 }, "en")).toBe("0 / 600");
  expect(scoreShown({ scoreGiven: 1_420, scoreMaximum: 6_000 }, "vi")).toBe("1.420 / 6.000");
  expect(scoreShown({ scoreGiven: null, scoreMaximum: null }, "en")).toBe("–");
});

test("a row is suggested by the address, or else by the name, and only where there is one", () => {
  const rows = [
    { id: "1", name: "Ada Lovelace", email: "ada@school.example" },
    { id: "2", name: "Bo Tran", externalId: "S-2" },
    { id: "3", name: "Bo Tran" },
    { id: "4", name: "Chi Nguyen" },
  ];
  const suggested = (name: string | null, email: string | null) => suggestedRow({ name, email }, rows)?.id;
  expect(suggested("A. King", "Ada@School.example")).toBe("1");
  expect(suggested("chi nguyen", "chi@elsewhere.example")).toBe("4");
  expect(suggested("Bo Tran", null)).toBeUndefined();
  expect(suggested(null, null)).toBeUndefined();
});

test("people and rows say who they are", () => {
  expect(nameOfPerson({ name: null, subject: "17" })).toBe("17");
  expect(rowShown({ name: "Bo Tran", externalId: "S-2" })).toBe("Bo Tran · S-2");
  expect(customParameter({ kind: "sitting", id: "s1" })).toBe("sitting=s1");
});
