import { expect, test } from "vitest";
import { foundRows, isShown, plain } from "./filters";
import { deskRow } from "./testing/rows";

test("a name is found with and without its accents", () => {
  const found = deskRow({ student: "Đặng Thị Hòa", seat: "B-14", account: "hoa@school.example" });
  for (const typed of ["dang", "hoa", "HÒA", "thị hòa", "b-14", "school"]) expect(foundRows(plain(typed), [found]), typed).toEqual([found]);
  expect(foundRows(plain("minh"), [found])).toEqual([]);
});

test("a number finds who sits there first", () => {
  const rows = ["112", "A-12", "120", "12", "012"].map((seat) => deskRow({ student: `at ${seat}`, seat }));
  const seats = (typed: string) => foundRows(plain(typed), rows).map(({ seat }) => seat);
  expect(seats("12")).toEqual(["12", "A-12", "012", "112", "120"]);
  expect(seats("a-12")).toEqual(["A-12"]);
  expect(seats(""), "by seat, as they came").toEqual(["112", "A-12", "120", "12", "012"]);
  const named = deskRow({ student: "Room 12" });
  expect(foundRows("12", [named, ...rows]).map(({ student }) => student).at(3), "who has no seat stands where they were").toBe("Room 12");
});

test("a choice shows whom it names", () => {
  expect(isShown("offline", deskRow({ connected: false }), false)).toBe(true);
  expect(isShown("offline", deskRow({ connected: false, state: "submitted" }), false), "who has handed in may go offline").toBe(false);
  expect(isShown("unready", deskRow({ state: "waiting" }), false)).toBe(true);
  expect(isShown("attention", deskRow(), true)).toBe(true);
});
