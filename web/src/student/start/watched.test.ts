import { afterEach, expect, test, vi } from "vitest";
import { loadWatched, soonWatched, watchedDesk, type WatchedExam } from "./watched";

const NOW = Date.parse("2026-01-05T08:40:00.000Z");
const exam = (id: string, changes: Partial<WatchedExam> = {}): WatchedExam => ({ id, name: "Finals", startsAt: "2026-01-05T09:00:00.000Z", state: "draft", rooms: ["Hall A"], ...changes });

afterEach(() => void vi.unstubAllGlobals());

test("a proctor is shown what is at work or comes within a day, and nothing that is over", () => {
  const all = [
    exam("tomorrow", { startsAt: "2026-01-06T08:00:00.000Z" }),
    exam("now", { state: "running", startsAt: "2026-01-05T08:00:00.000Z" }),
    exam("today"),
    exam("late", { startsAt: "2026-01-07T08:00:00.000Z" }),
    exam("over", { state: "ended" }),
    exam("of no room", { rooms: [] }),
  ];
  expect(soonWatched(all, NOW).map(({ id }) => id)).toEqual(["now", "today", "tomorrow"]);
  expect(watchedDesk(exam("s1"), "Hall A & B")).toBe("/staff/sittings/s1/desk?room=Hall+A+%26+B");
});

test("whoever watches nothing, or may not be asked, is shown nothing", async () => {
  const answer = (status: number, body: unknown) => vi.stubGlobal("fetch", async () => new Response(JSON.stringify(body), { status, headers: { Date: new Date(NOW).toUTCString() } }));
  answer(200, { sittings: [exam("today")] });
  expect((await loadWatched()).map(({ id }) => id)).toEqual(["today"]);
  answer(501, { error: "Sittings need the local data provider" });
  expect(await loadWatched()).toEqual([]);
  answer(200, "a portal");
  expect(await loadWatched()).toEqual([]);
});
