import { expect, test } from "vitest";
import { offersOf } from "./outages";
import { candidateRow } from "./testing/rows";

const at = (time: string) => `2026-01-05T${time}.000Z`;
const OUTAGE = { from: at("09:10:00"), to: at("09:11:40"), milliseconds: 100_000 };
const rows = new Map(
  [
    candidateRow("1"),
    candidateRow("2", { state: "paused" }),
    candidateRow("3", { state: "submitted" }),
    candidateRow("4", { startedAt: at("09:11:40") }),
    candidateRow("5", { state: "paused", standing: "paused" }),
    candidateRow("6", { state: "waiting" }),
  ].map((row) => [row.candidateId as string, row]),
);
const stopped = (since: string) => ({ state: "paused" as const, since, by: "rita@school.example", text: null, minutes: 0, pausedMs: 0 });

test("whoever was at work then is offered whole minutes, once", () => {
  expect(offersOf([OUTAGE], rows, undefined, () => false)).toEqual([{ from: OUTAGE.from, milliseconds: 100_000, minutes: 2, keys: ["1", "2", "5"] }]);
  expect(offersOf([OUTAGE], rows, undefined, (from) => from === OUTAGE.from)).toEqual([]);
  expect(offersOf([{ ...OUTAGE, milliseconds: 60_000 }], rows, undefined, () => false)[0]?.minutes).toBe(1);
});

test("whoever was stopped before it has lost nothing, and nobody is asked for nobody", () => {
  const keysOf = (since: string) => offersOf([OUTAGE], rows, stopped(since), () => false)[0]?.keys;
  expect([keysOf(at("09:09:00")), keysOf(at("09:10:30"))]).toEqual([["1", "2"], ["1", "2", "5"]]);
  expect(offersOf([{ ...OUTAGE, from: at("08:00:00"), to: at("08:01:00") }], rows, undefined, () => false)).toEqual([]);
  expect(offersOf([], rows, undefined, () => false)).toEqual([]);
});

test("whose time was up in it has got it back already", () => {
  // The old end lies in the outage, whose length the server has added.
  const given = new Map([...rows, ["7", candidateRow("7", { deadline: at("09:12:50") })], ["8", candidateRow("8", { deadline: at("09:30:00") })]]);
  expect(offersOf([OUTAGE], given, undefined, () => false)[0]?.keys).toEqual(["1", "2", "5", "8"]);
});
