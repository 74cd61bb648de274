import "../testing/page";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dismiss, noticed, undoLast } from "../undo.svelte";
import { OpenClass } from "./open.svelte";
import type { SchoolClass } from "./shapes";

/** A server with one class, which refuses a change that is meant for another version. */
let class_: SchoolClass;
let version: number;

function change(fields: Partial<SchoolClass>) {
  class_ = { ...class_, ...fields };
  version += 1;
}

function answer(request: RequestInit): Response {
  const said = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status, headers: { ETag: `"${version}"` } });
  if (request.method !== "PATCH") return said({ class: class_, people: [] });
  const asked = (request.headers as Record<string, string>)["If-Match"];
  if (asked !== `"${version}"`) return said({ error: "Class has changed" }, 412);
  change(JSON.parse(String(request.body)) as Partial<SchoolClass>);
  return said({ class: class_ });
}

beforeEach(() => {
  class_ = { id: "k1", name: "5A", grade: 5, people: 0, createdAt: "2027-05-01T02:00:00.000Z", updatedAt: "2027-05-01T02:00:00.000Z", createdBy: "head@school.example" };
  version = 7;
  vi.stubGlobal("fetch", (_: string, request: RequestInit) => Promise.resolve(answer(request)));
});
afterEach(() => {
  for (const { id } of noticed()) dismiss(id);
  vi.unstubAllGlobals();
});

const BEFORE = { name: "5A", grade: 5 };

async function opened(): Promise<OpenClass> {
  const open = new OpenClass("k1");
  await open.read();
  return open;
}

test("a class is renamed, and gets its name back", async () => {
  const open = await opened();
  expect((await open.change(BEFORE, { name: "6A", grade: 6 }, open.version, "Done")).kind).toBe("done");
  expect(open.found).toMatchObject({ name: "6A", grade: 6 });
  expect(undoLast()).toBe(true);
  await vi.waitFor(() => expect(open.found).toMatchObject(BEFORE));
});

test("people who were imported meanwhile are in nobody's way, also when it is undone", async () => {
  const open = await opened();
  change({ people: 30 });
  expect((await open.change(BEFORE, { name: "5B", grade: 5 }, open.version, "Done")).kind).toBe("done");
  change({ people: 31 });
  undoLast();
  await vi.waitFor(() => expect(open.found).toMatchObject({ ...BEFORE, people: 31 }));
});

test("another name that somebody else has given is seen before it is changed", async () => {
  const open = await opened();
  const seen = open.version;
  change({ name: "5 Blue" });
  expect(await open.change(BEFORE, { name: "5B", grade: 5 }, seen, "Done")).toMatchObject({ kind: "refused", status: 412 });
  expect([open.found?.name, class_.name, noticed().filter(({ undo }) => undo !== undefined)]).toEqual(["5 Blue", "5 Blue", []]);
  expect((await open.change({ name: "5 Blue", grade: 5 }, { name: "5B", grade: 5 }, open.version, "Done")).kind).toBe("done");
  expect(class_.name).toBe("5B");
});
