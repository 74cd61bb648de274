import { expect, test } from "vitest";
import { isTrusted } from "./trust";

test("a picture is trusted while it is live, whole and of now", () => {
  expect(isTrusted({ kind: "live", partial: false }, 1_000, 16_000)).toBe(true);
  expect(isTrusted({ kind: "live", partial: false }, 1_000, 16_001), "silent").toBe(false);
  expect(isTrusted({ kind: "live", partial: true }, 1_000, 1_000)).toBe(false);
  expect(isTrusted({ kind: "live", partial: false }, undefined, 1_000)).toBe(false);
  expect(isTrusted({ kind: "lost", since: 1_000 }, 1_000, 1_000)).toBe(false);
});
