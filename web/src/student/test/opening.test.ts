import { beforeEach, expect, test } from "vitest";
import { Memory } from "../../exam/testing/memory";
import { openingOf, type Visit } from "./opening";

let memory: Memory;

beforeEach(() => {
  memory = new Memory();
});

function keep(test: string, owner?: string): void {
  const record = { test, startKey: "k", start: {}, sessionId: "s", token: "t", ...(owner === undefined ? {} : { owner }) };
  memory.kept.set(test, { record, commands: [], drawings: {} });
}

const open = (visit: Partial<Visit> = {}, email?: string) =>
  openingOf({ test: "grade:5:standard", isNamed: false, continuation: undefined, own: undefined, ...visit }, memory.tab(), async () => email);

test("where nothing is kept a new test is begun", async () => {
  keep("grade:5:standardised");
  keep("grade:6:standard");
  expect(await open()).toEqual({ kind: "new", attempt: "grade:5:standard" });
});

test("a reload goes on with what this tab has begun", async () => {
  keep("grade:5:standard");
  keep("grade:5:standard/2");
  expect(await open({ own: { attempt: "grade:5:standard/2", continuation: "s.t" } })).toEqual({ kind: "goOn", attempt: "grade:5:standard/2" });
});

test("a reload goes on where the browser's database has lost it, or can't be read", async () => {
  const own = { attempt: "grade:5:standard", continuation: "s.t" };
  expect(await open({ own })).toEqual({ kind: "continue", ...own });
  memory.isBroken = true;
  expect(await open({ own })).toEqual({ kind: "continue", ...own });
  await expect(open()).rejects.toThrow();
});

test("whoever opens the link anew is asked whose test it is, and may begin another beside it", async () => {
  keep("grade:5:standard");
  keep("grade:5:standard/2");
  const opening = await open();
  expect(opening).toMatchObject({ kind: "ask", fresh: "grade:5:standard/3" });
  expect(opening.kind === "ask" && opening.found.map((record) => record.test)).toEqual(["grade:5:standard", "grade:5:standard/2"]);
});

test("a link that says whose test it is asks nothing", async () => {
  keep("grade:5:standard");
  expect(await open({ isNamed: true })).toEqual({ kind: "goOn", attempt: "grade:5:standard" });
});

test("who is signed in goes on with their own test, and is not shown that of another", async () => {
  keep("grade:5:standard", "ada@school.example");
  expect(await open({}, "ada@school.example")).toEqual({ kind: "goOn", attempt: "grade:5:standard" });
  expect(await open({}, "bob@school.example")).toEqual({ kind: "new", attempt: "grade:5:standard/2" });
  expect((await open()).kind).toBe("ask");
});

test("the link of another device takes the place of nothing that is here", async () => {
  keep("grade:5:standard");
  expect(await open({ continuation: "0b0e.t" })).toEqual({ kind: "continue", attempt: "grade:5:standard/0b0e", continuation: "0b0e.t" });
});

test("a tab whose test has ended does not go into the next one of that name", async () => {
  keep("grade:5:standard");
  expect((await open({ own: { attempt: "grade:5:standard", continuation: "before.t" } })).kind).toBe("ask");
  expect(await open({ own: { attempt: "grade:5:standard", continuation: "" } })).toEqual({ kind: "goOn", attempt: "grade:5:standard" });
  const own = { attempt: "grade:5:standard", continuation: "s.t" };
  memory.kept.set("grade:5:standard", { record: { test: "grade:5:standard", startKey: "k", start: {} }, commands: [], drawings: {} });
  expect(await open({ own }), "a session goes before a start without an answer").toEqual({ kind: "continue", ...own });
});

test("an access code goes on with nothing that is here without asking, and overwrites none of it", async () => {
  expect(await open({ hasCode: true })).toEqual({ kind: "new", attempt: "grade:5:standard" });
  keep("grade:5:standard", "ada@school.example");
  expect(await open({ hasCode: true })).toEqual({ kind: "new", attempt: "grade:5:standard/2" });
  const own = { attempt: "grade:5:standard", continuation: "s.t" };
  expect(await open({ hasCode: true, own }, "ada@school.example")).toMatchObject({ kind: "ask", fresh: "grade:5:standard/2" });
  keep("grade:5:standard/2");
  expect(await open({ hasCode: true }, "ada@school.example")).toMatchObject({ kind: "ask", fresh: "grade:5:standard/3" });
});
