import { beforeEach, expect, test } from "vitest";
import { MovedTime, settled } from "../../exam/testing/time";
import type { Order } from "./frames";
import { giveEach, Orders, wayBack, type OrderOutcome } from "./orders";

let time: MovedTime;
let orders: Orders;
let sent: any[];
let waiting: number;
let count: number;

beforeEach(() => {
  time = new MovedTime();
  sent = [];
  waiting = count = 0;
  orders = new Orders(time, () => `o${(count += 1)}`, (now) => (waiting = now));
});

const connect = () => orders.connected((text) => sent.push(JSON.parse(text)));
const NONE_LEFT = { unchangedCount: 0, unchanged: [] };
const pause: Order = { type: "pause", sessionId: "s1" };

test("an order is sent with its id, and answered", async () => {
  connect();
  const outcome = orders.give({ type: "extend", sessionId: "s1", minutes: 5 });
  expect(sent).toEqual([{ id: "o1", type: "extend", sessionId: "s1", minutes: 5 }]);
  expect(waiting).toBe(1);
  expect(orders.answered({ type: "done", id: "o1", count: 1 })).toBe(true);
  expect(await outcome).toMatchObject({ kind: "done", count: 1 });
  expect(waiting).toBe(0);
});

test("an order without an answer goes again over the next connection, with the same id", async () => {
  connect();
  const outcome = orders.give(pause);
  orders.disconnected();
  const other = orders.give({ type: "unpause", sessionId: "s2" });
  expect(sent).toHaveLength(1);
  connect();
  expect(sent.slice(1).map(({ id }) => id), "in their order").toEqual(["o1", "o2"]);
  orders.answered({ type: "done", id: "o1", count: 1 });
  orders.answered({ type: "error", id: "o2", code: "unknown_session", error: "The room has no such session" });
  expect(await outcome).toMatchObject({ kind: "done", count: 1 });
  expect(await other).toMatchObject({ kind: "refused", code: "unknown_session" });
});

test("what could not be stored is sent again, a little later and with the same id", async () => {
  connect();
  void orders.give(pause);
  for (const code of ["storage_unavailable", "rate_limited"]) {
    const before = sent.length;
    orders.answered({ type: "error", id: "o1", code, error: "later" });
    expect(sent).toHaveLength(before);
    await time.pass(1_500);
    expect(sent.at(-1)).toEqual({ id: "o1", ...pause });
    expect(sent).toHaveLength(before + 1);
  }
});

test("an id that was used goes again under another one, once", async () => {
  connect();
  const outcome = orders.give(pause);
  orders.answered({ type: "error", id: "o1", code: "id_reused", error: "used" });
  expect(sent.at(-1)).toEqual({ id: "o2", ...pause });
  orders.answered({ type: "error", id: "o2", code: "id_reused", error: "used" });
  expect(await outcome).toMatchObject({ kind: "refused", code: "id_reused" });
});

test("a thousand orders go no faster than the server takes them, and all arrive", async () => {
  let inProgress = 0;
  let most = 0;
  const times: number[] = [];
  orders.connected((text) => {
    const { id } = JSON.parse(text);
    times.push(time.now());
    most = Math.max(most, (inProgress += 1));
    time.later(20, () => {
      inProgress -= 1;
      orders.answered({ type: "done", id, count: 1 });
    });
  });
  const list = Array.from({ length: 200 }, (_, index): Order => ({ type: "pause", sessionId: `s${index}` }));
  const sum = giveEach((order) => orders.give(order), list);
  await time.pass(60_000);
  expect(await sum).toMatchObject({ done: 200, refused: [], abandoned: 0 });
  expect(most).toBeLessThanOrEqual(16);
  for (const start of times) expect(times.filter((at) => at >= start && at < start + 1_000).length).toBeLessThanOrEqual(60);
  const late = times.filter((at) => at > 5_000 && at <= 15_000);
  expect(late.length / 10, "sustained").toBeLessThanOrEqual(10);
});

test("leaving the desk answers what still waits", async () => {
  connect();
  const outcomes: Promise<OrderOutcome>[] = [orders.give(pause), orders.give(pause)];
  orders.abandon();
  expect(await Promise.all(outcomes)).toEqual([{ kind: "abandoned" }, { kind: "abandoned" }]);
  await settled();
  expect(orders.answered({ type: "done", id: "o1", count: 1 }), "too late").toBe(false);
});

test("a mark is taken back by the other one", () => {
  expect(wayBack([{ type: "absent", candidateId: "c1" }])).toEqual([{ type: "present", candidateId: "c1" }]);
  expect(wayBack([{ type: "present", candidateId: "*" }]), "others were marked before").toEqual([]);
  expect(wayBack([{ type: "admit", candidateId: "c1" }])).toEqual([]);
});

test("only what was carried out is taken back", async () => {
  const outcomes: Record<string, OrderOutcome> = { s1: { kind: "done", count: 1, ...NONE_LEFT }, s2: { kind: "done", count: 0, ...NONE_LEFT }, s3: { kind: "refused", code: "already_submitted", error: "" } };
  const list = ["s1", "s2", "s3"].map((candidateId): Order => ({ type: "absent", candidateId }));
  const { carriedOut } = await giveEach(async (order) => outcomes[(order as { candidateId: string }).candidateId] as OrderOutcome, list);
  expect(wayBack(carriedOut)).toEqual([{ type: "present", candidateId: "s1" }]);
});

test("who was left as they were is counted and named, over all orders", async () => {
  connect();
  const extend = (sessionId: string): Order => ({ type: "extend", sessionId, minutes: 5 });
  const sum = giveEach((order) => orders.give(order), [extend("s1"), extend("s2"), extend("s3")]);
  const own = (sessionId: string) => ({ sessionId, student: sessionId, reason: "own_end" as const });
  orders.answered({ type: "done", id: "o1", count: 1 });
  orders.answered({ type: "done", id: "o2", count: 0, unchangedCount: 1, unchanged: [own("s2")] });
  orders.answered({ type: "done", id: "o3", count: 0, unchangedCount: 1, unchanged: [own("s3")] });
  expect(await sum).toMatchObject({ done: 1, unchangedCount: 2, unchanged: [own("s2"), own("s3")] });
});
