import { expect, test } from "vitest";
import { askedLevels, importFaults, rowFaultText } from "./report";
import en from "./texts/en";
import vi from "./texts/vi";

test("each sentence is beside the number of its row", () => {
  const errors = ["Row 17: grade must be 1 to 10", "Row 2: answer D has no option; optionA and optionB are equal (sheet Khối 5)", "The service is full"];
  expect(importFaults({ added: 0, updated: 0, errors })).toEqual([
    { id: "0", row: 17, place: "", sheet: "", sentence: "grade must be 1 to 10" },
    { id: "1", row: 2, place: "", sheet: "Khối 5", sentence: "answer D has no option; optionA and optionB are equal" },
    { id: "2", row: undefined, place: "", sheet: "", sentence: "The service is full" },
  ]);
});

test("what the server says of a row is said in the reader's language, with the file's own headings", () => {
  expect(rowFaultText("question required; answer D has no option", en.faults)).toBe("“question” is empty; the answer is D, but there is no option D");
  const sentences = [
    "question required",
    "grade must be 1 to 10",
    "difficulty must be 1 to 5",
    "answer must be one of A, B, C, D",
    "answer must be a number in digits, such as 12, -3 or 0.5",
    "tolerance must be a number in digits that is not negative",
    "unit must have at most 20 characters, and not begin like a number",
    "forms must be some of decimal, fraction, mixed",
    "language must be en or vi",
    "type must be multiple-choice or number",
    "a question of the type number has no options",
    "secure must be yes or no",
    "practice must be yes or no",
    "answer D has no option",
    "optionB is empty, but optionC is not",
    "explanation is longer than 32767 characters",
    "question has control characters",
    "optionA has the error #REF!",
    "optionA is a date: format the cell as text and type it again",
    "optionA and optionB are dates: format the cells as text and type them again",
    "image must be an https address, a data:image address, or a path below /media, /pictures or /assets",
    "id has lost digits: format the column as text and type it again",
    "question has text that is struck out: remove it, or the whole row",
    "optionA has raised or lowered text: write it as a formula, such as $x^{n}$",
    "optionA and optionB are equal",
    "id g5-001 stands in row 7 already",
    "id q1 stands in line 3 (One) already",
    "it has 3 options, but 4 are needed (or the tag options:3)",
    "no option is right",
    "2 options give points: only one may be right",
    "its best option gives only 90 % of the points",
    "several options may be chosen",
    "it is no multiple choice: essay",
    "grade required: choose one for the import, or give it a tag such as grade:5",
    "difficulty required: choose one for the import, or give it a tag such as difficulty:3",
    "option B has a picture: only the question may have one",
    "it has more than one picture",
    "the picture has 25000 bytes: a question keeps about 24000",
    "the picture a.png is not in the file",
    "the picture is no PNG, JPEG, GIF, WebP or SVG",
    "the picture is broken, or has too many pixels or elements",
    "the picture is larger than 8 MiB",
    "the picture cannot be made small enough",
    "the picture has no room beside those before it: import the file in parts",
    "it has a table, which a question here can't show",
    "the formula can't be read: <mfrac> has other parts than it should",
  ];
  for (const sentence of sentences) expect(rowFaultText(sentence, vi.faults), sentence).not.toBe(sentence);
  expect(rowFaultText("something new", vi.faults)).toBe("something new");
});

test("parts of a sentence are kept", () => {
  expect(rowFaultText("optionA and optionB are dates: format the cells as text and type them again", en.faults)).toContain("optionA and optionB");
  expect(rowFaultText("id g5-001 stands in row 7 already", vi.faults)).toMatch(/g5-001.*7/);
});

test("a question of another system is beside its place", () => {
  const errors = [
    "Line 12 (Sum: one): it has 3 options, but 4 are needed (or the tag options:3)",
    "items/a.xml, line 3 (N): grade required: choose one for the import, or give it a tag such as grade:5",
    "Question 4: no option is right",
  ];
  const faults = importFaults({ added: 0, updated: 0, errors });
  expect(faults.map(({ row, place }) => [row, place])).toEqual([
    [undefined, "Line 12 (Sum: one)"],
    [undefined, "items/a.xml, line 3 (N)"],
    [undefined, "Question 4"],
  ]);
  expect(faults[2]?.sentence).toBe("no option is right");
  const asked = (grade: string, difficulty: string, of = errors) => askedLevels({ added: 0, updated: 0, errors: of }, { grade, difficulty });
  expect([asked("", ""), asked("", "3"), asked("6", ""), asked("6", "3")]).toEqual(["both", "grade", "difficulty", undefined]);
  expect(asked("", "", errors.slice(2))).toBeUndefined();
});
