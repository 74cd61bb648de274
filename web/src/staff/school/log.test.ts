import { expect, test } from "vitest";
import { csvOf, dayOfEdit, editorsOf, filteredEdits, type LoggedEdit } from "./log";

function edit(changes: Partial<LoggedEdit> = {}): LoggedEdit {
  return {
    id: "1",
    questionId: "g5-001",
    grade: 5,
    editedBy: "rita@x.org",
    editedByName: "Rita",
    editedAt: "2026-06-01T10:00:00.000Z",
    changes: [{ field: "Explanation", before: "Add.", after: "Cộng các phần mười." }],
    comment: "Clearer",
    ...changes,
  };
}

test("edits are found by person, day and words of what was changed, without accents", () => {
  const all = [edit(), edit({ id: "2", editedBy: "max@x.org", editedByName: "", editedAt: "2026-06-03T10:00:00Z", questionId: "g5-002", comment: "" })];
  const found = (changes: object) => filteredEdits(all, { who: "", day: "", text: "", ...changes }).map(({ id }) => id);
  expect(found({})).toEqual(["1", "2"]);
  expect(found({ who: "max@x.org" })).toEqual(["2"]);
  expect(found({ day: dayOfEdit("2026-06-01T10:00:00Z") })).toEqual(["1"]);
  expect(found({ text: "cong muoi" })).toEqual(["1", "2"]);
  expect(found({ text: "g5-002" })).toEqual(["2"]);
  expect(found({ text: "clearer explanation" })).toEqual(["1"]);
  expect(editorsOf(all)).toEqual([
    { email: "max@x.org", name: "max@x.org" },
    { email: "rita@x.org", name: "Rita" },
  ]);
});

test("a file has a line for each field, and no formulas", () => {
  const two = edit({ changes: [{ field: "Option A", before: "=1+1", after: 'a "b", c' }, { field: "Answer", before: "A", after: "B\nC" }] });
  expect(csvOf([two], ["At", "Name"])).toBe(
    "\uFEFFAt,Name\r\n" +
      '2026-06-01T10:00:00.000Z,Rita,rita@x.org,5,g5-001,Option A,\'=1+1,"a ""b"", c",Clearer\r\n' +
      '2026-06-01T10:00:00.000Z,Rita,rita@x.org,5,g5-001,Answer,A,"B\nC",Clearer\r\n',
  );
});
