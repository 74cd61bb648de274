import "../testing/page";
import { afterEach, expect, test, vi } from "vitest";
import { PaperReviews } from "./paper_reviews.svelte";
import { standard, templateQuestion } from "./testing/templates";

afterEach(() => void vi.unstubAllGlobals());

/** A server with these reviews and questions, which takes decisions. `own` are of whoever reads. Returns what it is asked. */
function server(reviews: Record<string, { status: string }>, questions = [templateQuestion("a")], own: string[] = []): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string, { method = "GET", body }: RequestInit = {}) => {
    const { pathname, search, searchParams } = new URL(address, "http://hall.test");
    asked.push(`${method} ${pathname}${search}`);
    const only = searchParams.get("questionId");
    const found = questions.filter(({ id }) => only === null || id === only);
    if (method !== "POST") return new Response(JSON.stringify({ questions: found, reviews, own }), { headers: { "Content-Type": "application/json" } });
    const { questionId, status } = JSON.parse(String(body)) as { questionId: string; status: string };
    reviews[questionId] = { status };
    return new Response(JSON.stringify({ success: true }), { headers: { "Content-Type": "application/json" } });
  });
  return asked;
}

const SUBMIT = "POST /api/review/submit";

test("a question is approved in the paper, and the approval is taken back", async () => {
  const stored: Record<string, { status: string }> = {};
  const asked = server(stored);
  const reviews = new PaperReviews();
  expect(reviews.isPending("a"), "nothing is known").toBe(false);
  expect(await reviews.approve(templateQuestion("a"))).toEqual({ kind: "done" });
  expect([stored["a"]?.status, reviews.isPending("a"), asked.at(-1)]).toEqual(["approved", false, SUBMIT]);
  expect((await reviews.withdraw(templateQuestion("a"))).kind).toBe("done");
  expect([stored["a"]?.status, reviews.isPending("a")]).toEqual(["pending", true]);
});

test("an approval reads its question alone, not the bank of its grade", async () => {
  const asked = server({}, [templateQuestion("a"), templateQuestion("b")]);
  expect(await new PaperReviews().approve(templateQuestion("b"))).toEqual({ kind: "done" });
  expect(asked).toEqual(["GET /api/review/questions?grade=5&questionId=b", SUBMIT]);
});

test("what somebody else has decided meanwhile stays", async () => {
  const asked = server({ a: { status: "flagged" } });
  const reviews = new PaperReviews();
  expect(await reviews.approve(templateQuestion("a"))).toEqual({ kind: "meanwhile" });
  expect([reviews.decisions?.["a"]?.status, asked.includes(SUBMIT)]).toEqual(["flagged", false]);
});

test("a text or a key that nobody has read here is not approved", async () => {
  for (const questions of [[templateQuestion("a", { question: "Another one?" })], [templateQuestion("a", { answer: "C" })], []]) {
    const asked = server({}, questions);
    expect(await new PaperReviews().approve(templateQuestion("a"))).toEqual({ kind: "edited" });
    expect(asked).not.toContain(SUBMIT);
  }
});

test("what somebody has written themselves is pending, and not theirs to approve", async () => {
  const questions = [templateQuestion("a"), templateQuestion("b")];
  server({}, questions, ["a"]);
  const reviews = new PaperReviews();
  expect(reviews.mayApprove("b"), "nothing is known").toBe(false);
  await reviews.load(standard({ standardQuestions: questions }));
  expect(["a", "b"].map((id) => [reviews.isPending(id), reviews.mayApprove(id)])).toEqual([[true, false], [true, true]]);
  expect(await reviews.approve(templateQuestion("b"))).toEqual({ kind: "done" });
  expect([reviews.mayApprove("a"), reviews.mayApprove("b")]).toEqual([false, false]);
});
