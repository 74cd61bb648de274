import { expect, test } from "vitest";
import { openAccess, proposedAccess } from "./rules";
import { accessSentence } from "./sentence";
import en from "./texts/en";
import vi from "./texts/vi";

const show = (ms: number) => `day ${ms}`;

test("one sentence says all that is set", () => {
  expect(accessSentence(openAccess(), en, show)).toBe("Anyone who has the link can sit it, as often as they like; answers are shown as soon as a test is handed in.");
  expect(accessSentence(proposedAccess(), en, show)).toBe("Everyone who is signed in can sit it, once; answers are shown as soon as a test is handed in.");
  const all = { ...proposedAccess(), who: "classes" as const, classIds: ["a", "b"], attempts: 3, opens: 1, closes: 2, code: "K7PQ", answers: "after-closing" as const, practice: true };
  expect(accessSentence(all, en, show)).toBe(
    "The people of 2 classes can sit it, 3 times, from day 1 until day 2, with a code; answers are shown when it has closed, and anyone may read its questions with their answers.",
  );
  expect(accessSentence(all, vi, show)).toBe(
    "Học sinh của 2 lớp làm được, 3 lần, từ day 1 đến day 2, cần mã; đáp án được hiện khi bài đã đóng, và ai cũng đọc được câu hỏi của đề cùng đáp án.",
  );
});

test("twice is said in a word", () => {
  expect(accessSentence({ ...proposedAccess(), attempts: 2 }, en, show)).toContain("can sit it, twice;");
});

test("a window may have one side, and what is no time is not said", () => {
  expect(accessSentence({ ...openAccess(), opens: 1 }, en, show)).toContain(", from day 1 on;");
  expect(accessSentence({ ...openAccess(), opens: NaN, closes: 2 }, en, show)).toContain(", until day 2;");
  expect(accessSentence({ ...openAccess(), attempts: 1 }, en, show)).toContain("as often as they like");
});
