import { expect, test } from "vitest";
import texts from "../../tests/golden/same_texts.json";
import { seenForm } from "./same";

test("what looks the same is the same, by the rule of the server", () => {
  for (const line of texts.same) for (const text of line) expect(seenForm(text), JSON.stringify(text)).toBe(seenForm(line[0] ?? ""));
  for (const line of texts.different) expect(new Set(line.map(seenForm)).size, JSON.stringify(line)).toBe(line.length);
});
