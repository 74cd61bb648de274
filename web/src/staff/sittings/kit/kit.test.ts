import { expect, test } from "vitest";
import { KIT_PARTS, kitAddress, kitCodes } from "./kit";

test("what is usual is not said", () => {
  const usual = { parts: KIT_PARTS, room: "", paper: "a4", renew: false } as const;
  expect(kitAddress("7", usual)).toBe("/api/admin/sittings/7/kit.pdf?");
  expect(kitAddress("7", { ...usual, parts: ["slips", "door"], room: "B 12", paper: "letter", renew: true })).toBe(
    "/api/admin/sittings/7/kit.pdf?parts=door%2Cslips&room=B+12&paper=letter&renew=true",
  );
});

test("who has entered gets no other code", () => {
  const one = (hasAccessCode: boolean, sessionId: string | null) => ({ hasAccessCode, sessionId });
  expect(kitCodes([])).toEqual({ fresh: 0, kept: 0, renewable: 0 });
  expect(kitCodes([one(false, null), one(true, null), one(true, "s"), one(false, "t")])).toEqual({ fresh: 2, kept: 2, renewable: 1 });
});
