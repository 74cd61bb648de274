import { expect, test } from "vitest";
import { candidate } from "../testing/school";
import { areInOneLine, byChance, formCounts, onOneSeat } from "./seat_forms";

const seated = (...seats: string[]) => seats.map((seat) => candidate({ form: "A", formBy: "seat", room: "B12", seat }));

test("forms are counted by their letters, and there are none where everybody has the same paper", () => {
  const people = [candidate({ form: "B" }), candidate({ form: "A" }), candidate({ form: "B" })];
  expect(formCounts(people)).toEqual([
    { letter: "A", count: 1 },
    { letter: "B", count: 2 },
  ]);
  expect(formCounts([candidate(), candidate({ seat: "7" })])).toEqual([]);
});

test("chance is what the server calls so", () => {
  const people = (["chance", "seat", "entered", "chance"] as const).map((formBy) => candidate({ form: "A", formBy }));
  expect([byChance(people), byChance([candidate({ seat: null }), candidate()])]).toEqual([2, 0]);
});

test("single numbers do not say who sits in front of whom", () => {
  expect([["1", "2"], ["Seat 7", "Số 8"], [" 12 ", "No. 13"]].map((seats) => areInOneLine(seated(...seats)))).toEqual([true, true, true]);
  for (const other of ["B4", "2/5", "R2S5", "Row 2 Seat 5", "3.07", "12C", "c"]) expect(areInOneLine(seated("1", other)), other).toBe(false);
  // One seat has no neighbour, and chance is said of elsewhere.
  expect([areInOneLine(seated("1")), areInOneLine([...seated("1"), candidate({ form: "B", formBy: "chance", seat: "window" })])]).toEqual([false, false]);
  expect(areInOneLine([candidate({ seat: "1" }), candidate({ seat: "2" })])).toBe(false);
});

test("a seat that two have gives them the same form, in one room", () => {
  expect(onOneSeat(seated("B4", "b4 ", "B5", "B6", "B6"))).toBe(4);
  expect(onOneSeat([...seated("B4"), candidate({ form: "A", formBy: "seat", room: "B13", seat: "B4" })])).toBe(0);
  expect(onOneSeat([candidate({ seat: "B4" }), candidate({ seat: "B4" })])).toBe(0);
});
