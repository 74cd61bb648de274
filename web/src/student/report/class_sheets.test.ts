import { afterEach, expect, test, vi } from "vitest";
import type { StoredSession } from "../api";
import { findClass, loadTests, type ClassTest } from "./class_sheets";

const of = (name: string): ClassTest => ({ sessionId: `s-${name}`, name });
const session = (sessionId: string) => ({ sessionId }) as StoredSession;

afterEach(() => vi.unstubAllGlobals());

function answering(sitting: Response, results: Response) {
  vi.stubGlobal("fetch", (path: string) => Promise.resolve(path.endsWith("/results") ? results : sitting));
}

test("a class has those who have handed in, in the order of the server", async () => {
  const row = (name: string, sessionId: string | null, score: number | null) => ({ candidate: { name }, sessionId, score });
  const rows = [row("Ada", "s-1", 640), row("At work", "s-2", null), row("Absent", null, null), row("Bo", "s-3", 200)];
  answering(Response.json({ sitting: { name: "Finals" } }), Response.json({ rows }));
  expect(await findClass("7c1d")).toEqual({ kind: "found", found: { name: "Finals", tests: [{ sessionId: "s-1", name: "Ada" }, { sessionId: "s-3", name: "Bo" }] } });
});

test("a room has its own", async () => {
  const row = (name: string, room: string | null) => ({ candidate: { name, room }, sessionId: `s-${name}`, score: 500 });
  answering(Response.json({ sitting: { name: "Finals" } }), Response.json({ rows: [row("Ada", "B12"), row("Bo", "B13"), row("Cy", null)] }));
  expect(await findClass("7c1d", "B12")).toEqual({ kind: "found", found: { name: "Finals, B12", tests: [of("Ada")] } });
});

test("whoever may not see a class is told so", async () => {
  for (const status of [401, 403]) {
    answering(Response.json({}, { status }), Response.json({}, { status }));
    expect(await findClass("7c1d")).toEqual({ kind: "notYours" });
  }
  answering(Response.json({}, { status: 404 }), Response.json({}, { status: 404 }));
  expect(await findClass("7c1d")).toEqual({ kind: "missing" });
});

test("all are loaded a few at a time, and each that comes is told", async () => {
  let [now, most] = [0, 0];
  const came: string[] = [];
  const load = async (id: string) => {
    most = Math.max(most, (now += 1));
    await Promise.resolve();
    now -= 1;
    return { kind: "loaded" as const, value: session(id) };
  };
  const names = Array.from({ length: 28 }, (_, index) => of(String(index)));
  expect(await loadTests(names, load, ({ name }) => came.push(name))).toEqual([]);
  expect([came.length, most]).toEqual([28, 3]);
});

test("a busy server is asked again when it says, and what is not there is named in its order", async () => {
  const pauses: number[] = [];
  const tries = new Map<string, number>();
  const load = (id: string) => {
    const count = (tries.get(id) ?? 0) + 1;
    tries.set(id, count);
    if (id === "s-Bo" && count < 3) return Promise.resolve({ kind: "tooMany" as const, seconds: 7 });
    if (id === "s-Ada") return Promise.resolve({ kind: "missing" as const });
    if (id === "s-Emil") return Promise.resolve({ kind: "unreachable" as const });
    return Promise.resolve({ kind: "loaded" as const, value: session(id) });
  };
  const came: string[] = [];
  const missing = await loadTests(["Emil", "Bo", "Ada"].map(of), load, ({ name }) => came.push(name), async (seconds) => void pauses.push(seconds));
  expect([missing.map(({ name }) => name), came]).toEqual([["Emil", "Ada"], ["Bo"]]);
  expect([...tries.values()], "four tries of what is away, one of what is not there").toEqual([4, 3, 1]);
  expect(pauses.filter((seconds) => seconds === 7)).toHaveLength(2);
  expect(missing.map(({ why }) => why)).toEqual(["away", "away"]);
});

test("the old result of a test that goes on is no sheet", async () => {
  const load = (id: string) => {
    if (id === "s-Ada") return Promise.resolve({ kind: "loaded" as const, value: { ...session(id), goesOn: true } });
    if (id === "s-Bo") return Promise.resolve({ kind: "goesOn" as const });
    return Promise.resolve({ kind: "loaded" as const, value: session(id) });
  };
  const came: string[] = [];
  const missing = await loadTests(["Ada", "Bo", "Emil"].map(of), load, ({ name }) => came.push(name));
  expect([missing, came]).toEqual([[{ ...of("Ada"), why: "goesOn" }, { ...of("Bo"), why: "goesOn" }], ["Emil"]]);
});
