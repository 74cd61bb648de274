import { expect, test } from "vitest";
import { handListOf, isSameHand, pinsAfter, placeUnder, seenElsewhere, withMoved, withoutQuestion, withPin } from "./hand";
import { adaptive, standard, templateQuestion } from "./testing/templates";

const HAND = { ids: ["a", "b", "c"], pins: ["b"] };

test("a question is moved, and the ends hold", () => {
  expect(withMoved(HAND.ids, 0, 2)).toEqual(["b", "c", "a"]);
  expect(withMoved(HAND.ids, 2, 0)).toEqual(["c", "a", "b"]);
  expect(withMoved(HAND.ids, 1, 9)).toEqual(["a", "c", "b"]);
  expect(withMoved(HAND.ids, 0, -1)).toEqual(HAND.ids);
  expect(withMoved(HAND.ids, 7, 0)).toEqual(HAND.ids);
});

test("it is dragged past all whose middle it has passed", () => {
  const middles = [20, 60, 100];
  expect([10, 59, 61, 400].map((y) => placeUnder(y, middles))).toEqual([0, 1, 2, 3]);
});

test("what is taken out is no longer pinned, and pins have no order", () => {
  expect(withoutQuestion(HAND, "b")).toEqual({ ids: ["a", "c"], pins: [] });
  expect(withPin(HAND, "a", true).pins).toEqual(["b", "a"]);
  expect(withPin(HAND, "b", true).pins).toEqual(["b"]);
  expect(withPin(HAND, "b", false).pins).toEqual([]);
  expect(isSameHand({ ids: ["a", "b"], pins: ["b", "a"] }, { ids: ["a", "b"], pins: ["a", "b"] })).toBe(true);
  expect(isSameHand(HAND, { ...HAND, ids: ["b", "a", "c"] })).toBe(false);
  expect(isSameHand(HAND, withPin(HAND, "c", true))).toBe(false);
});

test("a list shows its own pins, and keeps those of others", () => {
  const template = adaptive({ pinned: ["first-2", "80-90-1"] });
  expect(handListOf(template, "session1")).toEqual({ ids: ["first-1", "first-2"], pins: ["first-2"] });
  expect(handListOf(template, "60-70").pins).toEqual([]);
  expect(handListOf(standard({ standardQuestions: [templateQuestion("q")] }), "standard")).toEqual({ ids: ["q"], pins: [] });
  expect(pinsAfter(["first-2", "80-90-1"], ["first-1", "first-2"], ["first-1"])).toEqual(["80-90-1", "first-1"]);
});

test("a stage leaves out the questions of the other one", () => {
  expect(seenElsewhere(standard({ standardQuestions: [templateQuestion("q")] }), "standard").size).toBe(0);
  expect([...seenElsewhere(adaptive(), "80-90")]).toEqual(["first-1", "first-2"]);
  const ofFirst = seenElsewhere(adaptive(), "session1");
  expect([ofFirst.has("first-1"), ofFirst.has("80-90-2"), ofFirst.size]).toEqual([false, true, 10]);
});
