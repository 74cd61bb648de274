import { expect, test } from "vitest";
import { asSeen, seenChoices, seenLetter } from "./option_order";
import { CHOICES } from "./protocol";
import type { Question } from "./question";

const question = (options: string[]): Question => ({ id: "q1", grade: 5, topic: "", subtopic: "", difficulty: 1, question: "?", options });

/** All orders of these letters. */
function ordersOf(letters: readonly string[]): string[] {
  if (letters.length === 0) return [""];
  return letters.flatMap((letter) => ordersOf(letters.filter((other) => other !== letter)).map((rest) => letter + rest));
}

const orders = [2, 3, 4].flatMap((count) => ordersOf(CHOICES.slice(0, count)));

test("what is shown first is A, and means what the order begins with", () => {
  const seen = asSeen(question(["one", "two", "three", "four"]), "CADB") as Question;
  expect(seenChoices(seen)).toEqual(["C", "A", "D", "B"]);
  expect(CHOICES.map((choice) => seenLetter(choice, seen.order))).toEqual(["B", "D", "A", "C"]);
});

test("in every order each option is shown once, and the letter beside it is the one that is told of it", () => {
  expect(orders).toHaveLength(2 + 6 + 24);
  for (const order of orders) {
    const seen = asSeen(question([...order].map((letter) => `option ${letter}`)), order) as Question;
    const shown = seenChoices(seen);
    expect([...shown].sort(), order).toEqual(CHOICES.slice(0, order.length));
    shown.forEach((choice, position) => expect(seenLetter(choice, seen.order), order).toBe(CHOICES[position]));
    // There and back: the letter that is seen leads to the option that is meant.
    for (const choice of shown) expect(shown["ABCD".indexOf(seenLetter(choice, order))], order).toBe(choice);
  }
});

test("without an order, letters are those of the bank", () => {
  const plain = question(["one", "two", "three"]);
  expect(asSeen(plain, undefined)).toBe(plain);
  expect(seenChoices(plain)).toEqual(["A", "B", "C"]);
  for (const choice of CHOICES) expect(seenLetter(choice, undefined)).toBe(choice);
});

test("an order of another number of options is not used, so that none is hidden and none is empty", () => {
  for (const [options, order] of [[["one", "two", "three", "four"], "CAB"], [["one", "two", "three"], "CADB"], [[], "BA"]] as const) {
    const changed = question([...options]);
    expect(asSeen(changed, order)).toBe(changed);
    expect(seenChoices(changed)).toEqual(CHOICES.slice(0, options.length));
  }
  expect(asSeen(undefined, "BA")).toBeUndefined();
});

test("no answer and numbers stay as they are", () => {
  expect(seenLetter("", "CADB")).toBe("");
  for (const typed of ["12", "1/2", "AB", "A"]) expect(seenLetter(typed, undefined)).toBe(typed);
});
