import { expect, test } from "vitest";
import { nobodysId, sameOn, walkIn, type Called } from "./walk_in";

test("who comes unannounced is called by an address, an id, or one that is nobody's", () => {
  const eve = { name: " Eve ", called: "", room: "B12", seat: " 31 " };
  const own = nobodysId();
  expect(walkIn({ ...eve, called: " eve@school.example " }, own)).toEqual({ email: "eve@school.example", name: "Eve", room: "B12", seat: "31" });
  expect(walkIn({ ...eve, called: "n-241", room: "", seat: "" }, own)).toEqual({ externalId: "n-241", name: "Eve" });
  expect(walkIn(eve, own)).toEqual({ externalId: own, name: "Eve", room: "B12", seat: "31" });
  expect(own).toMatch(/^walk-in-[0-9a-f]{8}$/);
  expect(nobodysId()).not.toBe(own);
});

test("who is on the list already is found by what they are called", () => {
  const list: Called[] = [{ email: "ada@school.example" }, { externalId: "walk-in-12345678" }, {}];
  expect(sameOn(list, { email: "Ada@School.example" })).toBe(list[0]);
  expect(sameOn(list, { externalId: "walk-in-12345678" })).toBe(list[1]);
  expect(sameOn(list, { externalId: "ada@school.example" })).toBeUndefined();
});
