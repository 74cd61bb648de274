import { expect, test } from "vitest";
import { byChance, formCounts, formSource, tellsNeighbours } from "./seat_forms";
import { candidate } from "./testing/school";

test("a seat tells neighbours apart by a number or by a letter", () => {
  for (const seat of ["7", "B4", "R2S5", "2/5", "Row 2 Seat 5", "c", " D ", "Đ", "Bàn B", "AB"]) expect(tellsNeighbours(seat), seat).toBe(true);
  for (const seat of ["window", "by the door", "Cửa sổ", "ab", "", "?!", null]) expect(tellsNeighbours(seat), String(seat)).toBe(false);
});

test("forms are counted by their letters, and there are none where everybody has the same paper", () => {
  const people = [candidate({ form: "B" }), candidate({ form: "A" }), candidate({ form: "B" })];
  expect(formCounts(people)).toEqual([
    { letter: "A", count: 1 },
    { letter: "B", count: 2 },
  ]);
  expect(formCounts([candidate(), candidate({ seat: "7" })])).toEqual([]);
});

test("chance decides where no seat does, until they enter", () => {
  const people = [candidate({ form: "A" }), candidate({ form: "A", seat: "window" }), candidate({ form: "B", seat: "4" }), candidate({ form: "B", sessionId: "s" }), candidate()];
  expect(byChance(people)).toBe(2);
  expect(people.slice(0, 4).map(formSource)).toEqual(["chance", "chance", "seat", "entered"]);
  expect(formSource(candidate({ form: "B", seat: "4", sessionId: "s" }))).toBe("entered");
});
