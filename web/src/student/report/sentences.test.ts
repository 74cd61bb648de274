import { expect, test } from "vitest";
import en from "../../texts/report/en";
import vi from "../../texts/report/vi";
import type { StoredSession } from "../api";
import { findingsOf, QUESTIONS_MIN, SURE_MIN } from "./findings";
import { sentencesOf, type ReportReader } from "./sentences";

type Result = StoredSession["result"];

const STUDENT: ReportReader = { locale: "en-GB", topicOf: (topic) => topic, levelOf: (difficulty) => ["", "Easy", "Easy to medium", "Medium", "Medium to hard", "Hard"][difficulty] ?? "" };
const PARENTS: ReportReader = { ...STUDENT, childsName: "Ada" };

/** A result with these topics: for each, the right answers, the wrong ones and the questions without an answer. */
function resultOf(topics: Record<string, [right: number, wrong: number, open: number]>, difficulties: Result["difficultyBreakdown"] = []): Result {
  const rows = Object.entries(topics);
  const answers = rows.flatMap(([topic, [right, wrong, open]]) => [...Array(right).fill("right"), ...Array(wrong).fill("wrong"), ...Array(open).fill("open")].map((kind, index) => ({
    questionId: `${topic}-${index}`,
    selected: kind === "open" ? "" : "A",
    correct: kind === "right" ? "A" : "B",
    isCorrect: kind === "right",
  })));
  const topicBreakdown = rows.map(([topic, [right, wrong, open]]) => ({ topic, correct: right, total: right + wrong + open, percentage: 0 }));
  return { score: 500, correctAnswers: answers.filter(({ isCorrect }) => isCorrect).length, totalQuestions: answers.length, timeTaken: 60, topicBreakdown, difficultyBreakdown: difficulties, answers };
}

const said = (result: Result, reader = STUDENT, words = en) => sentencesOf(findingsOf(result), words, reader);

test("what was reached, what went well, and what to practise", () => {
  const result = resultOf({ Fractions: [5, 1, 0], Geometry: [2, 3, 1], Time: [1, 0, 0] });
  expect(said(result)).toEqual([
    "You answered 8 of 13 questions correctly and left 1 open.",
    "What went well: Fractions, with 5 of 6 right.",
    "What to practise: Geometry, where 2 of 6 were right.",
  ]);
  expect(said(result, PARENTS)[0]).toBe("Ada answered 8 of 13 questions correctly and left 1 open.");
  expect(said(result, { ...STUDENT, childsName: "" })[0]).toBe("Your child answered 8 of 13 questions correctly and left 1 open.");
  expect(said(result, PARENTS, vi)).toEqual(["Em Ada trả lời đúng 8/13 câu và bỏ trống 1 câu.", "Phần làm tốt: Fractions, đúng 5/6 câu.", "Phần cần luyện: Geometry, đúng 2/6 câu."]);
});

test("nothing is claimed of topics with one or two questions", () => {
  expect(said(resultOf({ Fractions: [1, 0, 0], Geometry: [0, 2, 0], Time: [2, 0, 0], Money: [0, 1, 0] }))).toEqual([
    "You answered 3 of 6 questions correctly.",
    "What went well: you solved 3 questions, on Time and Fractions.",
    "What to practise: look once more at the 3 questions that have no right answer yet.",
  ]);
});

test("where topics are too small, a level with enough questions is named, the hardest that went well", () => {
  const difficulties = [
    { difficulty: 1, correct: 4, total: 4 },
    { difficulty: 3, correct: 3, total: 4 },
    { difficulty: 5, correct: 1, total: 2 },
  ];
  expect(said(resultOf({ One: [2, 0, 0], Two: [2, 0, 0], Three: [2, 0, 0], Four: [2, 0, 0], Five: [0, 2, 0] }, difficulties))[1]).toBe("What went well: the questions of the level “Medium”, with 3 of 4 right.");
});

test("a small topic is a hint, and a slip is no weakness", () => {
  expect(said(resultOf({ Fractions: [6, 0, 0], Geometry: [1, 2, 0] }))[2]).toBe("What to practise: Geometry, where 1 of 3 was right. With so few questions this is no more than a hint.");
  expect(said(resultOf({ Fractions: [6, 0, 0], Geometry: [2, 1, 0] }))[2]).toBe("What to practise: look once more at the question that has no right answer yet.");
});

test("a result with everything right, with nothing right and without an answer", () => {
  expect(said(resultOf({ Fractions: [6, 0, 0], Geometry: [4, 0, 0] }))).toEqual([
    "You answered all 10 questions correctly.",
    "What went well: Fractions, with all 6 right.",
    "Nothing of this test is left to practise: a harder one may be next.",
  ]);
  expect(said(resultOf({ Fractions: [0, 4, 0], Geometry: [0, 1, 5] }))).toEqual([
    "5 questions were answered, and none was right this time.",
    "What went well: you tried 5 questions, and each shows what to look at next.",
    "What to practise: Geometry, where none of 6 was right yet.",
  ]);
  expect(said(resultOf({ Fractions: [0, 0, 10] })).slice(0, 2)).toEqual(["You left all 10 questions open.", "Every question can still be tried now, without a clock."]);
});

test("where nobody may see which answers were right, nothing is said of single questions and topics", () => {
  const result = resultOf({ Fractions: [6, 4, 0] });
  const hidden = { ...result, topicBreakdown: [], difficultyBreakdown: [], answers: result.answers.map(({ questionId, selected }) => ({ questionId, selected })) };
  expect(said(hidden)).toEqual(["You answered 6 of 10 questions correctly.", "What went well: you solved 6 questions."]);
});

test("a topic that is named twice is one, and a result without questions says nothing", () => {
  const result = resultOf({ Fractions: [3, 0, 0] });
  result.topicBreakdown.push({ topic: "Fractions", correct: 1, total: 2, percentage: 50 });
  expect(findingsOf(result).well).toEqual({ kind: "topic", name: "Fractions", correct: 4, total: 5 });
  expect(said(resultOf({}))).toEqual([]);
});

/** Numbers from 0 below `count` that look random and are the same each time. */
function drawn(seed: number): (count: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

test("whatever a result is, each sentence is true, whole, and kind", () => {
  for (let seed = 0; seed < 500; seed += 1) {
    const draw = drawn(seed);
    const names = ["Fractions", "Geometry", "Time", "Money", "Numbers", "Measuring"].slice(0, 1 + draw(6));
    const result = resultOf(Object.fromEntries(names.map((name) => [name, [draw(7), draw(5), draw(3)]])));
    const { reached, well, practise } = findingsOf(result);
    expect([reached.correct, reached.total]).toEqual([result.correctAnswers, result.totalQuestions]);
    const lineOf = (name: string) => result.topicBreakdown.find(({ topic }) => topic === name);
    if (well.kind === "topic") {
      expect(lineOf(well.name)).toMatchObject({ correct: well.correct, total: well.total });
      expect(well.total).toBeGreaterThanOrEqual(QUESTIONS_MIN);
      for (const { correct, total } of result.topicBreakdown.filter(({ total }) => total >= QUESTIONS_MIN)) expect(correct / total).toBeLessThanOrEqual(well.correct / well.total);
    }
    if (practise?.kind === "topic") {
      expect(lineOf(practise.name)).toMatchObject({ correct: practise.correct, total: practise.total });
      expect(practise.total).toBeGreaterThanOrEqual(QUESTIONS_MIN);
      expect(practise.isHint).toBe(practise.total < SURE_MIN);
      if (well.kind === "topic") expect(practise.name).not.toBe(well.name);
    }
    if (practise?.kind === "nothing") expect(result.correctAnswers).toBe(result.totalQuestions);
    for (const words of [en, vi]) {
      for (const reader of [STUDENT, PARENTS]) {
        const sentences = said(result, reader, words);
        expect(sentences).toHaveLength(result.totalQuestions === 0 ? 0 : 3);
        for (const sentence of sentences) {
          expect(sentence).toMatch(/^\p{Lu}?\S.*\.$/u);
          expect(sentence).not.toMatch(/undefined|NaN|null|  |\b(bad|poor|weak|fail\w*|unfortunately)\b|\b(kém|yếu|dốt|tệ|thất bại)\b/iu);
        }
      }
    }
  }
});
