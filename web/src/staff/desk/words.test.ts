import { beforeAll, expect, test, vi } from "vitest";
import { deskRow } from "./testing/rows";

beforeAll(() => {
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("document", { documentElement: {} });
});

test("a row says its state, whether its hall is stopped, and whether another device has just taken it over", async () => {
  const { stateLine } = await import("./words");
  const { clockTime } = await import("./texts/texts.svelte");
  const now = Date.parse("2026-01-05T09:20:00Z");
  const takenOverAt = "2026-01-05T09:11:00.000Z";
  const time = clockTime(takenOverAt);
  expect(stateLine(deskRow({ state: "expected", sessionId: null, standing: "paused" }), now)).toBe("Expected · Time stopped");
  expect(stateLine(deskRow({ state: "paused", standing: "paused" }), now)).toBe("Paused");
  expect(stateLine(deskRow({ state: "submitted", standing: "paused", takenOverAt }), now)).toBe("Handed in");
  expect(stateLine(deskRow({ takenOverAt }), now)).toBe(`At work · Other device at ${time}`);
  expect(stateLine(deskRow({ takenOverAt }), now + 600_000)).toBe("At work");
});

test("what a candidate has beyond the usual time", async () => {
  const { moreTime } = await import("./words");
  expect(moreTime(deskRow())).toEqual([]);
  expect(moreTime(deskRow({ factor: 100, extraMinutes: 10 }))).toEqual(["+10 min"]);
  expect(moreTime(deskRow({ factor: 125, extraMinutes: 10 }))).toEqual(["+25 %", "+10 min"]);
});

test("how a hall stands, in words", async () => {
  const { standingLine } = await import("./words");
  const { clockTime } = await import("./texts/texts.svelte");
  const runs = { state: "running" as const, since: null, by: null, text: null, minutes: 0, pausedMs: 0 };
  const since = "2026-01-05T09:11:00.000Z";
  expect(standingLine(runs)).toBe("Time is not stopped.");
  expect(standingLine({ ...runs, minutes: -3, pausedMs: 60_000 })).toBe("Time is not stopped. 3 minutes were taken from everyone. It was stopped for 1 min before.");
  expect(standingLine({ ...runs, state: "paused", since, by: "rita@school.example", text: "Fire alarm", minutes: 1 })).toBe(
    `Time has been stopped since ${clockTime(since)}, by rita@school.example: Fire alarm. Everyone was given 1 minute.`,
  );
});

test("who is paused and offline is shown as both", async () => {
  const { troubleLine } = await import("./words");
  const since = Date.parse("2026-01-05T09:00:00Z");
  const line = (state: "paused" | "active") => {
    const one = deskRow({ state, connected: false });
    return troubleLine(one, { key: "s1", row: one, reasons: ["offline"], since }, since + 120_000);
  };
  expect([line("paused"), line("active")]).toEqual(["Paused · Offline for 2 minutes", "Offline for 2 minutes"]);
});

test("of late work so much is told as nobody has decided about", async () => {
  const { reasonLine } = await import("./words");
  const late = { changes: 5, lateMs: 60_000, lastAt: "2026-01-05T10:01:00.000Z", offlineSince: null, accepted: 2, declined: 0, undecided: 3 };
  const row = deskRow({ state: "submitted", late });
  expect(reasonLine({ key: "s1", row, reasons: ["lateWork"] }, Date.parse("2026-01-05T10:02:00Z"))).toBe("3 changes came after the end");
});

test("the last one who still works is no crowd", async () => {
  const texts = await Promise.all([import("./texts/en"), import("./texts/vi")]);
  expect(texts.map(({ default: { finishStill } }) => finishStill(1))).toEqual(["End the test of the one who still works…", "Kết thúc bài của em còn đang làm…"]);
});

test("late work has come after the end, which a proctor may have given before the time was up", async () => {
  const { default: texts } = await import("./texts/vi");
  for (const text of [texts.reasonLateWork, texts.lateWorkLead, texts.lateNone]) expect(text).toMatch(/sau khi (bài thi )?kết thúc/);
});
