// Whatever the server can say of a file of questions is said in the reader's language. Its sentences are read from its source, so
// that a new one can't be forgotten here.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importNotes, noteText, rowFaultText } from "../report";
import bankEn from "../texts/en";
import bankVi from "../texts/vi";
import en from "./texts/en";
import vi from "./texts/vi";

const FOLDERS = ["../src/questions/exchange", "../domain/src/exchange/foreign"];
const FILES = ["../domain/src/exchange/foreign.rs", "../src/sheets/unusable.rs"];
/** Where the sentences of errors stand that have a type of their own. */
const ERRORS = ["foreign/refusal.rs", "exchange/xml.rs", "exchange/format_fault.rs", "sheets/unusable.rs"];
const LITERAL = String.raw`"((?:[^"\\]|\\[\s\S])*)"`;
const FAULT = new RegExp(String.raw`(?:\b(?:other|refused|Refusal::Other|FormatFault::Other)\(|\brefuse\(&[\w.]+,)\s*(?:format!\(\s*)?${LITERAL}`, "g");
const ERROR = new RegExp(String.raw`#\[error\(${LITERAL}`, "g");
const NOTE = new RegExp(String.raw`notes\.push\(\s*(?:format!\(\s*)?${LITERAL}`, "g");
const THING = new RegExp(String.raw`(?:\bRefusal::(?:Unshowable|Kind|Formula)\(|\bwrong\()${LITERAL}`, "g");
/** The only sentence that is a constant. */
const NAMES_OTHERS = new RegExp(String.raw`const NAMES_OTHERS: &str =\s*${LITERAL}`, "g");
/** What stands for something else in a sentence. */
const CONSTANTS: Record<string, string> = { ANSWER: "ANSWER:", MANIFEST: "imsmanifest.xml" };
const SAMPLES = ["7", "A", "optionA"];
/** Its rest is a sentence of `src/pictures/imported.rs`, of which report.test.ts has each. */
const BEGUN = "the picture {0}";

const paths = FOLDERS.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)));
const sources = [...paths, ...FILES]
  .filter((path) => path.endsWith(".rs") && !/(?:^|\/)tests(?:\.rs$|\/)/.test(path))
  .map((path) => [path, readFileSync(path, "utf8").split("#[cfg(test)]")[0] ?? ""] as const);

function literals(pattern: RegExp, isOf: (path: string) => boolean = () => true): string[] {
  const found = sources.filter(([path]) => isOf(path)).flatMap(([, text]) => [...text.matchAll(pattern)].map(([, literal = ""]) => literal));
  const plain = found.map((literal) => JSON.parse(`"${literal.replace(/\\\n\s*/g, "")}"`) as string);
  return [...new Set(plain)].filter((literal) => literal !== BEGUN && /[a-z]{3}/i.test(literal.replace(/\{\w*\}/g, "")));
}

function isSaid(literal: string, say: (sentence: string) => string): boolean {
  return SAMPLES.some((sample) => {
    const sentence = literal.replace(/\{(\w*)(?::[^}]*)?\}/g, (_, name: string) => CONSTANTS[name] ?? sample);
    return say(sentence) !== sentence;
  });
}

test("each reason of a file or a question is said in Vietnamese", () => {
  const found = [...literals(FAULT), ...literals(NAMES_OTHERS), ...literals(ERROR, (path) => ERRORS.some((end) => path.endsWith(end)))];
  expect(found.length).toBeGreaterThan(90);
  expect(found.filter((literal) => !isSaid(literal, (sentence) => rowFaultText(sentence, bankVi.faults, vi)))).toEqual([]);
});

test("each note is said in Vietnamese", () => {
  const counted = ["2 marks of bold, italic or the like are left out", "1 passages lose their colour", "3 underlined passages are too long for a line and lose it"];
  const found = [...literals(NOTE), ...counted];
  expect(found.length).toBeGreaterThan(15);
  expect(found.filter((literal) => !isSaid(literal, (sentence) => noteText(sentence, bankVi.faults, vi)))).toEqual([]);
});

test("so is each thing within a sentence", () => {
  const marks = sources.find(([path]) => path.endsWith("html/marks.rs"))?.[1] ?? "";
  const ofMarks = [...marks.matchAll(/\("[\w:-]+", "([^"]+)"\)/g)].map(([, thing = ""]) => thing);
  const kinds = ["an essay", "true or false", "matching", "a short answer"];
  const found = new Set([...literals(THING), ...ofMarks, ...kinds]);
  expect(found.size).toBeGreaterThan(25);
  expect([...found].filter((thing) => !Object.hasOwn(vi.things, thing))).toEqual([]);
  expect(Object.keys(vi.things).filter((thing) => !found.has(thing))).toEqual([]);
});

test("sentences within sentences are said too, and what they name is kept", () => {
  const [english, vietnamese] = [
    (sentence: string) => rowFaultText(sentence, bankEn.faults, en),
    (sentence: string) => rowFaultText(sentence, bankVi.faults, vi),
  ];
  expect(vietnamese("tag grade:12: a grade is 1 to 10")).toBe("nhãn grade:12 không dùng được: khối phải từ 1 đến 10");
  expect(vietnamese("it has a table, which a question here can't show")).toContain("(bảng)");
  expect(vietnamese("it is no multiple choice: matching")).toContain("ghép đôi");
  expect(vietnamese("the text that stands before it can't be read: Line 3: the XML is damaged")).toContain("XML bị hỏng ở dòng 3");
  expect(vietnamese("imsmanifest.xml can't be read: it is no manifest")).toBe("không đọc được imsmanifest.xml: không phải là bản kê của gói");
  expect(english('\\neq is a line break and "eq" in GIFT: write \\\\neq')).toBe("\\neq is a line break and “eq” in GIFT: write \\\\neq");
  // A reference ends no sentence.
  const joined = "it has a mark that is not closed: write &lt; for a < that is meant as such; grade must be 1 to 10";
  expect(vietnamese(joined)).toBe("có thẻ chưa đóng: nếu muốn viết dấu < hãy viết &lt;; khối phải từ 1 đến 10");
  expect(vietnamese("the entity &chapter; is not expanded")).toBe("không khai triển thực thể chapter");
  expect([english("something new"), vietnamese("something new")]).toEqual(["something new", "something new"]);
});

test("a note stands beside its place", () => {
  const note = "Line 4 (N): 1 marks of bold, italic or the like are left out; feedback is left out: it has a table, which a question here can't show";
  const [first] = importNotes({ added: 1, updated: 0, errors: [], notes: [note] });
  expect(first?.place).toBe("Line 4 (N)");
  const said = noteText(first?.sentence ?? "", bankVi.faults, vi);
  expect(said).toBe("bỏ 1 chỗ in đậm, in nghiêng hoặc tương tự; bỏ phản hồi: có nội dung mà câu hỏi ở đây không hiện được (bảng)");
  expect(noteText("hints are left out: 2; something new", bankEn.faults, en)).toBe("hints left out; something new");
  expect(importNotes({ added: 1, updated: 0, errors: [] })).toEqual([]);
});
