import { expect, test } from "vitest";
import type { Answer } from "../../api";
import { inParts, newlyKept } from "./keep";

const ids = Array.from({ length: 1_001 }, (_, index) => `q${index}`);

test("many are sent in parts, until one fails", async () => {
  const sent: number[] = [];
  const all = await inParts(ids, async (part) => (sent.push(part.length), { kind: "done", value: undefined }));
  expect([all.kind, sent]).toEqual(["done", [500, 500, 1]]);
  const tried: string[] = [];
  const failed: Answer<unknown> = { kind: "unreachable" };
  expect(await inParts(ids, async ([first = ""]) => (tried.push(first), failed))).toBe(failed);
  expect(tried).toEqual(["q0"]);
});

test("an undo gives back what was not kept before", () => {
  expect(newlyKept(["a", "b", "c"], ["b", "d"])).toEqual(["a", "c"]);
});
