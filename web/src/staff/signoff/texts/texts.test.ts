import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { en } from "./en";
import { vi } from "./vi";

const FIGURES = { approved: 118, pending: 2, flagged: 1 };
/** What functions among the texts take: numbers, words, figures, or lists. */
const VALUES: unknown[][] = [[2, FIGURES], [FIGURES, "word"], [["word"]], [2, 3, 4], ["word", "approved", "word"]];

function called(entry: (...values: never[]) => unknown): string {
  for (const values of VALUES) {
    try {
      return String(entry(...(values as never[])));
    } catch {
      continue;
    }
  }
  return "";
}

/** All texts of an entry, with functions called. */
function written(entry: unknown): string[] {
  if (typeof entry === "function") return [called(entry as (...values: never[]) => unknown)];
  if (typeof entry === "string") return [entry];
  return Object.values(entry as object).flatMap(written);
}

test("every catalogue has every text, and none is empty", () => {
  expect(Object.keys(vi)).toEqual(Object.keys(en));
  for (const catalogue of [en, vi]) {
    for (const [key, entry] of Object.entries(catalogue)) expect(written(entry).filter((text) => text.trim() === ""), key).toEqual([]);
  }
});

test("no text is without a use, and none is used that is missing", () => {
  const folder = "src/staff/signoff/";
  const names = readdirSync(folder).filter((name) => /\.(svelte|ts)$/.test(name));
  const source = names.map((name) => readFileSync(folder + name, "utf8")).join("\n");
  const used = new Set([...source.matchAll(/(?:\bsignTexts\(\)|(?<![/\w])texts)\.(\w+)/g)].map((match) => match[1] as string));
  expect([...used].filter((key) => !(key in en))).toEqual([]);
  expect(Object.keys(en).filter((key) => !used.has(key))).toEqual([]);
});

test("a dialog says what is covered, and one is no plural", () => {
  expect(en.covers({ ...FIGURES, flagged: 0 }, en.changedSince(3, en.sinceWhat.own))).toBe(
    "This covers 120 questions: 118 approved, 2 pending, 0 flagged; 3 changed since your last sign-off.",
  );
  expect(en.covers({ approved: 1, pending: 0, flagged: 0 }, "")).toBe("This covers 1 question: 1 approved, 0 pending, 0 flagged.");
  expect(vi.covers(FIGURES, vi.changedSince(3, vi.sinceWhat.own))).toBe(
    "Quyết định này áp dụng cho 121 câu hỏi: 118 đã duyệt, 2 chưa duyệt, 1 bị đánh dấu; 3 câu thay đổi từ lần xác nhận trước của thầy cô.",
  );
});
