import { expect, test } from "vitest";
import { KEYS } from "../../calculator/keys";
import { en } from "./en";
import { vi } from "./vi";

test("both catalogues have the same texts", () => {
  expect(Object.keys(vi).sort()).toEqual(Object.keys(en).sort());
  expect(Object.keys(vi.names).sort()).toEqual(Object.keys(en.names).sort());
});

test("each key but the digits has a name", () => {
  const keys = [...KEYS.basic, ...KEYS.scientific].flat().filter((key) => !/^\d$/.test(key) && key !== "angle");
  for (const { names } of [en, vi]) expect(keys.filter((key) => !(key in names))).toEqual([]);
});
