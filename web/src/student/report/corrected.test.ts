import { expect, test } from "vitest";
import en from "../../texts/report/en";
import vi from "../../texts/report/vi";
import type { AnswerLine, StoredSession } from "../api";
import { changeOf, isRightOption, isWrong } from "./corrected";

function session(changes: Partial<StoredSession>, score = 620): StoredSession {
  const result = { score, correctAnswers: 9, totalQuestions: 10, timeTaken: 60, topicBreakdown: [], difficultyBreakdown: [], answers: [] };
  const times = { startedAt: "2026-11-23T09:00:00Z", completedAt: "2026-11-23T10:00:00Z" };
  return { sessionId: "s", grade: 5, ...times, origin: "live", annotations: {}, version: 1, result, ...changes };
}

function line(changes: Partial<AnswerLine>): AnswerLine {
  return { questionId: "g5-001", selected: "C", correct: "B", isCorrect: false, ...changes };
}

test("a changed result says why, and what it was before", () => {
  expect(changeOf(session({}), en, "en")).toBeUndefined();
  const changed = session({ version: 2, reason: "key_corrected", previous: { version: 1, score: 580 } });
  expect(changeOf(changed, en, "en")).toBe("This result was changed, because the key of a question was corrected. The score was 580 before.");
  expect(changeOf(changed, vi, "vi")).toBe("Kết quả này đã được thay đổi vì đáp án của một câu hỏi đã được sửa. Điểm trước đó là 580.");
  const reverted = session({ version: 3, reason: "reverted", previous: { version: 2, score: 620 } });
  expect(changeOf(reverted, en, "en")).toBe("This result was changed, because an earlier change was taken back. The score is 620, as before.");
});

test("the mark of before stands beside the score of before, where there was one", () => {
  const changed = session({ version: 2, reason: "key_corrected", mark: { text: "7.5", passed: true }, previous: { version: 1, score: 580, mark: { text: "7.0", passed: true } } });
  expect(changeOf(changed, en, "en")).toMatch(/ The score was 580 before\. The mark was 7\.0 before\.$/);
  expect(changeOf(changed, vi, "vi")).toMatch(/ Điểm quy đổi trước đó là 7,0\.$/);
  expect(changeOf({ ...changed, mark: { text: "7.0", passed: true } }, en, "en")).toMatch(/ The mark is 7\.0, as before\.$/);
  // Somebody has taken the scale away since, or given one.
  expect(changeOf(session({ version: 2, reason: "key_corrected", previous: { version: 1, score: 580 } }), en, "en")).not.toContain("mark");
});

test("a question that does not count is not one that was wrong", () => {
  expect([isWrong(line({})), isWrong(line({ correction: "drop" })), isWrong(line({ isCorrect: true, correction: "all" }))]).toEqual([true, false, false]);
  // Of an older test nobody may know.
  const { isCorrect: _, ...unknown } = line({});
  expect(isWrong(unknown)).toBe(true);
});

test("further options that count are right too", () => {
  const also = line({ isCorrect: true, correction: "also", alsoCorrect: ["C"] });
  expect([isRightOption(also, "B"), isRightOption(also, "C"), isRightOption(also, "D")]).toEqual([true, true, false]);
  // Also for whoever has chosen neither.
  const wrong = line({ selected: "D", correction: "also", alsoCorrect: ["C"] });
  expect([isRightOption(wrong, "B"), isRightOption(wrong, "C"), isRightOption(wrong, "D")]).toEqual([true, true, false]);
  // Credit for everyone makes no option right.
  expect(isRightOption(line({ isCorrect: true, correction: "all" }), "C")).toBe(false);
});
