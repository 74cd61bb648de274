import "../testing/page";
import { afterEach, expect, test, vi } from "vitest";
import { LoadedResults } from "./results.svelte";

afterEach(() => vi.unstubAllGlobals());

test("results of other days are not shown under the new ones, also if those can't be loaded", async () => {
  let isReached = true;
  const body = JSON.stringify({ of: { kind: "grade", grades: [5] }, questions: [], rows: [] });
  vi.stubGlobal("fetch", () => (isReached ? Promise.resolve(new Response(body)) : Promise.reject(new TypeError("no network"))));
  const loaded = new LoadedResults();
  await loaded.open({ grade: "5" });
  expect(loaded.results?.of.grades).toEqual([5]);
  isReached = false;
  // The same again is a refresh, which may fail.
  await loaded.open({ grade: "5" });
  expect([loaded.results !== undefined, loaded.problem?.kind]).toEqual([true, "unreachable"]);
  const opening = loaded.open({ grade: "5", from: "2026-06-01T00:00:00Z" });
  expect([loaded.results, loaded.problem]).toEqual([undefined, undefined]);
  await opening;
  expect([loaded.results, loaded.problem?.kind]).toEqual([undefined, "unreachable"]);
});
