import { expect, test } from "vitest";
import { entriesOf } from "./bank";
import {
  areTopicsAlone,
  choiceFields,
  choiceOf,
  drawable,
  foundTogether,
  isUsualChoice,
  missingParallels,
  numbersLeftOut,
  steppedTopic,
  topicsFault,
  topicStock,
  topicTargetsIn,
  topicTotal,
  usualChoice,
  withSource,
  withTopic,
  type DrawChoice,
} from "./choice";
import { adaptive, standard, templateQuestion } from "./testing/templates";

const asked = (topics: DrawChoice["topics"], changes: Partial<DrawChoice> = {}): DrawChoice => ({ ...usualChoice(), topics, ...changes });

test("who chooses nothing of the kind sends nothing but what is usual", () => {
  expect(isUsualChoice(usualChoice(), "standard")).toBe(true);
  expect(choiceOf(standard())).toEqual(usualChoice());
  const usual = { approvedOnly: false, sources: [], order: "mixed", types: "multiple-choice", shuffleOptions: false, inOrder: false };
  expect(choiceFields(usualChoice(), "standard")).toEqual({ topicTargets: {}, ...usual, forms: 1, parallelForms: false });
  expect(choiceFields(usualChoice(), "adaptive")).toEqual(usual);
  const others: Partial<DrawChoice>[] = [{ isApprovedOnly: true }, { sources: ["Book"] }, { order: "easy-first" }, { types: "all" }, { areShuffled: true }, { isInOrder: true }];
  for (const changes of others) expect(isUsualChoice(asked({}, changes), "adaptive")).toBe(false);
  // An adaptive template has no numbers by topic.
  expect([isUsualChoice(asked({ Sums: 3 }), "standard"), isUsualChoice(asked({ Sums: 3 }), "adaptive")]).toEqual([false, true]);
});

test("numbers by topic are typed and stepped, and none is as if nobody had typed", () => {
  const choice = withTopic(withTopic(usualChoice(), "Volume", 2), "Data", 0);
  expect(topicTargetsIn(choice)).toEqual({ Volume: 2 });
  expect(withTopic(choice, "Volume", null).topics).toEqual({ Data: 0 });
  expect(steppedTopic(usualChoice(), "Data", -1).topics).toEqual({});
  expect(steppedTopic(steppedTopic(usualChoice(), "Data", 1), "Data", -1)).toEqual(usualChoice());
  expect(steppedTopic(asked({ Data: 200 }), "Data", 1).topics).toEqual({ Data: 200 });
  expect(Object.keys(topicTargetsIn(asked({ Volume: 1, Data: 2, Money: 3 })))).toEqual(["Data", "Money", "Volume"]);
  expect(topicTotal(asked({ Volume: 1, Data: 2, Money: null }))).toBe(3);
});

test("what is wrong with the numbers by topic is found", () => {
  const counts = [4, 3, 3, 4, 6];
  expect(topicsFault(usualChoice(), counts)).toBeUndefined();
  expect(topicsFault(asked({ Data: 20 }), counts)).toBeUndefined();
  expect(topicsFault(asked({ Data: 19 }), counts)).toBe("unequal");
  expect(topicsFault(asked({ Data: 19 }, { isByDifficulty: false }), counts)).toBeUndefined();
  expect(topicsFault(asked({ Data: 1.5 }), counts)).toBe("number");
  expect(topicsFault(asked({ Data: 101, Sums: 100 }, { isByDifficulty: false }), counts)).toBe("range");
  const many = Object.fromEntries(Array.from({ length: 61 }, (_, index) => [`Topic ${index}`, 1]));
  expect(topicsFault(asked(many, { isByDifficulty: false }), counts)).toBe("many");
});

test("numbers by topic hold alone if those by difficulty are not wanted, or not there", () => {
  expect(areTopicsAlone("standard", asked({ Data: 3 }, { isByDifficulty: false }))).toBe(true);
  expect(areTopicsAlone("standard", asked({}, { isByDifficulty: false }))).toBe(false);
  expect(areTopicsAlone("adaptive", asked({ Data: 3 }, { isByDifficulty: false }))).toBe(false);
  const { standardTargets: _, ...alone } = standard({ topicTargets: { Data: 3 } });
  expect(choiceOf(alone)).toMatchObject({ topics: { Data: 3 }, isByDifficulty: false });
  expect(choiceOf(standard({ topicTargets: { Data: 3 } })).isByDifficulty).toBe(true);
});

test("sources are in order, and taken back", () => {
  const choice = withSource(withSource(usualChoice(), "Web", true), "Book", true);
  expect(choice.sources).toEqual(["Book", "Web"]);
  expect(withSource(withSource(choice, "Web", false), "Book", false)).toEqual(usualChoice());
});

test("the stock of topics obeys the other filters", () => {
  const bank = entriesOf({
    questions: [
      templateQuestion("a", { topic: "Data", source: "Book" }),
      templateQuestion("b", { topic: "Data", difficulty: 5 }),
      templateQuestion("c", { topic: "Money", difficulty: 5, source: "Book" }),
    ],
    reviews: { a: { status: "approved" }, b: { status: "approved" }, c: { status: "pending" } },
  });
  const stock = (changes: Partial<DrawChoice>) => Object.fromEntries(topicStock(drawable(bank, asked({}, changes))));
  expect(stock({})).toEqual({ Data: [1, 0, 0, 0, 1], Money: [0, 0, 0, 0, 1] });
  expect(stock({ isApprovedOnly: true })).toEqual({ Data: [1, 0, 0, 0, 1] });
  expect(stock({ sources: ["Book"] })).toEqual({ Data: [1, 0, 0, 0, 0], Money: [0, 0, 0, 0, 1] });
  expect(stock({ isApprovedOnly: true, sources: ["Web"] })).toEqual({});
  // What is pinned stays in the paper all the same.
  expect(Object.fromEntries(topicStock(drawable(bank, asked({}, { isApprovedOnly: true }), new Set(["c"]))))).toEqual({ Data: [1, 0, 0, 0, 1], Money: [0, 0, 0, 0, 1] });
});

test("a paper gets numbers only where they are asked for", () => {
  const bank = entriesOf({
    questions: [templateQuestion("a"), templateQuestion("n", { type: "number", options: [], answer: "0.5" }), templateQuestion("old", { type: "number" })],
    reviews: {},
  });
  const drawn = (types: DrawChoice["types"], pinned?: Set<string>) => drawable(bank, asked({}, { types }), pinned).map(({ question }) => question.id);
  // What has options is answered by one of them, whatever it was called before there were numbers.
  expect(drawn("multiple-choice")).toEqual(["a", "old"]);
  expect(drawn("number")).toEqual(["n"]);
  expect(drawn("all")).toEqual(["a", "n", "old"]);
  expect(drawn("multiple-choice", new Set(["n"]))).toEqual(["a", "n", "old"]);
  expect(choiceOf(standard({ types: "number" })).types).toBe("number");
});

test("what can be found by topic and difficulty together is less than by each alone", () => {
  const stock = new Map([
    ["Data", [5, 0, 0, 0, 0]],
    ["Money", [5, 0, 0, 0, 5]],
  ]);
  expect(foundTogether(asked({ Data: 2, Money: 2 }), [2, 0, 0, 0, 2], stock)).toEqual([2, 0, 0, 0, 2]);
  expect(foundTogether(asked({ Data: 3, Money: 1 }), [2, 0, 0, 0, 2], stock)).toEqual([2, 0, 0, 0, 1]);
  expect(foundTogether(asked({ Volume: 4 }), [2, 0, 0, 0, 2], stock)).toEqual([0, 0, 0, 0, 0]);
});

test("a template may say that its questions come in order", () => {
  for (const template of [standard({ inOrder: true }), adaptive({ inOrder: true })]) {
    const choice = choiceOf(template);
    expect([choice.isInOrder, choiceFields(choice, template.mode).inOrder]).toEqual([true, true]);
  }
});

test("forms are those of a standard template, and an adaptive one is not at fault for what it keeps", () => {
  const asking = { forms: 4, parallelForms: true, shuffleOptions: true };
  const choice = choiceOf(standard(asking));
  expect(choice).toMatchObject({ forms: 4, areParallel: true, areShuffled: true });
  expect(choiceFields(choice, "standard")).toMatchObject(asking);
  expect(choiceFields(choice, "adaptive")).not.toHaveProperty("forms");
  expect(choiceOf(adaptive(asking))).toMatchObject({ forms: 1, areParallel: false, areShuffled: true });
  expect(isUsualChoice(asked({}, { forms: 2 }), "standard")).toBe(false);
});

test("how many places have no parallel question is known before anything is drawn", () => {
  const four = { forms: 4, areParallel: true };
  const none = [0, 0, 0, 0, 0];
  // Of the easy ones the bank has as many as four forms need, and of the hard ones three too few.
  expect(missingParallels([2, 0, 0, 0, 2], [8, 0, 0, 0, 5], none, four)).toBe(3);
  // What the list itself does not get is no matter of forms.
  expect(missingParallels([9, 0, 0, 0, 0], [2, 0, 0, 0, 0], none, four)).toBe(6);
  expect(missingParallels([2, 0, 0, 0, 2], [2, 0, 0, 0, 2], none, { forms: 4, areParallel: false })).toBe(0);
  expect(missingParallels([2, 0, 0, 0, 2], [2, 0, 0, 0, 2], none, { forms: 1, areParallel: true })).toBe(0);
});

test("what is pinned needs no parallel question, and is none for another", () => {
  const two = { forms: 2, areParallel: true };
  expect(missingParallels([3, 0, 0, 0, 2], [3, 0, 0, 0, 2], [3, 0, 0, 0, 2], two)).toBe(0);
  // Two places are drawn for each form from four questions that are not pinned, and then from three.
  expect(missingParallels([3, 0, 0, 0, 0], [5, 0, 0, 0, 0], [1, 0, 0, 0, 0], two)).toBe(0);
  expect(missingParallels([3, 0, 0, 0, 0], [4, 0, 0, 0, 0], [1, 0, 0, 0, 0], two)).toBe(1);
  // More are pinned than the numbers ask for.
  expect(missingParallels([1, 0, 0, 0, 0], [5, 0, 0, 0, 0], [3, 0, 0, 0, 0], two)).toBe(0);
});

test("the numbers that the type leaves out are counted, of the topics that are asked for", () => {
  const number = (id: string, topic: string, source = "") => templateQuestion(id, { topic, source, type: "number", options: [] });
  const bank = entriesOf({
    questions: [templateQuestion("a", { topic: "Decimals" }), number("b", "Decimals", "Book"), number("c", "Fractions"), number("d", "Decimals")],
    reviews: { b: { status: "approved" }, c: { status: "approved" } },
  });
  expect(numbersLeftOut(bank, usualChoice(), "standard")).toBe(3);
  expect(numbersLeftOut(bank, asked({ Decimals: 2 }), "standard")).toBe(2);
  expect(numbersLeftOut(bank, asked({ Decimals: 2 }), "adaptive")).toBe(3);
  expect(numbersLeftOut(bank, asked({}, { isApprovedOnly: true, sources: ["Book"] }), "standard")).toBe(1);
  expect(numbersLeftOut(bank, usualChoice(), "standard", new Set(["c"]))).toBe(2);
  for (const types of ["all", "number"] as const) expect(numbersLeftOut(bank, asked({}, { types }), "standard")).toBe(0);
});
