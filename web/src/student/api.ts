// The server's HTTP API as the pages use it, except for the live exam.

import type { Question, Template } from "../exam/question";
import { NOT_OPEN } from "../exam/start";

export interface Me {
  email: string;
  name: string;
  role: "student" | "reviewer" | "manager" | "admin";
}

export interface AnswerLine {
  questionId: string;
  selected: string;
  correct: string;
  isCorrect: boolean;
  timeTaken?: number | null;
}

export interface StoredSession {
  sessionId: string;
  grade: number;
  startedAt: string;
  completedAt: string;
  annotations: Record<string, unknown>;
  drawings?: Record<string, Record<string, unknown>>;
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

/** The value that was asked for, or why it is not there. */
export type LoadResult<T> = { kind: "loaded"; value: T } | { kind: "missing" | "unreachable" } | { kind: "tooMany"; seconds: number };

/** The statuses that mean that there is nothing at the address. Any other may come from a filter on the way, and pass. */
const MISSING = [400, 404, 410];

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

export const loadBank = (grade: number) => load<Question[]>(`/api/questions?grade=${grade}`);

/** A template whose exam has not opened is shown to staff alone. */
export async function loadTemplate(id: string): Promise<LoadResult<Template> | { kind: "notOpen" }> {
  const response = await ask(`/api/test-templates/${encodeURIComponent(id)}`);
  if (response?.status !== 403) return read(response);
  const { error } = (await response.json().catch(() => ({}))) as { error?: unknown };
  return error === NOT_OPEN ? { kind: "notOpen" } : { kind: "unreachable" };
}

/** The questions of a finished test, with answers and explanations. */
export const loadExplained = (id: string) => load<{ questions: Question[] }>(`/api/report/${encodeURIComponent(id)}/questions`);

/** What the server says in place of a report that a teacher has not released. */
const RESULTS_HELD = "Results are not released";

function ask(path: string): Promise<Response | undefined> {
  return fetch(path, { headers: { Accept: "application/json" } }).catch(() => undefined);
}

/** Who is signed in, or undefined if nobody is. */
export async function loadMe(): Promise<Me | undefined> {
  const loaded = await load<Me>("/api/me");
  return loaded.kind === "loaded" ? loaded.value : undefined;
}

export function signInLink(returnTo: string): string {
  return `/auth/sign-in?${new URLSearchParams({ return_to: returnTo })}`;
}

export async function signOut(): Promise<void> {
  await fetch("/auth/sign-out", { method: "POST" }).catch(() => undefined);
}
export async function loadSession(id: string): Promise<LoadResult<StoredSession> | { kind: "held" }> {
  const response = await ask(`/api/sessions/${encodeURIComponent(id)}`);
  if (response?.status !== 403) return read(response);
  const { error } = (await response.json().catch(() => ({}))) as { error?: unknown };
  return error === RESULTS_HELD ? { kind: "held" } : { kind: "unreachable" };
}

