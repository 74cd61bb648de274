import { beforeAll, expect, test, vi } from "vitest";
import type { Order } from "./frames";
import type { OrderOutcome } from "./orders";
import { candidateRow, deskRow } from "./testing/rows";

let tested: typeof import("./reopening");

// Loading the texts takes longer than a test may while the machine has much else to do.
beforeAll(async () => {
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  tested = await import("./reopening");
}, 60_000);

const DONE: OrderOutcome = { kind: "done", count: 1, unchangedCount: 0, unchanged: [] };
const refused = (code: string): OrderOutcome => ({ kind: "refused", code, error: "?" });

/** What came of it where the order is answered so, and what was ordered. */
async function reopened(answer: OrderOutcome, minutes: number | null = null, force = false, of = deskRow({ state: "submitted" })) {
  const given: Order[] = [];
  const give = async (order: Order) => {
    given.push(order);
    return answer;
  };
  return { outcome: await tested.reopenTest({ give }, of, minutes, force), given };
}

test("a test goes on with what was left, or with minutes on top", async () => {
  expect(await reopened(DONE)).toEqual({ outcome: { kind: "reopened" }, given: [{ type: "reopen", sessionId: "s1" }] });
  expect((await reopened(DONE, 5, true)).given).toEqual([{ type: "reopen", sessionId: "s1", minutes: 5, force: true }]);
});

test("what can be answered by asking again is told apart from what can't", async () => {
  expect((await reopened(refused("answers_seen"))).outcome).toEqual({ kind: "seen" });
  expect((await reopened(refused("too_little_time"))).outcome).toEqual({ kind: "noTime" });
  for (const [code, word] of [["released", "released"], ["too_old", "24 hours"], ["not_submitted", "goes on already"]] as const) {
    expect((await reopened(refused(code))).outcome).toMatchObject({ kind: "refused", why: expect.stringContaining(word) });
  }
  expect((await reopened({ kind: "abandoned" })).outcome.kind).toBe("refused");
  const absent = await reopened(DONE, null, false, candidateRow("c1", { sessionId: null }));
  expect([absent.outcome.kind, absent.given]).toEqual(["refused", []]);
});

test("minutes are whole ones that the server takes, or none", () => {
  expect(["", "  ", "1", " 120 "].map(tested.minutesOf)).toEqual([null, null, 1, 120]);
  expect(["0", "121", "-5", "1.5", "five"].map(tested.minutesOf)).toEqual([undefined, undefined, undefined, undefined, undefined]);
});
