import "../../staff/testing/page";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { StoredTexts } from "../../exam/ports";
import { TestContent } from "./content.svelte";

const ID = "11111111-1111-4111-8111-111111111111";
const question = (id: string) => ({ id, type: "multiple-choice", grade: 5, topic: "", subtopic: "", difficulty: 1, question: id, options: ["1", "2"] });
const templateOf = (ids: string[], others: string[] = []) => ({
  id: ID,
  name: "In forms",
  grades: [5],
  mode: "standard",
  durationMinutes: 20,
  standardQuestions: ids.map(question),
  ...(others.length === 0 ? {} : { formQuestions: others.map(question) }),
});

/** What the server gives to everyone, and to whoever sends the secret of an attempt; null is refused. */
let everyone: object | null;
let own: object | null;
let asked: string[];
let kept: StoredTexts | undefined;

beforeEach(() => {
  [everyone, own, asked, kept] = [templateOf(["a", "b"], ["c"]), templateOf(["c", "b"]), [], undefined];
  vi.stubGlobal("fetch", async (path: string, { headers }: { headers: Record<string, string> }) => {
    const isOwn = headers["Authorization"] === "Bearer secret" && path.endsWith("?sessionId=s1");
    asked.push(isOwn ? "own" : "everyone");
    const body = isOwn ? own : everyone;
    return new Response(JSON.stringify(body ?? { error: "The exam has not opened yet" }), { status: body === null ? 403 : 200 });
  });
});

afterEach(() => vi.unstubAllGlobals());

function content(continuation?: string): TestContent {
  const one = new TestContent({ start: { templateId: ID }, templateId: ID });
  one.continuation = continuation;
  return one;
}

const follow = (one: TestContent, ids: string[]) => one.follow(1, ids, (texts) => (kept = texts));
const storedIds = () => Object.keys(kept?.questions ?? {}).sort();

test("after the start a test of a template with forms asks for its own, and keeps no other questions", async () => {
  const one = content();
  await one.load();
  one.continuation = "s1.secret";
  expect(await follow(one, ["c", "b"])).toBe(true);
  expect([asked, storedIds(), Object.keys(one.questions).sort()]).toEqual([["everyone", "own"], ["b", "c"], ["b", "c"]]);
});

test("without forms everyone's is asked for, which the browser may have", async () => {
  everyone = templateOf(["a", "b"]);
  const one = content();
  await one.load();
  one.continuation = "s1.secret";
  expect(await follow(one, ["a", "b"])).toBe(true);
  expect([asked, storedIds()]).toEqual([["everyone", "everyone"], ["a", "b"]]);
});

test("a test that goes on asks for its own at once, also where everyone else is refused", async () => {
  everyone = null;
  const one = content("s1.secret");
  expect((await one.load()).kind).toBe("loaded");
  expect([asked, Object.keys(one.questions).sort()]).toEqual([["own"], ["b", "c"]]);
});

test("questions that are withheld come with the secret of the attempt, and how many there are is said before", async () => {
  const { standardQuestions: _, ...bare } = templateOf([]);
  everyone = { ...bare, access: { who: "signed-in", attemptsLeft: 1 }, questionsWithheld: true, questionCounts: { standard: 2 } };
  own = templateOf(["a", "b"]);
  const one = content();
  await one.load();
  expect([one.summary?.isWithheld, one.summary?.questions, one.summary?.access?.attemptsLeft, Object.keys(one.questions)]).toEqual([true, 2, 1, []]);
  one.continuation = "s1.secret";
  expect(await follow(one, ["a", "b"])).toBe(true);
  expect([asked, storedIds()]).toEqual([["everyone", "own"], ["a", "b"]]);
});

test("a template that closes while a test of it runs is asked for with the secret", async () => {
  everyone = templateOf(["a", "b"]);
  const one = content();
  await one.load();
  one.continuation = "s1.secret";
  const { standardQuestions: _, ...bare } = templateOf([]);
  everyone = { ...bare, questionsWithheld: true, questionCounts: { standard: 2 } };
  expect(await follow(one, ["c", "b"])).toBe(true);
  expect([asked, storedIds()]).toEqual([["everyone", "everyone", "own"], ["a", "b", "c"]]);
});

test("what is unknown after everything was read is told, and that of a template that is gone is not", async () => {
  const one = content("s1.secret");
  expect(await follow(one, ["c", "new"])).toBe(false);
  vi.stubGlobal("fetch", async () => new Response("{}", { status: 404 }));
  expect(await follow(content("s1.secret"), ["c", "new"])).toBe(true);
});
