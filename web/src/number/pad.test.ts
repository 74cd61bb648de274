import { expect, test } from "vitest";
import { TYPED_CHARACTERS_MAX } from "../exam/protocol";
import { PAD_ROWS, padPressed, type BoxText, type PadKey } from "./pad";

/** What stands in the box after these keys, from an empty one on. */
function typed(keys: PadKey[], language: "en" | "vi" = "en"): string {
  let box: BoxText = { text: "", from: 0, to: 0 };
  for (const key of keys) {
    const change = padPressed(key, box, language);
    if (change === undefined) continue;
    const text = box.text.slice(0, change.from) + change.text + box.text.slice(change.to);
    box = { text, from: change.from + change.text.length, to: change.from + change.text.length };
  }
  return box.text;
}

test("each digit and sign is there once", () => {
  expect(new Set(PAD_ROWS.flat()).size).toBe(16);
  expect(PAD_ROWS.flat()).toEqual(expect.arrayContaining([..."0123456789", "decimal", "bar", "minus", "space", "delete"]));
});

test("keys write a mixed number, and decimals in the language of the question", () => {
  expect(typed(["minus", "2", "space", "1", "bar", "2"])).toBe("-2 1/2");
  expect([typed(["0", "decimal", "5"]), typed(["0", "decimal", "5"], "vi")]).toEqual(["0.5", "0,5"]);
});

test("a key takes the place of what is chosen, and the last one is deleted whole", () => {
  expect(padPressed("7", { text: "123", from: 1, to: 3 }, "en")).toEqual({ text: "7", from: 1, to: 3 });
  expect(padPressed("delete", { text: "123", from: 1, to: 3 }, "en")).toEqual({ text: "", from: 1, to: 3 });
  expect(padPressed("delete", { text: "123", from: 2, to: 2 }, "en")).toEqual({ text: "", from: 1, to: 2 });
  expect(padPressed("delete", { text: "1😀", from: 3, to: 3 }, "en")).toEqual({ text: "", from: 1, to: 3 });
  expect(padPressed("delete", { text: "123", from: 0, to: 0 }, "en")).toBeUndefined();
});

test("a full box takes no more", () => {
  const text = "1".repeat(TYPED_CHARACTERS_MAX);
  expect(padPressed("2", { text, from: 5, to: 5 }, "en")).toBeUndefined();
  expect(padPressed("2", { text, from: 5, to: 6 }, "en")).toEqual({ text: "2", from: 5, to: 6 });
});
