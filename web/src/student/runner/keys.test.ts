import { expect, test } from "vitest";
import { actionOf } from "./keys";

const pressed = (key: string, held: Partial<Record<"shiftKey" | "ctrlKey", boolean>> = {}, target: unknown = null) =>
  actionOf({ key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...held, target: target as EventTarget }, true);

const radio = { getAttribute: () => "option", matches: () => false };
const field = { getAttribute: () => null, matches: () => true };

test("letters answer, mark and draw; arrows turn pages", () => {
  expect(pressed("b")).toEqual({ kind: "choose", choice: "B", index: 1 });
  expect(pressed("d")).toEqual({ kind: "choose", choice: "D", index: 3 });
  expect(pressed("D", { shiftKey: true })).toEqual({ kind: "draw" });
  expect(pressed("m")).toEqual({ kind: "mark" });
  expect(pressed("ArrowLeft")).toEqual({ kind: "previous" });
  expect(pressed("ArrowRight", {}, radio)).toEqual({ kind: "next" });
  expect(pressed("ArrowDown")).toEqual({ kind: "options" });
});

test("what the browser needs itself is left to it", () => {
  expect(pressed("c", { ctrlKey: true })).toBeUndefined();
  expect(pressed("a", {}, field)).toBeUndefined();
  expect(pressed("ArrowDown", {}, radio)).toBeUndefined();
  expect(pressed("Enter")).toBeUndefined();
});

test("letters can be switched off, arrows stay", () => {
  const key = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, target: null };
  expect(actionOf({ ...key, key: "a" }, false)).toBeUndefined();
  expect(actionOf({ ...key, key: "ArrowRight" }, false)).toEqual({ kind: "next" });
});
