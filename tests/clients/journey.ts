// The whole journey with the generated TypeScript types: the compiler checks every body, parameter and answer.

import assert from "node:assert/strict";

import createClient from "openapi-fetch";

import { compared, comparing } from "./answers.js";
import type { components, paths } from "./generated/api.js";
import type { paths as CalendarPaths } from "./generated/calendar.js";
import type { paths as ContractPaths } from "./generated/contract.js";

const { HALL: baseUrl = "", TOKEN: token = "", PROVIDER_KEY = "" } = process.env;
const anyone = createClient<paths>({ baseUrl });
const admin = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
const contract = createClient<ContractPaths>({ baseUrl: `${baseUrl}/v1`, headers: { "X-API-Key": PROVIDER_KEY } });
const asDocumented = comparing("api");
for (const client of [anyone, admin]) client.use(asDocumented);
contract.use(comparing("contract"));

/** What was answered, unless it is an error. */
function ok<T>({ data, error, response }: { data?: T | undefined; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`${response.url} ${response.status} ${JSON.stringify(error)}`);
  return data;
}

async function takeTest(): Promise<string> {
  const bank = ok(await anyone.GET("/api/questions", { params: { query: { grade: 5 } } }));
  const begun = ok(await anyone.POST("/api/live", { body: { grade: 5, durationMinutes: 30, questionCount: 10, key: "a-key-of-typescript", annotations: { name: "Ada", event: 23 } } }));
  if (begun.type !== "started") throw new Error(`the key was used before: ${begun.type}`);
  const again = ok(await anyone.POST("/api/live", { body: { grade: 5, key: "a-key-of-typescript" } }));
  assert.equal(again.type, "resumed");
  const { sessionId, questionIds } = begun;
  const seat = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${begun.token}` } });
  seat.use(asDocumented);
  const send = async (commands: components["schemas"]["Command"][]) => ok(await seat.POST("/api/live/{sessionId}/commands", { params: { path: { sessionId } }, body: { commands } }));
  const [first = "", second = ""] = questionIds;
  const right = bank.find(({ id }) => id === first)?.answer ?? null;
  const saved = await send([
    { type: "visit", seq: 1, questionId: first },
    { type: "answer", seq: 2, questionId: first, selected: right, timeTaken: 12 },
    { type: "mark", seq: 3, questionId: second, marked: true },
    { type: "drawing", seq: 4, questionId: first, drawing: { v: 1, size: [10, 10], items: [] } },
    { type: "eliminate", seq: 5, questionId: second, eliminated: ["A", "C"] },
    { type: "answer", seq: 6, questionId: "unknown", selected: "A" },
  ]);
  const [refused] = saved.replies;
  assert.ok(refused?.type === "error" && refused.code === "unknown_question" && refused.seq === 6);
  const resumed = ok(await seat.GET("/api/live/{sessionId}", { params: { path: { sessionId } } }));
  if (resumed.type !== "resumed") throw new Error(JSON.stringify(resumed));
  assert.deepEqual(resumed.answers.map(({ selected, marked, eliminated }) => [selected, marked, eliminated]), [[right, false, undefined], [null, true, ["A", "C"]]]);
  const watched = ok(await admin.GET("/api/live/sessions", { params: { query: { grade: 5 } } }));
  assert.ok(watched.sessions.some((row) => row.sessionId === sessionId && row.state === "active" && row.student === "Ada"));
  const onSession = { params: { path: { id: sessionId } } };
  const { count } = ok(await admin.POST("/api/live/sessions/{id}/orders", { ...onSession, body: { id: "more time", type: "extend", minutes: 5 } }));
  assert.equal(count, 1);
  const { code } = ok(await admin.POST("/api/live/sessions/{id}/code", onSession));
  assert.equal(ok(await anyone.POST("/api/live/move", { body: { code } })).sessionId, sessionId);
  const used = await anyone.POST("/api/live/move", { body: { code } });
  assert.ok(used.error !== undefined && "code" in used.error && used.error.code === "bad_code");
  assert.deepEqual(ok(await admin.GET("/api/live/mine")).attempts, []);
  const { replies: [submitted] } = await send([{ type: "submit", seq: 7 }]);
  if (submitted?.type !== "submitted") throw new Error(JSON.stringify(submitted));
  assert.deepEqual([submitted.reason, submitted.result?.correctAnswers], ["student", 1]);
  const { events } = ok(await admin.GET("/api/live/sessions/{id}/events", { params: { path: { id: sessionId } } }));
  assert.ok(events.length > 0);
  return sessionId;
}

async function readSession(id: string): Promise<void> {
  const params = { path: { id } };
  const stored = ok(await anyone.GET("/api/sessions/{id}", { params }));
  assert.ok("webhookSent" in stored && stored.verified && stored.result.totalQuestions === 10);
  const payload = ok(await anyone.GET("/api/sessions/{id}", { params: { ...params, query: { payload: "1" } } }));
  assert.ok("event" in payload && payload.event === "test.completed");
  const report = await anyone.GET("/api/report/{id}/pdf", { params, parseAs: "arrayBuffer" });
  assert.equal(new TextDecoder().decode(ok(report).slice(0, 5)), "%PDF-");
  assert.match(report.response.headers.get("content-disposition") ?? "", /^attachment/);
  const { questions } = ok(await anyone.GET("/api/report/{id}/questions", { params }));
  assert.equal(questions.length, 10);
  const finished: components["schemas"]["CreateSession"] = {
    grade: 5, startedAt: new Date().toISOString(), baseUrl: "https://exam.example",
    result: { score: 200, correctAnswers: 0, totalQuestions: 1, timeTaken: 9, topicBreakdown: [], difficultyBreakdown: [], answers: [{ questionId: questions[0]?.id ?? "", selected: "", correct: "A", isCorrect: false }] },
  };
  const handIn = async () => ok(await anyone.POST("/api/sessions", { params: { header: { "Idempotency-Key": "a-key-of-typescript" } }, body: finished }));
  const created = await handIn();
  assert.match(created.reportUrl, /^https:\/\/exam\.example\/report\//);
  assert.deepEqual(await handIn(), created);
  const missing = await anyone.GET("/api/sessions/{id}", { params: { path: { id: "none" } } });
  assert.equal(missing.error?.error, "Session not found");
}

async function administer(id: string): Promise<void> {
  assert.equal((await anyone.GET("/api/sessions")).response.status, 401);
  const page = ok(await admin.GET("/api/sessions", { params: { query: { page: 1, origin: "live" } } }));
  assert.ok("sessions" in page && page.sessions.some(({ sessionId, totalQuestions }) => sessionId === id && totalQuestions === 10));
  // All forms of the list: everything, an event's sessions, and those of an event that has none.
  const all = ok(await admin.GET("/api/sessions"));
  assert.ok(Array.isArray(all) && all.some(({ sessionId }) => sessionId === id));
  const ofEvent = async (event: number) => ok(await admin.GET("/api/sessions", { params: { query: { event } } }));
  const [sat, none] = [await ofEvent(23), await ofEvent(999)];
  assert.ok(Array.isArray(sat) && sat.some((entry) => entry.sessionId === id && "account" in entry && entry.account === null));
  assert.deepEqual(none, []);
  const staff = ok(await admin.GET("/api/sessions/{id}", { params: { path: { id } } }));
  assert.equal(staff.account, null);
  const table = ok(await admin.GET("/api/admin/results", { params: { query: { format: "csv" } }, parseAs: "text" }));
  assert.ok(String(table).includes(id));
  assert.equal(ok(await admin.GET("/api/me")).role, "admin");
  const { id: tokenId, token: made } = ok(await admin.POST("/api/admin/tokens", { body: { name: "LMS", role: "reviewer" } }));
  const basic = createClient<paths>({ baseUrl, headers: { Authorization: `Basic ${btoa(`anyone:${made}`)}` } });
  assert.equal(ok(await basic.GET("/api/me")).role, "reviewer");
  assert.ok(ok(await admin.DELETE("/api/admin/tokens/{id}", { params: { path: { id: tokenId } } })).ok);
  const { reliability, items } = ok(await admin.GET("/api/admin/items", { params: { query: { grade: 5 } } }));
  assert.ok(reliability === null || typeof reliability === "number" || reliability === undefined);
  assert.ok(items.length >= 10);
  const exported = await admin.GET("/api/admin/export", { params: { query: { grade: "5" } }, parseAs: "blob" });
  const file = ok(exported);
  const imported = ok(await admin.POST("/api/admin/import", { params: { query: { dryRun: true } }, body: { file: "" }, bodySerializer: () => {
    const form = new FormData();
    form.append("file", file, "questions.xlsx");
    return form;
  } }));
  assert.deepEqual([imported.added, imported.errors], [0, []]);
  assert.equal(ok(await admin.GET("/api/admin/webhooks", { params: { query: { status: "failed" } } })).total, 0);
  assert.match(ok(await admin.GET("/api/admin/webhooks/key")).key, /^whsec_/);
}

async function workWithTemplates(): Promise<void> {
  const { template, shortfalls } = ok(await admin.POST("/api/admin/test-templates", { body: { name: "Spring", grades: [5], mode: "standard", durationMinutes: 30, standardTargets: { "1": 4, "2": 4, "3": 2 } } }));
  assert.deepEqual(shortfalls, {});
  const params = { path: { id: template.id } };
  const changed = ok(await admin.PUT("/api/admin/test-templates/{id}", { params, body: { name: "Spring, again" } }));
  assert.deepEqual([changed.template.name, changed.template.mode], ["Spring, again", "standard"]);
  const questionId = changed.template.standardQuestions?.[0]?.id ?? "";
  const { candidates } = ok(await admin.GET("/api/admin/test-templates/{id}/swap", { params: { ...params, query: { bucket: "standard", questionId } } }));
  const { replacement } = ok(await admin.POST("/api/admin/test-templates/{id}/swap", { params, body: { bucket: { kind: "standard" }, questionId, replacementId: candidates[0]?.id } }));
  assert.equal(replacement.id, candidates[0]?.id);
  const shared = await anyone.GET("/api/test-templates/{id}", { params });
  const locked = ok(shared).standardQuestions ?? [];
  assert.deepEqual([locked.length, typeof locked[0]?.answer], [10, "string"]);
  const etag = shared.response.headers.get("etag") ?? "";
  const unchanged = await anyone.GET("/api/test-templates/{id}", { params: { ...params, header: { "If-None-Match": etag } } });
  assert.equal(unchanged.response.status, 304);
  const begun = ok(await anyone.POST("/api/live", { body: { templateId: template.id } }));
  assert.ok(begun.type === "started" && begun.questionIds.length === 10);
  ok(await admin.POST("/api/admin/test-templates/{id}/generate", { params }));
  assert.ok(ok(await admin.GET("/api/admin/test-templates")).templates.some(({ id }) => id === template.id));
  assert.ok(ok(await admin.DELETE("/api/admin/test-templates/{id}", { params })).ok);
}

async function review(): Promise<void> {
  const query = { grade: 5 };
  const { questions, reviews } = ok(await admin.GET("/api/review/questions", { params: { query } }));
  const [question] = questions;
  assert.ok(question !== undefined && reviews[question.id]?.status === "pending");
  assert.ok(ok(await admin.POST("/api/review/submit", { body: { questionId: question.id, grade: 5, status: "approved" } })).ok);
  const { editId } = ok(await admin.POST("/api/review/edit", { body: { questionId: question.id, grade: 5, comment: "Clearer", updates: { explanation: "Because." } } }));
  const { editLog } = ok(await admin.GET("/api/review/edit", { params: { query } }));
  assert.ok(editLog.some(({ id, editedAt }) => id === editId && !Number.isNaN(Date.parse(editedAt))));
  assert.ok(ok(await admin.GET("/api/manager/stats")).perGrade.length === 10);
  const decided = ok(await admin.POST("/api/manager/approvals", { body: { grade: 5, status: "approved" } }));
  assert.ok(decided.approved === 1 && decided.pending !== undefined && decided.flagged === 0);
  // A decision from before decisions counted questions.
  const path = { grade: 6, managerEmail: "old@school.example" };
  ok(await contract.PUT("/grade-approvals/{grade}/{managerEmail}", { params: { path }, body: { status: "approved", decidedAt: "2020-01-05T09:00:00.000Z" } }));
  ok(await contract.GET("/grade-approvals"));
  const { approvals } = ok(await admin.GET("/api/manager/approvals"));
  assert.deepEqual(approvals.map(({ grade, status, approved }) => [grade, status, approved]), [[5, "approved", 1], [6, "approved", undefined]]);
  ok(await admin.GET("/api/admin/review/stats"));
  assert.ok(ok(await admin.GET("/api/admin/users")).some(({ role }) => role === "admin"));
}

async function useCalendarAndContract(): Promise<void> {
  const calendar = createClient<CalendarPaths>({ baseUrl: `${baseUrl}/wp-json/tribe/events/v1`, headers: { Authorization: `Bearer ${token}` } });
  const event = ok(await calendar.POST("/events", { body: { title: "Spring test", start_date: "2030-01-10 09:00:00", end_date: "2030-01-10 10:00:00", categories: ["maths"] } }));
  const listed = ok(await calendar.GET("/events", { params: { query: { start_date: "2030-01-01", end_date: "2030-02-01" } } }));
  assert.ok(listed.events.some(({ id }) => id === event.id) && listed.total >= 1);
  const path = { id: event.id ?? 0 };
  const changed = ok(await calendar.POST("/events/{id}", { params: { path }, body: { featured: true } }));
  assert.deepEqual([changed.featured, changed.title], [true, "Spring test"]);
  assert.equal(ok(await calendar.DELETE("/events/{id}", { params: { path } })).status, "trash");
  assert.ok(ok(await contract.GET("/questions", { params: { query: { grade: 5 } } })).questions.length > 100);
  const person = ok(await contract.POST("/users", { body: { email: "typescript@school.example", name: "Ada", role: "student" } }));
  assert.deepEqual([person.role, person.lastLogin], ["student", null]);
}

const id = await takeTest();
await readSession(id);
await administer(id);
await workWithTemplates();
await review();
await useCalendarAndContract();
assert.ok(compared.size >= 45, [...compared].join("\n"));
console.log("the whole journey in TypeScript");
