import { beforeAll, expect, test, vi } from "vitest";
import { MovedTime } from "../../exam/testing/time";
import type { Order } from "./frames";
import { Orders, type Outcome } from "./orders";
import { candidate, row } from "./testing/rows";

beforeAll(() => {
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
});

const DONE: Extract<Outcome, { kind: "done" }> = { kind: "done", count: 1, unchangedCount: 0, unchanged: [] };

/** What came of it where the order is answered so, and what was ordered. */
async function ended(of: ReturnType<typeof row>, answer: Outcome) {
  const { endOtherDevices } = await import("./devices");
  const given: Order[] = [];
  const give = async (order: Order) => {
    given.push(order);
    return answer;
  };
  return { outcome: await endOtherDevices({ give }, of), given };
}

test("a candidate has a new code", async () => {
  const { outcome, given } = await ended(candidate("c1"), { ...DONE, code: "9F3K-TT2M" });
  expect(outcome).toEqual({ kind: "ended", code: "9F3K-TT2M" });
  expect(given).toEqual([{ type: "only_this_device", sessionId: "s-c1" }]);
});

test("outside of sittings there is no code, and in one another may have replaced it", async () => {
  expect((await ended(row(), DONE)).outcome).toEqual({ kind: "ended", code: undefined });
  expect((await ended(candidate("c1"), DONE)).outcome).toEqual({ kind: "replaced" });
});

test("a refusal is said in words, and nothing is taken to be done", async () => {
  const refused = await ended(row(), { kind: "refused", code: "already_submitted", error: "?" });
  expect(refused.outcome).toMatchObject({ kind: "refused", why: expect.stringContaining("handed in") });
  expect((await ended(row(), { kind: "abandoned" })).outcome.kind).toBe("refused");
  const absent = await ended(candidate("c1", { sessionId: null }), DONE);
  expect([absent.outcome.kind, absent.given]).toEqual(["refused", []]);
});

test("the code comes with the answer to the order", async () => {
  const orders = new Orders(new MovedTime(), () => "o1");
  orders.connected(() => {});
  const outcome = orders.give({ type: "only_this_device", sessionId: "s1" });
  orders.answered({ type: "done", id: "o1", count: 1, code: "9F3K-TT2M" });
  expect(await outcome).toEqual({ ...DONE, code: "9F3K-TT2M" });
});
