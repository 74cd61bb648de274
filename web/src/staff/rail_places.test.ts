import { expect, test } from "vitest";
import { placesOf } from "./rail_places";

const rail = (words: string, here: string) => words.split(" ").map((title) => ({ title, isHere: title === here }));
const shown = (words: string, here: string, width: number) => {
  const { row, rest } = placesOf(rail(words, here), width);
  return [row.map(({ title }) => title).join(" "), rest.map(({ title }) => title).join(" ")];
};
const ALL = "today sittings desk templates questions results people";

test("a phone has as many pages in its row as fit, and the rest behind one more place", () => {
  expect(shown(ALL, "today", 390)).toEqual(["today sittings desk templates", "questions results people"]);
  expect(shown(ALL, "", 320)).toEqual(["today sittings desk", "templates questions results people"]);
  expect(shown(ALL, "today", 704)).toEqual([ALL, ""]);
  expect(shown("today questions results calendar", "today", 390)).toEqual(["today questions results calendar", ""]);
});

test("the page that is shown is always in the row", () => {
  expect(shown(ALL, "people", 390)).toEqual(["today sittings desk people", "templates questions results"]);
  expect(shown(ALL, "sittings", 100)).toEqual(["today sittings", "desk templates questions results people"]);
});

test("where there is room, all are shown", () => {
  expect(shown(ALL, "desk", Infinity)).toEqual([ALL, ""]);
});
