// Tests that were sat over the API, with answers that the test has chosen: pages would take minutes for what takes a second here.

import type { APIRequestContext, Page } from "@playwright/test";
import { expect } from "../hall";
import type { School } from "../sitting";
import { call, OFTEN } from "../student";

/** The option that a student chooses for the question at this place, whose right option is known; null for none. */
export type Answering = (right: string, place: number) => string | null;

export const allRight: Answering = (right) => right;

/** The next option after this one, so always a wrong one. */
export const after = (right: string) => "ABCD".charAt(("ABCD".indexOf(right) + 1) % 4);

const DRAWING = { v: 1, size: [1100, 640], items: [{ t: "pen", c: "#1b2130", w: 3, p: [80, 300, 191, 314, 220, 331] }] };

interface Attempt {
  sessionId: string;
  token: string;
}

/** The right options of a grade's questions, by id. */
export async function keysOf(page: Page, grade = 5): Promise<Map<string, string>> {
  const { questions } = await call(page, "GET", `/api/review/questions?grade=${grade}`);
  return new Map(questions.map(({ id, answer }: { id: string; answer: string }) => [id, answer]));
}

export const newKey = () => `results${Math.random().toString(36).slice(2).padEnd(16, "x")}`;

/** Enters the sitting. The answers come after it has begun. */
export async function entered(request: APIRequestContext, school: School, name: string): Promise<Attempt> {
  return post(request, "/api/live", { type: "enter", code: school.sitting.code, access: school.code(name), key: newKey() });
}

/** Begins a test of a template, for practice. */
export async function practising(request: APIRequestContext, templateId: string, name: string): Promise<Attempt> {
  return post(request, "/api/live", { type: "start", templateId, key: newKey(), annotations: { name } });
}

/** Answers every question as soon as the exam has begun, draws on the first if asked to, and hands in. */
export async function handsIn(request: APIRequestContext, attempt: Attempt, keys: Map<string, string>, answering: Answering, draws = false): Promise<void> {
  const { sessionId, token } = attempt;
  const headers = { Authorization: `Bearer ${token}` };
  const standing = async () => (await request.get(`/api/live/${sessionId}`, { headers })).json();
  await expect.poll(async () => (await standing()).state, OFTEN).toBe("active");
  const { questionIds, seq } = (await standing()) as { questionIds: string[]; seq: number };
  const selected = (questionId: string, place: number) => answering(keys.get(questionId) ?? "", place);
  const answers = questionIds.map((questionId, place) => ({ type: "answer", questionId, selected: selected(questionId, place), timeTaken: 10 + place }));
  const drawings = draws ? [{ type: "drawing", questionId: questionIds[0], drawing: DRAWING }] : [];
  const commands = [...answers, ...drawings, { type: "submit" }].map((command, index) => ({ ...command, seq: seq + index + 1 }));
  const { state } = await post(request, `/api/live/${sessionId}/commands`, { commands }, headers);
  expect(state).toBe("submitted");
}

async function post(request: APIRequestContext, path: string, data: unknown, headers: Record<string, string> = {}): Promise<any> {
  const answer = await request.post(path, { data, headers });
  expect(answer.status(), `${path}: ${await answer.text()}`).toBe(200);
  return answer.json();
}
