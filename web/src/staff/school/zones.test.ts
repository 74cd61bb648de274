import { afterEach, expect, test, vi } from "vitest";
import { isZone, timeIn, zoneNames, zonesFor } from "./zones";

afterEach(() => vi.restoreAllMocks());

test("zones have their present names, each once", () => {
  vi.spyOn(Intl, "supportedValuesOf").mockReturnValue(["Europe/Berlin", "Asia/Saigon", "Asia/Ho_Chi_Minh"]);
  expect(zoneNames()).toEqual({ names: ["Asia/Ho_Chi_Minh", "Europe/Berlin", "UTC"], isWhole: true });
});

test("a browser that does not say its zones gets the usual ones", () => {
  vi.spyOn(Intl, "supportedValuesOf").mockReturnValue([]);
  const { names, isWhole } = zoneNames();
  expect(isWhole).toBe(false);
  expect(names).toContain("Asia/Ho_Chi_Minh");
  expect(names.filter((name) => !isZone(name))).toEqual([]);
});

test("a zone is found by its place, without accents and signs, and by its country", () => {
  const names = ["America/New_York", "Asia/Ho_Chi_Minh", "Europe/London", "UTC"];
  expect(zonesFor("new york", names)).toEqual(["America/New_York"]);
  expect(zonesFor("Hồ chí", names)).toEqual(["Asia/Ho_Chi_Minh"]);
  expect(zonesFor("vietnam", names)).toEqual(["Asia/Ho_Chi_Minh"]);
  expect(zonesFor("europe/lon", names)).toEqual(["Europe/London"]);
  expect(zonesFor("", names)).toEqual(names);
  expect(zonesFor("nowhere", names)).toEqual([]);
});

test("only names of places are zones", () => {
  expect(["Asia/Ho_Chi_Minh", "UTC", "America/Argentina/Buenos_Aires", "Etc/GMT+7"].map(isZone)).toEqual(Array(4).fill(true));
  expect(["", "Asia/Nowhere", "+07:00", "Asia", "Asia/Ho Chi Minh"].map(isZone)).toEqual(Array(5).fill(false));
});

test("it says what time it is there", () => {
  const noon = Date.UTC(2026, 5, 1, 12);
  expect([timeIn("UTC", noon, "en-GB"), timeIn("Asia/Ho_Chi_Minh", noon, "en-GB"), timeIn("Asia/Nowhere", noon, "en-GB")]).toEqual(["12:00", "19:00", ""]);
});
