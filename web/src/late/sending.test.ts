import { expect, test } from "vitest";
import type { Network } from "../exam/ports";
import type { Command } from "../exam/protocol";
import { sendLate } from "./sending";

const SESSION = { sessionId: "s", token: "t" };

const atOnce = () => Promise.resolve();

function answer(seq: number, type: "answer" | "drawing" = "answer"): Command {
  return type === "answer"
    ? { type, seq, questionId: `q${seq}`, selected: "A", timeTaken: 1, at: "2026-01-05T09:00:00.000Z" }
    : { type, seq, questionId: `q${seq}`, drawing: { v: 1, strokes: "x".repeat(90_000) } };
}

/** A server that keeps commands as long as their numbers are below this. */
function network(keptBelow: number, sent: Command[][] = []): Network {
  return {
    openSocket: () => ({ send: () => {}, close: () => {} }),
    request: async (_method, _path, _token, body) => {
      const { commands } = body as { commands: Command[] };
      sent.push(commands);
      const replies = commands.map(({ seq }) => ({ type: "error", code: "late", error: "The time is up", seq, kept: seq < keptBelow }));
      return { status: 200, body: { saved: 0, replies, remainingMs: 0, deadline: "", state: "submitted" } };
    },
  };
}

test("what is kept is told apart from what is not", async () => {
  const sent: Command[][] = [];
  const { kept, isWhole } = await sendLate(network(3, sent), SESSION, [1, 2, 3, 4].map((seq) => answer(seq)));
  expect(isWhole, "what is refused is answered").toBe(true);
  expect(kept.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(sent).toHaveLength(1);
  expect(sent[0]?.[0]).toMatchObject({ seq: 1, at: "2026-01-05T09:00:00.000Z" });
});

test("answers go before drawings, and large ones in requests of their own", async () => {
  const sent: Command[][] = [];
  const { kept } = await sendLate(network(100, sent), SESSION, [answer(1, "drawing"), answer(2, "drawing"), answer(3)]);
  expect(sent.map((commands) => commands.map(({ seq }) => seq))).toEqual([[3, 1], [2]]);
  expect(kept).toHaveLength(3);
});

test("without an answer nothing counts as kept", async () => {
  const broken: Network = { ...network(9), request: async () => Promise.reject(new Error("no network")) };
  const nothing = { kept: [], isWhole: false };
  expect(await sendLate(broken, SESSION, [answer(1)], atOnce)).toEqual(nothing);
  const portal: Network = { ...network(9), request: async () => ({ status: 200, body: "<html>" }) };
  expect(await sendLate(portal, SESSION, [answer(1)], atOnce)).toEqual(nothing);
});

test("what the server puts off is sent again", async () => {
  const pauses: number[] = [];
  const sent: Command[][] = [];
  let requests = 0;
  const request: Network["request"] = (...asked) => (++requests < 3 ? Promise.resolve({ status: 503, body: {} }) : network(9, sent).request(...asked));
  const busy: Network = { ...network(9), request };
  const { kept } = await sendLate(busy, SESSION, [answer(1), answer(2)], async (milliseconds) => void pauses.push(milliseconds));
  expect([kept.length, sent.length, pauses]).toEqual([2, 1, [1_000, 3_000]]);
});
