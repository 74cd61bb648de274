import { expect, test } from "vitest";
import { isClockShown, isSameView, narrowQuery, NO_GRADE, USUAL, usualView, viewIn } from "./settings";

test("a view that was stored is read as it was", () => {
  const view = { size: 150, spacing: "wide", theme: "dark", ruler: true, clock: "hidden", words: true } as const;
  expect(viewIn(JSON.parse(JSON.stringify(view)))).toEqual(view);
});

test("what is no choice is as usual", () => {
  for (const stored of [undefined, null, 7, "dark", [], {}, { size: 5_000, spacing: "huge", theme: "<b>", ruler: "yes", clock: 1, words: 1 }]) expect(viewIn(stored)).toEqual(USUAL);
  expect(viewIn({ theme: "cream", size: "125", later: 1 })).toEqual({ ...USUAL, theme: "cream" });
});

test("two views are the same if every choice is", () => {
  expect(isSameView(USUAL, { ...USUAL })).toBe(true);
  for (const change of [{ size: 125 }, { spacing: "wide" }, { theme: "dark" }, { ruler: true }, { clock: "shown" }, { words: true }] as const) expect(isSameView(USUAL, { ...USUAL, ...change })).toBe(false);
});

test("large text has one column on screens that are wide otherwise", () => {
  expect(narrowQuery(USUAL)).toBe("(max-width: 64rem)");
  expect(narrowQuery({ ...USUAL, size: 200 })).toBe("(max-width: 128rem)");
});

test("the clock is shown where there is room, unless the student has chosen", () => {
  const shown = (clock: "auto" | "shown" | "hidden") => [true, false].map((hasRoom) => isClockShown({ ...USUAL, clock }, hasRoom));
  expect([shown("auto"), shown("shown"), shown("hidden")]).toEqual([
    [true, false],
    [true, true],
    [false, false],
  ]);
});

test("little ones have large text, and the device says which theme, as long as nobody has chosen", () => {
  expect([NO_GRADE, 1, 3, 4, 10].map((grade) => usualView(grade, false, false).size)).toEqual([100, 125, 125, 100, 100]);
  expect(usualView(4, false, false)).toEqual(USUAL);
  expect(usualView(2, true, false)).toEqual({ ...USUAL, size: 125, theme: "dark" });
  expect([usualView(5, true, true).theme, usualView(5, false, true).theme]).toEqual(["contrast", "contrast"]);
});
