import { expect, test } from "vitest";
import { actionOf, isOnSheet } from "./keys";

const pressed = (key: string, held: Partial<Record<"shiftKey" | "ctrlKey", boolean>> = {}, target: unknown = null, code = "") =>
  actionOf({ key, code, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...held, target: target as EventTarget }, true);

const radio = { getAttribute: () => "option", matches: () => false };
const field = { getAttribute: () => null, matches: () => true };

test("letters answer, cross out, mark and draw; arrows turn pages", () => {
  expect(pressed("b")).toEqual({ kind: "choose", index: 1 });
  expect(pressed("d")).toEqual({ kind: "choose", index: 3 });
  expect(pressed("D", { shiftKey: true })).toEqual({ kind: "eliminate", index: 3 });
  expect(pressed("p")).toEqual({ kind: "draw" });
  expect(pressed("P", { shiftKey: true })).toBeUndefined();
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

test("on the sheet, keys choose and cross out, and do nothing else", () => {
  const kinds = ["a", "D", "m", "p", "?", "ArrowLeft", "ArrowDown"].map((key) => pressed(key, { shiftKey: key === "D" })).filter((action) => action !== undefined && isOnSheet(action));
  expect(kinds.map((action) => action?.kind)).toEqual(["choose", "eliminate"]);
});

test("letters can be switched off, arrows stay", () => {
  const key = { code: "KeyA", shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, target: null };
  expect(actionOf({ ...key, key: "a" }, false)).toBeUndefined();
  expect(actionOf({ ...key, key: "ArrowRight" }, false)).toEqual({ kind: "next" });
});

test("a layout without Latin letters has them by the place of the key, unless something is typed", () => {
  const at = (key: string, code: string, held = {}, target: unknown = null) => pressed(key, held, target, code);
  expect(at("ф", "KeyA")).toEqual({ kind: "choose", index: 0 });
  expect(at("В", "KeyD", { shiftKey: true })).toEqual({ kind: "eliminate", index: 3 });
  // Two characters, a combining mark, and a letter of Arabic.
  expect([at("لا", "KeyB"), at("ิ", "KeyB"), at("ؤ", "KeyC")]).toEqual([1, 1, 2].map((index) => ({ kind: "choose", index })));
  expect([at("ь", "KeyM"), at("з", "KeyP")]).toEqual([{ kind: "mark" }, { kind: "draw" }]);
  expect(at("ф", "KeyA", {}, field)).toBeUndefined();
  expect(at("ё", "Backquote")).toBeUndefined();
});

test("a layout with Latin letters has them where it has them", () => {
  const at = (key: string, code: string) => pressed(key, {}, null, code);
  // The comma of a French keyboard is where an English one has M, and its A where that has Q.
  expect([at(",", "KeyM"), at("q", "KeyA"), at("é", "Digit2"), at("Dead", "KeyD"), at("Process", "KeyB")]).toEqual([undefined, undefined, undefined, undefined, undefined]);
  expect([at("a", "KeyQ"), at("m", "Semicolon")]).toEqual([{ kind: "choose", index: 0 }, { kind: "mark" }]);
});
