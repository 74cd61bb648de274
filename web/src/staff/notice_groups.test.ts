import { expect, test } from "vitest";
import { groupsOf } from "./notice_groups";
import type { StaffNotice } from "./undo.svelte";

const undo = () => Promise.resolve({ kind: "done", value: undefined } as const);
const shown = (notices: StaffNotice[]) => groupsOf(notices).map(({ last, ids, count }) => [last.id, last.text, ids, count]);

test("what is said alike is one message with a count, and the last of it is undone first", () => {
  const saved = [1, 2, 4].map((id): StaffNotice => ({ id, kind: "done", text: "Saved", undo }));
  const other: StaffNotice = { id: 3, kind: "done", text: "Gave Ada 5 minutes", undo };
  expect(shown([...saved.slice(0, 2), other, ...saved.slice(2)])).toEqual([[4, "Saved", [1, 2, 4], 3], [3, "Gave Ada 5 minutes", [3], 1]]);
});

test("what is being undone, what can't be undone and what went wrong are messages of their own", () => {
  const notices: StaffNotice[] = [
    { id: 1, kind: "done", text: "Saved", undo, isUndoing: true },
    { id: 2, kind: "done", text: "Saved", undo },
    { id: 3, kind: "done", text: "Saved", times: 2 },
    { id: 4, kind: "complaint", text: "Saved" },
  ];
  expect(shown(notices).map(([id, , , count]) => [id, count])).toEqual([[1, 1], [2, 1], [3, 2], [4, 1]]);
});
