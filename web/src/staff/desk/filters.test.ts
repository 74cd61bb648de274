import { expect, test } from "vitest";
import { isFound, isShown, plain } from "./filters";
import { deskRow } from "./testing/rows";

test("a name is found with and without its accents", () => {
  const found = deskRow({ student: "Đặng Thị Hòa", seat: "B-14", account: "hoa@school.example" });
  for (const typed of ["dang", "hoa", "HÒA", "thị hòa", "b-14", "school"]) expect(isFound(plain(typed), found), typed).toBe(true);
  expect(isFound(plain("minh"), found)).toBe(false);
});

test("a choice shows whom it names", () => {
  expect(isShown("offline", deskRow({ connected: false }), false)).toBe(true);
  expect(isShown("offline", deskRow({ connected: false, state: "submitted" }), false), "who has handed in may go offline").toBe(false);
  expect(isShown("unready", deskRow({ state: "waiting" }), false)).toBe(true);
  expect(isShown("attention", deskRow(), true)).toBe(true);
});
