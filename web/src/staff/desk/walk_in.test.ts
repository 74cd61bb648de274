import { expect, test } from "vitest";
import { walkIn } from "./walk_in";

test("who comes unannounced is called by an address, an id, or one that is nobody's", () => {
  const eve = { name: " Eve ", called: "", room: "B12", seat: " 31 " };
  expect(walkIn({ ...eve, called: " eve@school.example " })).toEqual({ email: "eve@school.example", name: "Eve", room: "B12", seat: "31" });
  expect(walkIn({ ...eve, called: "n-241", room: "", seat: "" })).toEqual({ externalId: "n-241", name: "Eve" });
  const [one, other] = [walkIn(eve), walkIn(eve)];
  expect(one.externalId).toMatch(/^walk-in-[0-9a-f]{8}$/);
  expect(one.externalId).not.toBe(other.externalId);
});
