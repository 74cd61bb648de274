import "../testing/page";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Answer } from "../api";
import { meet } from "../me.svelte";
import { reviewCounts } from "./cover";
import type { Approval, ReviewedBank } from "./shapes";
import { SignOff, type DecisionOutcome } from "./signoff.svelte";
import { bank, decision, edit, hour, questionReview, work } from "./testing/bank";

/** A server with one grade, whose clock goes on by an hour with each decision. */
let now: number;
let kept: ReviewedBank;
let approvals: Approval[];
let posts: string[];
/** Happens between the last reading and the decision. */
let meanwhile: () => void;
let isDown: boolean;

function answer(address: string, request: RequestInit): unknown {
  const [path] = address.split("?");
  if (path === "/api/me") return { email: "max@x", name: "Max", role: "manager", grades: [5] };
  if (path === "/api/manager/stats") return { perGrade: [{ ...work(5, 0, 0, 0), ...reviewCounts(kept) }, work(6, 0, 3, 0)] };
  if (path === "/api/review/questions") return { questions: kept.questions, reviews: kept.reviews };
  if (path === "/api/review/edit") return { editLog: kept.edits };
  if (request.method !== "POST") return { approvals };
  meanwhile();
  const said = JSON.parse(String(request.body)) as Pick<Approval, "grade" | "status" | "comment">;
  const { approved, pending, flagged } = reviewCounts(kept);
  posts.push(`${said.status} ${said.comment}`);
  now += 1;
  const mine = decision(now, { ...said, approved, pending, flagged });
  approvals = [mine, ...approvals.filter(({ managerEmail }) => managerEmail !== "max@x")];
  return { ok: true, approved, pending, flagged };
}

beforeEach(async () => {
  [now, approvals, posts, meanwhile, isDown] = [12, [], [], () => {}, false];
  kept = bank({ a: questionReview("approved", 8), b: questionReview("approved", 9), c: undefined }, [edit("a", 7)]);
  const served = (path: string, request: RequestInit) => new Response(JSON.stringify(answer(path, request)));
  vi.stubGlobal("fetch", async (path: string, request: RequestInit) => (isDown ? Promise.reject(new Error("down")) : served(path, request)));
  await meet();
});
afterEach(() => vi.unstubAllGlobals());

async function opened(): Promise<{ signOff: SignOff; decide: (status?: Approval["status"]) => Promise<DecisionOutcome> }> {
  const signOff = new SignOff(5);
  await signOff.read();
  const seen = signOff.cover(5);
  if (seen === undefined) throw new Error("no bank");
  return { signOff, decide: (status = "approved") => signOff.decide(5, status, "Ready", signOff.cover(5) ?? seen) };
}

const undoOf = (outcome: DecisionOutcome): (() => Promise<Answer<unknown>>) | undefined => (outcome.kind === "decided" ? outcome.undo : undefined);

test("one grade is read with its questions, and a decision is sent as it was shown", async () => {
  const { signOff, decide } = await opened();
  expect([signOff.grades?.map(({ grade }) => grade), [...signOff.banks.keys()], signOff.seal(5), signOff.failed]).toEqual([[5], [5], "none", undefined]);
  expect(await decide()).toEqual({ kind: "decided", undo: undefined, other: undefined });
  expect([posts, signOff.seal(5)]).toEqual([["approved Ready"], "whole"]);
  kept = bank({ ...kept.reviews }, [...kept.edits, edit("b", 14)]);
  await signOff.read();
  expect([signOff.seal(5), signOff.since(5)?.questions.map(({ id }) => id)]).toEqual(["broken", ["b"]]);
});

test("a grade that has changed since it was shown is not decided on", async () => {
  const { signOff } = await opened();
  const seen = signOff.cover(5);
  if (seen === undefined) throw new Error("no bank");
  kept = bank({ ...kept.reviews, b: questionReview("flagged", 11) }, kept.edits);
  const outcome = await signOff.decide(5, "approved", "", seen);
  expect(outcome).toMatchObject({ kind: "differs", cover: { approved: 1, flagged: 1 } });
  expect(posts).toEqual([]);
  if (outcome.kind === "differs") expect(await signOff.decide(5, "approved", "", outcome.cover)).toMatchObject({ kind: "decided" });
});

test("what changes between the last reading and the decision is told of", async () => {
  const { decide } = await opened();
  meanwhile = () => (kept = bank({ ...kept.reviews, b: questionReview("flagged", 12) }, kept.edits));
  expect(await decide()).toMatchObject({ kind: "decided", other: { approved: 1, pending: 1, flagged: 1 } });
});

test("the earlier decision is given again, unless its seal was broken or something has changed since", async () => {
  approvals = [decision(10, { status: "revision_requested", comment: "Not yet" })];
  const { signOff, decide } = await opened();
  const first = await decide();
  expect((await undoOf(first)?.())?.kind).toBe("done");
  expect([posts.at(-1), signOff.seal(5)]).toEqual(["revision_requested Not yet", "revision"]);
  // An approval that covers the same can be given again too.
  await decide();
  const second = await decide("revision_requested");
  kept = bank({ ...kept.reviews }, [...kept.edits, edit("b", 20)]);
  expect(await undoOf(second)?.()).toMatchObject({ kind: "refused", status: 412 });
  approvals = [decision(19, { approved: 2, pending: 1 })];
  await signOff.read();
  expect([signOff.seal(5), undoOf(await decide("revision_requested"))]).toEqual(["broken", undefined]);
});

test("a decision that was replaced meanwhile is not undone", async () => {
  approvals = [decision(10, { status: "revision_requested" })];
  const { decide } = await opened();
  const undo = undoOf(await decide());
  approvals = [decision(16, { comment: "From another tab" })];
  expect(await undo?.()).toMatchObject({ kind: "refused", status: 412 });
  expect(approvals[0]?.decidedAt).toBe(hour(16));
});

test("a server that is away is told of, and what was read stays", async () => {
  const { signOff, decide } = await opened();
  isDown = true;
  expect(await decide()).toEqual({ kind: "failed", answer: { kind: "unreachable" } });
  await signOff.read();
  expect([signOff.failed, signOff.grades?.length]).toEqual([{ kind: "unreachable" }, 1]);
});
