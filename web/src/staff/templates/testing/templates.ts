// Templates for tests, in which only what a test is about has to be said.

import { BANDS, targetsOf, type TemplateQuestion, type FullTemplate } from "../shapes";

export function templateQuestion(id: string, changes: Partial<TemplateQuestion> = {}): TemplateQuestion {
  return {
    id,
    grade: 5,
    topic: "Fractions",
    subtopic: "Sums",
    difficulty: 1,
    question: "What is $\\frac{1}{2} + \\frac{1}{4}$?",
    options: ["1/6", "3/4", "2/6", "1/8"],
    answer: "B",
    explanation: "Two quarters and one.",
    image: "",
    source: "",
    type: "multiple-choice",
    ...changes,
  };
}

const COMMON = { grades: [5], durationMinutes: 30, calculator: "none" as const, createdAt: "2026-11-20T10:00:00Z", updatedAt: "2026-11-21T10:00:00Z", createdBy: "head@school.example" };

export function standard(changes: Partial<FullTemplate> = {}): FullTemplate {
  return { ...COMMON, id: "s", name: "Spring", mode: "standard", standardTargets: targetsOf([4, 3, 3, 4, 6]), standardQuestions: [], ...changes };
}

/** Two questions in each list. */
export function adaptive(changes: Partial<FullTemplate> = {}): FullTemplate {
  const list = (name: string) => [templateQuestion(`${name}-1`), templateQuestion(`${name}-2`, { difficulty: 5 })];
  const byBand = <T>(of: (band: string) => T) => Object.fromEntries(BANDS.map((band) => [band, of(band)]));
  return {
    ...COMMON,
    id: "a",
    name: "Autumn",
    mode: "adaptive",
    session1Targets: targetsOf([1, 0, 0, 0, 1]),
    session2TargetsByBand: byBand(() => targetsOf([1, 0, 0, 0, 1])),
    session1Questions: list("first"),
    session2QuestionsByBand: byBand(list),
    ...changes,
  };
}

/** Three questions in three forms: the second one has their options in another order too, and the third a parallel question. */
export function inForms(changes: Partial<FullTemplate> = {}): FullTemplate {
  const typed = templateQuestion("typed", { type: "number", options: [], answer: "0.75" });
  return standard({
    forms: 3,
    parallelForms: true,
    standardQuestions: [templateQuestion("one"), templateQuestion("two", { answer: "C" }), typed],
    formQuestions: [templateQuestion("other", { topic: "Decimals", answer: "D" })],
    formLists: [
      { form: "A", questions: ["one", "two", "typed"], correct: { one: "B", two: "C", typed: "0.75" } },
      { form: "B", questions: ["typed", "one", "two"], optionOrder: { one: "CADB" }, correct: { one: "B", two: "C", typed: "0.75" } },
      { form: "C", questions: ["other", "typed", "two"], optionOrder: { other: "DCBA", two: "ACBD" }, correct: { other: "D", two: "C", typed: "0.75" } },
    ],
    ...changes,
  });
}
