import "../testing/page";
import { afterEach, expect, test, vi as mock } from "vitest";
import { copyNote, SeenOrders } from "./seen_orders.svelte";
import en from "./texts/en";
import vi from "./texts/vi";
import { answers, resultRow } from "./testing/results";

afterEach(() => mock.unstubAllGlobals());

/** A server that knows the orders of these sessions, and what it was asked. */
function server(orders: Record<string, object>): string[] {
  const asked: string[] = [];
  mock.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    const found = orders[path.replace("/api/sessions/", "")];
    return new Response(JSON.stringify(found ?? { error: "Not found" }), { status: found === undefined ? 404 : 200 });
  });
  return asked;
}

const ada = resultRow("Ada", { form: "B", answers: answers("Bc") });
const bo = resultRow("Bo", { answers: answers("Bc") });

test("both letters are said where the student saw another one, and one where they are the same", async () => {
  server({ "session-Ada": { optionOrder: { first: "CADB", second: "BCAD" } }, "session-Bo": {} });
  const seen = new SeenOrders();
  // Nothing is known yet.
  expect([seen.said(ada, "first", "C", en), seen.areThere]).toEqual(["C", false]);
  await seen.read(bo);
  expect(seen.areThere).toBe(false);
  await seen.read(ada);
  expect(seen.areThere).toBe(true);
  expect(seen.said(ada, "first", "C", en)).toBe("A (C in the master copy)");
  expect(seen.said(ada, "first", "C", vi)).toBe("A (C trong đề gốc)");
  // In the second order D stands under its own letter, and a number has none.
  expect([seen.said(ada, "second", "D", en), seen.said(ada, "first", "0.75", en), seen.said(ada, "first", "?", en)]).toEqual(["D", "0.75", "?"]);
  expect([seen.said(ada, "third", "C", en), seen.said(bo, "first", "C", en)]).toEqual(["C", "C"]);
});

test("each test is asked for once, also if it can't be read, and those without answers never", async () => {
  const asked = server({ "session-Ada": {} });
  const seen = new SeenOrders();
  for (const row of [ada, ada, bo, bo, resultRow("Cy"), resultRow("Di", { sessionId: null, answers: answers("B") })]) await seen.read(row);
  expect(asked).toEqual(["/api/sessions/session-Ada", "/api/sessions/session-Bo"]);
});

test("what numbers and letters are is said only where somebody saw others", () => {
  expect([copyNote([bo, ada], false), copyNote([bo], true), copyNote([bo], false)]).toEqual(["forms", "letters", undefined]);
});
