import { expect, test } from "vitest";
import en from "../../texts/sittings/en";
import { checksOf, type CheckFindings } from "./checks";

const GOOD: CheckFindings = { connection: "socket", wasConnected: true, roundTripMs: 43.4, canKeep: true, clockErrorMs: 900, paper: "here" };
const check = (found: Partial<CheckFindings>, name: string) => checksOf({ ...GOOD, ...found }, en, "en").find((one) => one.name === name);

test("the list says what was measured", () => {
  expect(checksOf(GOOD, en, "en").map(({ state }) => state)).toEqual(["fine", "fine", "fine", "fine"]);
  expect(check({}, "connection")?.sentence).toContain("in 43 ms");
  expect(check({ roundTripMs: 2_640 }, "connection")?.sentence).toContain("2.6 s");
});

test("what is not known yet is neither good nor bad", () => {
  const unknown = checksOf({ connection: "none", wasConnected: false, roundTripMs: undefined, canKeep: undefined, clockErrorMs: undefined, paper: "waiting" }, en, "en");
  expect(unknown.map(({ state }) => state)).toEqual(["pending", "pending", "pending", "pending"]);
});

test("what someone should look after calls for attention, and a wrong clock does not", () => {
  expect(check({ connection: "none" }, "connection")?.state).toBe("attention");
  expect(check({ canKeep: false }, "storage")?.state).toBe("attention");
  expect(check({ paper: "failed" }, "paper")?.state).toBe("attention");
  expect(check({ clockErrorMs: -7_200_000 }, "clock")).toMatchObject({ state: "fine", sentence: expect.stringContaining("2 hours slow") });
  expect(check({ clockErrorMs: 90_000 }, "clock")).toMatchObject({ state: "fine", sentence: expect.stringContaining("90 seconds fast") });
  expect(check({ paper: "atStart" }, "paper")).toMatchObject({ state: "fine", sentence: expect.stringContaining("when the exam begins") });
});
