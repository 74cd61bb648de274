import "../testing/page";
import { afterEach, expect, test, vi } from "vitest";
import type { Person } from "./person";
import { reversed, stepsTo, takeAll, takeBackSteps, type PeopleStep } from "./steps";

afterEach(() => vi.unstubAllGlobals());

const rita: Person = { email: "rita@x.org", name: "Rita", role: "student", createdAt: null, lastLogin: null, grades: { reviewer: [5], manager: [] } };
const newcomer: Person = { ...rita, email: "new@x.org", role: undefined, grades: { reviewer: [], manager: [] } };

/** Requests get these statuses one after the other, then 200; undefined is a server that can't be reached. */
function answering(...statuses: (number | undefined)[]) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (path: string, { method, body }: RequestInit) => {
    asked.push(`${method} ${path}${body === undefined ? "" : ` ${String(body)}`}`);
    const status = asked.length <= statuses.length ? statuses[asked.length - 1] : 200;
    if (status === undefined) return Promise.reject(new TypeError("no network"));
    return Promise.resolve(new Response(status < 400 ? "{}" : '{"error":"No"}', { status }));
  });
  return asked;
}

test("only what differs is a step, and who has never signed in is made a user first", () => {
  expect(stepsTo(rita, { role: "student", grades: { reviewer: [5] } })).toEqual([]);
  expect(stepsTo(rita, { role: "reviewer", grades: { reviewer: [6, 5], manager: [1] } })).toEqual([
    { kind: "grades", duty: "reviewer", email: "rita@x.org", name: "Rita", from: [5], to: [5, 6] },
    { kind: "grades", duty: "manager", email: "rita@x.org", name: "Rita", from: [], to: [1] },
    { kind: "role", email: "rita@x.org", from: "student", to: "reviewer" },
  ]);
  expect(stepsTo(newcomer, { role: "reviewer", name: "New", grades: { reviewer: [1] } })).toEqual([
    { kind: "invite", email: "new@x.org", name: "New", to: "reviewer", grades: { reviewer: [], manager: [] } },
    { kind: "grades", duty: "reviewer", email: "new@x.org", name: "New", from: [], to: [1] },
  ]);
});

test("each step is one request, and is taken back by its reverse", async () => {
  const asked = answering();
  const steps = stepsTo({ ...rita, email: "r+1@x.org" }, { role: "reviewer", grades: { reviewer: [], manager: [2] } });
  const { done, failures } = await takeAll([steps]);
  expect([done, failures.size]).toEqual([steps, 0]);
  expect((await takeBackSteps(done)).kind).toBe("done");
  expect(asked).toEqual([
    "DELETE /api/admin/review/assignments/r%2B1%40x.org",
    'POST /api/admin/review/managers {"email":"r+1@x.org","name":"Rita","grades":[2]}',
    'PATCH /api/admin/users/r%2B1%40x.org {"role":"reviewer"}',
    'PATCH /api/admin/users/r%2B1%40x.org {"role":"student"}',
    "DELETE /api/admin/review/managers/r%2B1%40x.org",
    'POST /api/admin/review/assignments {"email":"r+1@x.org","name":"Rita","grades":[5]}',
  ]);
  expect(reversed(reversed(steps))).toEqual(steps);
});

test("a role before the first sign-in is taken back with the user, and the grades of before are given again", async () => {
  const asked = answering();
  const before: Person = { ...newcomer, name: "New", grades: { reviewer: [4], manager: [] } };
  const { done } = await takeAll([stepsTo(before, { role: "reviewer", grades: { reviewer: [4, 5] } })]);
  expect((await takeBackSteps(done)).kind).toBe("done");
  const grades = (...numbers: number[]) => `POST /api/admin/review/assignments {"email":"new@x.org","name":"New","grades":[${numbers.join(",")}]}`;
  expect(asked).toEqual([
    'PUT /api/admin/users/new%40x.org {"role":"reviewer","name":"New"}',
    grades(4, 5),
    grades(4),
    "DELETE /api/admin/users/new%40x.org",
    grades(4),
  ]);
  const [invite] = stepsTo({ ...newcomer, name: "" }, { role: "student" });
  await takeAll([[invite as PeopleStep]]);
  expect(asked.at(-1)).toBe('PUT /api/admin/users/new%40x.org {"role":"student"}');
});

const grade = (email: string): PeopleStep => ({ kind: "grades", duty: "reviewer", email, name: email, from: [], to: [1] });

test("a refusal breaks off its own plan alone, and the others go on", async () => {
  answering(200, 409);
  const role: PeopleStep = { kind: "role", email: "a", from: "admin", to: "student" };
  const { done, failures } = await takeAll([[grade("a"), role, grade("a")], [grade("b")]]);
  expect(done.map(({ email }) => email)).toEqual(["a", "b"]);
  expect([...failures.keys()]).toEqual([0]);
});

test("an unreachable server and a stop end everything that is left", async () => {
  const asked = answering(200, undefined);
  const heard: [number, string][] = [];
  const { done, failures } = await takeAll([[grade("a")], [grade("b")], [grade("c")]], (index, { kind }) => heard.push([index, kind]) > 0);
  expect(heard).toEqual([
    [0, "done"],
    [1, "unreachable"],
  ]);
  expect([done.length, [...failures.keys()], asked.length]).toEqual([1, [1], 2]);
  expect((await takeAll([[grade("a")], [grade("b")]], () => false)).done).toHaveLength(1);
});
