import { expect, test } from "vitest";
import en from "./desk/texts/en";
import vi from "./desk/texts/vi";
import { areCharacters, isCharacter } from "./keys";

const pressed = (key: string, held: Partial<Record<"ctrlKey" | "metaKey" | "altKey", boolean>> = {}) =>
  isCharacter({ key, ctrlKey: false, metaKey: false, altKey: false, ...held });

test("letters, digits and signs are characters, with and without Shift", () => {
  expect(["j", "K", "6", "+", "/", "?", "ơ"].filter((key) => !pressed(key))).toEqual([]);
});

test("keys with a name, the space bar and keys that are held with others are none", () => {
  expect(["Enter", "Escape", "ArrowDown", "PageUp", "Tab", "Delete", " ", "Dead"].filter((key) => pressed(key))).toEqual([]);
  expect([pressed("k", { ctrlKey: true }), pressed("k", { metaKey: true }), pressed("k", { altKey: true })]).toEqual([false, false, false]);
});

test("without single letters, the desk still names the keys with a name", () => {
  const named = ({ keysList }: Pick<typeof en, "keysList">) => keysList.map(([keys]) => keys).filter((keys) => !areCharacters(keys));
  expect(named(en)).toEqual(["Arrows Home End", "Enter", "Esc", "Ctrl Z"]);
  expect(named(vi)).toEqual(["Mũi tên Home End", "Enter", "Esc", "Ctrl Z"]);
});
