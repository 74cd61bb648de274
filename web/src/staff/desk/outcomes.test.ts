import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { MovedTime, settled } from "../../exam/testing/time";
import type { Desk } from "./desk.svelte";
import type { Order } from "./frames";
import { LastOrders } from "./last_orders.svelte";
import type { OrderOutcome } from "./orders";

beforeAll(() => {
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
});

let given: Order[];
let answers: OrderOutcome[];
let desk: Desk;
const DONE: OrderOutcome = { kind: "done", count: 1, unchangedCount: 0, unchanged: [] };

beforeEach(() => {
  [given, answers] = [[], []];
  const give = async (order: Order) => {
    given.push(order);
    return answers.shift() ?? DONE;
  };
  desk = { lastOrders: new LastOrders(new MovedTime()), give } as unknown as Desk;
});

test("who was left as they were is named with the reason", async () => {
  const { unchangedSentence } = await import("./outcomes");
  const sum = { done: 1, carriedOut: [], refused: [], abandoned: 0, unchangedCount: 3 };
  const one = (student: string, reason: "own_pause" | "hall_pause" | "as_ordered") => ({ sessionId: student, student, reason });
  expect(unchangedSentence({ ...sum, unchanged: [one("Ada", "own_pause"), one("Bo", "hall_pause"), one("Cy", "own_pause")] })).toBe(
    "Ada, Cy: their own pause lasts on: let them go on one by one. Bo: the pause of everyone, in the room or in the whole exam, lasts on.",
  );
});

test("a refusal is said in words", async () => {
  const { why } = await import("./outcomes");
  expect(why({ code: "too_little_time", error: "?" })).toContain("less than a minute left, so nothing was changed");
  expect(why({ code: "nothing_to_undo", error: "?" })).toContain("nothing of yours to take back");
  expect(why({ code: "something_new", error: "The server's own words" })).toBe("The server's own words");
});

test("the last order is taken back once, and only while it is the last", async () => {
  const { takeBack } = await import("./outcomes");
  const [pause, extend] = [{ type: "pause" as const }, { type: "extend" as const, minutes: 5 }];
  desk.lastOrders.given(pause, ["ada", "bo"]);
  desk.lastOrders.given(extend, ["bo"]);
  expect(await takeBack(desk, ["ada", "bo"], pause)).toMatchObject({ kind: "done" });
  expect(given, "another order was given to Bo since").toEqual([{ type: "undo", sessionId: "ada" }]);
  expect(await takeBack(desk, ["ada", "bo"], pause)).toMatchObject({ kind: "refused", error: "another order has been given since." });
  answers.push({ kind: "refused", code: "nothing_to_undo", error: "" });
  expect(await takeBack(desk, ["bo"])).toMatchObject({ kind: "refused", error: expect.stringContaining("nothing of yours") });
  expect(desk.lastOrders.of("bo")).toBeUndefined();
  await settled();
  expect(given).toHaveLength(2);
});
