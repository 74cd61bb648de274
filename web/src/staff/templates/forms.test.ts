import { expect, test } from "vitest";
import { seenLetter } from "../../exam/option_order";
import { alikeForms, formsOf, keyRows, plainPlaces, repeatedQuestions, shownForms } from "./forms";
import { inForms, standard, templateQuestion } from "./testing/templates";

test("a template without forms has none, and its list is read as it is", () => {
  expect(formsOf(standard())).toEqual([]);
  // An adaptive one may keep them unread.
  expect(formsOf({ ...inForms(), mode: "adaptive" })).toEqual([]);
  expect(plainPlaces([templateQuestion("a"), templateQuestion("b", { answer: "C" })]).map(({ place, right }) => [place, right])).toEqual([
    [1, "B"],
    [2, "C"],
  ]);
});

test("each form has its questions in its order, with the place of each in form A", () => {
  const forms = formsOf(inForms());
  expect(forms.map(({ letter }) => letter)).toEqual(["A", "B", "C"]);
  expect(forms.map(({ places }) => places.map(({ id, inMaster }) => [id, inMaster]))).toEqual([
    [["one", 1], ["two", 2], ["typed", 3]],
    [["typed", 3], ["one", 1], ["two", 2]],
    [["other", undefined], ["typed", 3], ["two", 2]],
  ]);
  expect(forms[2]?.places[0]?.question?.topic).toBe("Decimals");
});

test("keys stand by position with the letters of each form", () => {
  const keys = keyRows(formsOf(inForms())).map((row) => row.map((cell) => (cell === undefined ? "" : seenLetter(cell.right, cell.order))));
  expect(keys).toEqual([
    ["B", "0.75", "A"],
    ["C", "D", "0.75"],
    ["0.75", "C", "B"],
  ]);
});

test("a key is known of a question that is not, and nothing moves up in its place", () => {
  const { standardQuestions: _, ...without } = inForms();
  const [first] = formsOf(without);
  expect(first?.places.map(({ place, question, right }) => [place, question === undefined, right])).toEqual([
    [1, true, "B"],
    [2, true, "C"],
    [3, true, "0.75"],
  ]);
});

test("the address names a form, all of them, or none", () => {
  const forms = formsOf(inForms());
  const named = (name: string) => shownForms(forms, name).map(({ letter }) => letter);
  expect([named(""), named("B"), named("all"), named("Z")]).toEqual([["A"], ["B"], ["A", "B", "C"], ["A"]]);
  expect(shownForms([], "B")).toEqual([]);
});

test("questions that stand in several forms are counted once", () => {
  expect(repeatedQuestions(formsOf(inForms()))).toBe(3);
  expect(repeatedQuestions(formsOf(inForms()).slice(0, 1))).toBe(0);
});

test("forms with the same questions and options in the same order are the same paper", () => {
  const forms = formsOf(inForms());
  expect(alikeForms(forms)).toEqual([]);
  const [a, b, c] = forms as [(typeof forms)[0], (typeof forms)[0], (typeof forms)[0]];
  expect(alikeForms([a, b, { ...b, letter: "C" }, { ...a, letter: "D" }, { ...b, letter: "E" }])).toEqual([
    ["A", "D"],
    ["B", "C", "E"],
  ]);
  // One question whose options stand otherwise makes another paper.
  const turned = { ...c, letter: "D", places: c.places.map((place, index) => (index === 0 ? { ...place, order: "BACD" } : place)) };
  expect(alikeForms([c, turned])).toEqual([]);
});
