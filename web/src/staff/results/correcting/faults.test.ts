import "../../testing/page";
import { expect, test } from "vitest";
import { correctionFault } from "./faults";
import en from "./texts/en";

const refused = (status: number, error: string) => correctionFault({ kind: "refused", status, error, body: {} }, en);

test("each refusal says what to do, and what was not foreseen is said as elsewhere", () => {
  expect(refused(403, "Not assigned to this grade")).toBe(en.faults.notYours);
  expect(refused(404, "Question not found")).toBe(en.faults.gone);
  expect(refused(409, "Question has changed")).toBe(en.faults.otherOptions);
  const changed = { kind: "refused", status: 409, error: "Question has changed", body: {} } as const;
  expect(correctionFault(changed, en, true)).toBe(en.faults.bankChanged);
  expect(refused(503, "The server is busy")).toBe(en.faults.busy);
  expect(refused(409, "Too many corrections")).toBe(en.faults.tooMany);
  expect(refused(412, "Corrections have changed")).toBe(en.faults.meanwhile);
  expect(refused(412, "Correction has changed")).toBe(en.faults.changedBefore);
  expect(refused(409, "Something new")).toContain("(Something new)");
  expect(correctionFault({ kind: "unreachable" }, en)).toMatch(/can’t be reached/);
  expect(correctionFault({ kind: "done", value: undefined }, en)).toBe("");
});
