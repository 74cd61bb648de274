// The server's HTTP API as the pages use it, except for the live exam.

import type { AskedTypes, Mode, OptionOrders } from "../exam/protocol";
import type { Question, Template } from "../exam/question";
import { NOT_OPEN } from "../exam/start";
import type { ResultMark } from "../marks/scale";
import type { PaperNotes } from "./report/asked";

export interface Me {
  email: string;
  name: string;
  role: "student" | "reviewer" | "manager" | "admin";
}

export interface AnswerLine {
  questionId: string;
  selected: string;
  /** Missing, like the next one, when the reader may not know: in a test that was not sat live. */
  correct?: string;
  isCorrect?: boolean;
  timeTaken?: number | null;
  /** How the question was corrected after the test: another key, further options that count, credit for everyone, or none of it counts. */
  correction?: "key" | "also" | "all" | "drop";
  /** The further options that count as right. */
  alsoCorrect?: string[];
}

/** Why there is a version of a session. */
type VersionReason = "submitted" | "late_work" | "reopened" | "key_corrected" | "reverted";

export interface StoredSession {
  sessionId: string;
  grade: number;
  startedAt: string;
  completedAt: string;
  /** `client`: this server has not seen the test being taken. */
  origin: "live" | "client";
  annotations: Record<string, unknown>;
  /** The name of its sitting or template; missing of any other test. */
  exam?: string;
  /** The letter of the student's form; missing if the test had one form only. */
  form?: string;
  /** Of the questions whose options the student has seen in another order. All letters of the result are the bank's. */
  optionOrder?: OptionOrders;
  /** Staff read it, who compare it with the master copy. */
  masterLetters?: boolean;
  drawings?: Record<string, Record<string, unknown>>;
  /** Counts the results that the test has had. */
  version: number;
  /** Why the result was changed, and what it was before; missing in the first version. */
  reason?: VersionReason;
  previous?: { version: number; score: number; mark?: ResultMark };
  /** The result as a mark of the school’s scale; missing without one. */
  mark?: ResultMark;
  /** The test was reopened and goes on: this is what was handed in before, for staff. */
  goesOn?: boolean;
  result: {
    score: number;
    correctAnswers: number;
    totalQuestions: number;
    timeTaken: number;
    topicBreakdown: { topic: string; correct: number; total: number; percentage: number }[];
    difficultyBreakdown: { difficulty: number; correct: number; total: number }[];
    answers: AnswerLine[];
  };
}

/** An attempt of the student who is signed in, begun on any device and not over. */
export interface UnderWay {
  sessionId: string;
  grade: number;
  templateId: string | null;
  mode: Mode;
  startedAt: string;
}

/** The secret that continues an attempt on this device, or why there is none. */
export type MoveResult = { kind: "moved"; sessionId: string; token: string; templateId?: string | null } | { kind: "refused" | "unreachable" } | { kind: "tooMany"; seconds: number };

/** The statuses with which the server keeps an attempt to itself. */
const REFUSED = [400, 401, 403, 404, 409, 410];

/** The value that was asked for, or why it is not there. */
export type LoadResult<T> = { kind: "loaded"; value: T } | { kind: "missing" | "unreachable" } | { kind: "tooMany"; seconds: number };

/** The statuses that mean that there is nothing at the address. Any other may come from a filter on the way, and pass. */
const MISSING = [400, 404, 410];

/** The status with which the server says that nobody is signed in. */
const GUEST = 204;

/** What the server says in place of a report that a teacher has not released. */
const RESULTS_HELD = "Results are not released";

function ask(path: string, more: Record<string, string> = {}): Promise<Response | undefined> {
  return fetch(path, { headers: { Accept: "application/json", ...more } }).catch(() => undefined);
}

async function load<T>(path: string): Promise<LoadResult<T>> {
  return read(await ask(path));
}

async function read<T>(response: Response | undefined): Promise<LoadResult<T>> {
  if (response?.status === 429) return { kind: "tooMany", seconds: Number(response.headers.get("Retry-After") ?? 1) };
  if (response !== undefined && MISSING.includes(response.status)) return { kind: "missing" };
  if (response === undefined || !response.ok) return { kind: "unreachable" };
  const value = (await response.json().catch(() => undefined)) as T | undefined;
  return value === undefined ? { kind: "unreachable" } : { kind: "loaded", value };
}

/** The bank of a grade: multiple choice alone, if no `types` are named. */
export const loadBank = (grade: number, types?: AskedTypes) => load<Question[]>(`/api/questions?grade=${grade}${types === undefined ? "" : `&types=${types}`}`);

/**
 * A template whose exam has not opened is shown to staff alone, and to whoever has begun it, and so are the questions of one
 * that not everyone may sit: `continuation` is the secret of that attempt. With `isOwn` it is sent at once, for what this
 * attempt has of the template.
 */
export async function loadTemplate(id: string, continuation?: string, isOwn = false): Promise<LoadResult<Template> | { kind: "notOpen" }> {
  const path = `/api/test-templates/${encodeURIComponent(id)}`;
  if (continuation === undefined || !isOwn) {
    const loaded = await readTemplate(await ask(path));
    const isShut = loaded.kind === "notOpen" || (loaded.kind === "loaded" && loaded.value.questionsWithheld === true);
    if (!isShut || continuation === undefined) return loaded;
  }
  const [sessionId = "", token = ""] = continuation.split(".", 2);
  return readTemplate(await ask(`${path}?${new URLSearchParams({ sessionId })}`, { Authorization: `Bearer ${token}` }));
}

async function readTemplate(response: Response | undefined): Promise<LoadResult<Template> | { kind: "notOpen" }> {
  if (response?.status !== 403) return read(response);
  const { error } = (await response.json().catch(() => ({}))) as { error?: unknown };
  return error === NOT_OPEN ? { kind: "notOpen" } : { kind: "unreachable" };
}

/** The questions of a finished test, with answers and explanations, and what is said about them. */
export const loadExplained = (id: string) => load<{ questions: Question[] } & PaperNotes>(`/api/report/${encodeURIComponent(id)}/questions`);

/** With `isWaiting`, the server answers when the result is released, or after 25 seconds. */
export async function loadSession(id: string, isWaiting = false): Promise<LoadResult<StoredSession> | { kind: "held" | "goesOn" }> {
  const response = await ask(`/api/sessions/${encodeURIComponent(id)}${isWaiting ? "?wait=release" : ""}`);
  if (response?.status === 409) return { kind: "goesOn" };
  if (response?.status !== 403) return read(response);
  const { error } = (await response.json().catch(() => ({}))) as { error?: unknown };
  return error === RESULTS_HELD ? { kind: "held" } : { kind: "unreachable" };
}

/** Who is signed in; undefined if the server has not said so. */
export async function findMe(): Promise<Me | "guest" | undefined> {
  const response = await ask("/api/me?guests=true");
  if (response?.status === GUEST) return "guest";
  const loaded = await read<Me>(response);
  return loaded.kind === "loaded" ? loaded.value : undefined;
}

/** The attempts under way of the student who is signed in. */
export async function loadUnderWay(): Promise<UnderWay[]> {
  const loaded = await load<{ attempts: UnderWay[] }>("/api/live/mine");
  return loaded.kind === "loaded" ? loaded.value.attempts : [];
}

/** Asks for an attempt of the student who is signed in. */
export async function moveAttempt(sessionId: string): Promise<MoveResult> {
  const result = await move(`/api/live/${encodeURIComponent(sessionId)}/token`, {});
  return result.kind === "moved" ? { ...result, sessionId } : result;
}

/** Asks for the attempt that a proctor's code stands for. */
export const moveByCode = (code: string) => move("/api/live/move", { code });

async function move(path: string, body: unknown): Promise<MoveResult> {
  const headers = { Accept: "application/json", "Content-Type": "application/json" };
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }).catch(() => undefined);
  if (response !== undefined && REFUSED.includes(response.status)) return { kind: "refused" };
  const loaded = await read<{ sessionId: string; token: string; templateId?: string | null }>(response);
  if (loaded.kind === "loaded") return { kind: "moved", ...loaded.value };
  return loaded.kind === "tooMany" ? loaded : { kind: "unreachable" };
}

export function signInLink(returnTo: string): string {
  return `/auth/sign-in?${new URLSearchParams({ return_to: returnTo })}`;
}

/** What came of a sign-out: the sign-in has ended, or the cookie of this browser alone is gone, or nothing was reached. */
export type SignOutResult = "ended" | "here" | "failed";

/** What the server says when it has removed the cookie and can do no more. Any other failure leaves the student signed in. */
const SIGNED_OUT_HERE = "You are signed out in this browser, but the server could not end the sign-in everywhere: it ends within 12 hours";

export async function signOut(): Promise<SignOutResult> {
  const response = await fetch("/auth/sign-out", { method: "POST", headers: { Accept: "application/json" } }).catch(() => undefined);
  if (response === undefined || response.ok) return response === undefined ? "failed" : "ended";
  const { error } = (await response.json().catch(() => ({}))) as { error?: unknown };
  return error === SIGNED_OUT_HERE ? "here" : "failed";
}
