import { expect, test } from "vitest";
import { KEYS } from "../../calculator/keys";
import en from "./en";
import vi from "./vi";

test("each key but the digits has a name", () => {
  const keys = [...KEYS.basic, ...KEYS.scientific].flat().filter((key) => !/^\d$/.test(key) && key !== "angle");
  for (const { names } of [en, vi]) expect(keys.filter((key) => !(key in names))).toEqual([]);
});
