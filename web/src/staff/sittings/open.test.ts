import "../testing/page";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dismiss, noticed, undoLast } from "../undo.svelte";
import { OpenSitting } from "./open.svelte";
import type { Candidate, CandidateFields, Sitting } from "./shapes";
import { candidate, explained, sitting } from "./testing/school";

/** A server with one sitting, which refuses a change that is meant for another version. */
let plan: Sitting;
let roster: Candidate[];
let patches: { id: string; version: string | undefined }[];

function change(id: string, fields: Partial<Candidate>, planned: Partial<Sitting> = {}) {
  plan = { ...plan, ...planned, version: plan.version + 1 };
  roster = roster.map((one) => (one.id === id ? { ...one, ...fields } : one));
}

function answer(path: string, request: RequestInit): Response {
  const said = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status, headers: { ETag: `"${plan.version}"` } });
  if (request.method !== "PATCH") return said(path.endsWith("/candidates") ? { candidates: roster } : { sitting: plan });
  const id = path.split("/").at(-1) as string;
  const version = (request.headers as Record<string, string>)["If-Match"];
  patches.push({ id, version });
  if (version !== undefined && version !== `"${plan.version}"`) return said({ error: "Sitting has changed" }, 412);
  change(id, JSON.parse(String(request.body)) as Partial<Candidate>);
  return said({ candidate: roster.find((one) => one.id === id) });
}

beforeEach(() => {
  plan = sitting();
  roster = [candidate({ seat: "4", room: "B12" }), candidate({ id: "c2", name: "Bo", email: "bo@school.example", room: "B12" })];
  patches = [];
  vi.stubGlobal("fetch", (path: string, request: RequestInit) => Promise.resolve(answer(path, request)));
});
afterEach(() => {
  for (const { id } of noticed()) dismiss(id);
  vi.unstubAllGlobals();
});

async function opened() {
  const opened = new OpenSitting("s1");
  await opened.read();
  const save = (one: Candidate, mine: CandidateFields, base: Sitting) => opened.changeCandidate(one, explained(), mine, "Ada is changed.", base);
  return { opened, save, ada: roster[0] as Candidate, base: plan };
}

async function undone() {
  undoLast();
  await vi.waitFor(() => expect(noticed().some(({ isUndoing }) => isUndoing)).toBe(false));
  return noticed().map(({ kind }) => kind);
}

test("walk-ins, slips and changes of others hold no change of a candidate up", async () => {
  const { save, ada, base } = await opened();
  change("c2", { seat: "9" });
  change("c1", { hasAccessCode: true, state: "waiting" });
  expect((await save(ada, { note: "sits in front" }, base)).kind).toBe("done");
  expect(roster[0]).toMatchObject({ note: "sits in front", hasAccessCode: true });
  expect(patches.map(({ version }) => version)).toEqual(['"1"', '"3"']);
});

test("another value of the same candidate, and another plan, are shown first", async () => {
  const { save, ada, base } = await opened();
  change("c1", { seat: "9" });
  expect(await save(ada, { note: "sits in front" }, base)).toMatchObject({ kind: "refused", status: 412 });
  const [now, seen] = [plan, roster[0] as Candidate];
  change("c2", {}, { startsAt: "2027-06-01T03:00:00.000Z" });
  expect(await save(seen, { note: "sits in front" }, now)).toMatchObject({ kind: "refused", status: 412 });
  expect(roster[0]?.note).toBeNull();
});

test("an undo takes back what was changed, and nothing that somebody else has set since", async () => {
  const { save, ada, base } = await opened();
  await save(ada, { seat: "5" }, base);
  change("c2", { seat: "1" });
  expect(await undone()).toEqual(["done"]);
  expect(roster.map(({ seat }) => seat)).toEqual(["4", "1"]);

  await save(roster[0] as Candidate, { seat: "5" }, plan);
  change("c1", { seat: "7" });
  expect(await undone()).toContain("complaint");
  expect(roster[0]?.seat).toBe("7");
});

test("a move of many is taken back without those whom somebody has moved on", async () => {
  const { opened: one } = await opened();
  const before = [...roster];
  for (const each of before) await one.moveCandidate(each, "B13");
  change("c1", { room: "B14" });
  await one.read();
  const answers = [];
  for (const each of before) answers.push((await one.moveBack(each, "B13")).kind);
  expect(answers).toEqual(["refused", "done"]);
  expect(roster.map(({ room }) => room)).toEqual(["B14", "B12"]);
});

test("a change of times says whom it has reached, and names whom not", async () => {
  const opened = new OpenSitting("s1");
  await opened.read();
  const unchanged = [{ sessionId: "a", student: "Bo", reason: "own_time" }, { sessionId: "b", student: "Cy", reason: "ends_before" }];
  const ends = { count: 2, unchangedCount: 2, unchanged };
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ sitting: { ...plan, version: 2 }, ends }))));
  expect(await opened.change({ endsAt: "2027-06-01T03:00:00.000Z" }, "The times are changed.", plan)).toBe("saved");
  expect(noticed().map(({ text }) => text)).toEqual([
    "Not changed: Bo: they have a time or an end of their own. Cy: their minutes are over before.",
    "The times are changed. 2 students have another end now.",
  ]);
});
