import { expect, test, vi } from "vitest";
import { questionDraftOf } from "./draft";
import { draftDoubts, isBlocking } from "./draft_doubts";
import { bankQuestion, numberQuestion } from "./testing/bank";

vi.mock("../../math/font", () => ({ loadFont: async () => true, settleFont: async () => true }));
vi.mock("../../math/math.css", () => ({}));

const draft = questionDraftOf(bankQuestion());
const reaches = async (address: string) => address === "/media/there.png";
const doubts = async (changes: Partial<typeof draft>) => (await draftDoubts({ ...draft, ...changes }, reaches)).map(({ field, kind, text }) => [field, kind, text]);

test("a formula that can't be read is named at its field", async () => {
  expect(await doubts({ question: "What is $\\frac{1}{2}$ of $\\frac{1}{2$?", options: ["$\\fraq{1}{2}$", "$x^2$"], explanation: "$$\\sqrt{2$$" })).toEqual([
    ["Question", "formula", "\\frac{1}{2"],
    ["Option A", "formula", "\\fraq{1}{2}"],
    ["Explanation", "formula", "\\sqrt{2"],
  ]);
});

test("a formula without its dollar signs is found, and a price is none", async () => {
  expect(await doubts({ question: "What is $\\frac{1}{2} of 10?", explanation: "Half: \\frac{1}{2}. And $x^2" })).toEqual([
    ["Question", "noFormula", "$\\frac{1}{2}"],
    ["Explanation", "noFormula", "\\frac{1}{2}."],
  ]);
  expect(await doubts({ question: "Tom pays $5 and \\$6, 7$ in all ($), $x$ and $$y$$ \\\\ too", options: ["$3", "US$"] })).toEqual([]);
});

test("an address that is no picture, or from which none comes, is said", async () => {
  const described = { imageDescription: "A triangle." };
  expect(await doubts({ image: "triangle.png", ...described })).toEqual([["Image", "notPicture", "triangle.png"]]);
  expect(await doubts({ image: " /media/gone.png ", ...described })).toEqual([["Image", "noPicture", "/media/gone.png"]]);
  expect([await doubts({ image: "/media/there.png", ...described }), await doubts({ image: " " })]).toEqual([[], []]);
});

test("a picture without a description is said, and words without a picture are no fault", async () => {
  expect(await doubts({ image: "/media/there.png", imageDescription: " \n" })).toEqual([["Image description", "noDescription", ""]]);
  expect(await doubts({ imageDescription: "A triangle." })).toEqual([]);
});

test("only what may be meant can be saved", async () => {
  const found = await draftDoubts({ ...draft, question: "$\\fraq{1}$", explanation: "\\frac{1}{2}", image: "/media/gone.png" }, reaches);
  expect(found.map((doubt) => [doubt.kind, isBlocking(doubt)])).toEqual([
    ["formula", true],
    ["noFormula", false],
    ["noPicture", true],
    ["noDescription", true],
  ]);
});

test("a unit that the question names too is said, and may be meant", async () => {
  const asked = async (question: string, unit = "cm") => {
    const of = questionDraftOf(numberQuestion({ question, unit }));
    return (await draftDoubts(of, reaches)).map((doubt) => [doubt.field, doubt.kind, doubt.text, isBlocking(doubt)]);
  };
  const twice = [["Unit", "unitTwice", "cm", false]];
  expect(await asked("How many cm long is it?")).toEqual(twice);
  expect(await asked("It is 5 cm wide. How long is it, in cm?")).toEqual(twice);
  // Of what is given, of another unit, and of a word that has the same letters, nothing is said.
  expect(await asked("It is 5 cm wide and $12$ cm high. How long is it?")).toEqual([]);
  expect(await asked("What is its area in cm²?")).toEqual([]);
  expect(await asked("An acme has 3 sides. How long is one?")).toEqual([]);
  expect(await asked("How many cm is it?", "")).toEqual([]);
  // And options that somebody has tried before are not asked about.
  const tried = { ...questionDraftOf(numberQuestion()), options: ["$\\fraq{1}$"] };
  expect(await draftDoubts(tried, reaches)).toEqual([]);
});
