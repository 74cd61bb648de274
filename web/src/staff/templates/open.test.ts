import "../testing/page";
import { afterEach, expect, test, vi } from "vitest";
import { OpenTemplate } from "./open.svelte";
import { adaptive, templateQuestion } from "./testing/templates";

interface Asked {
  method: string;
  path: string;
  body: unknown;
}

/** A server that gives these answers one after the other, and remembers what it was asked. */
function server(...answers: [number, unknown][]): Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit) => {
    asked.push({ method, path, body: body === undefined ? undefined : JSON.parse(String(body)) });
    const [status, value] = answers.shift() ?? [500, undefined];
    return new Response(JSON.stringify(value), { status });
  });
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

const refusal = (error: string): [number, unknown] => [409, { error }];

async function opened(...answers: [number, unknown][]): Promise<{ open: OpenTemplate; asked: Asked[] }> {
  const asked = server([200, { template: adaptive() }], ...answers);
  const open = new OpenTemplate("a");
  await open.read();
  return { open, asked };
}

test("a swap names the list, and sees what others did", async () => {
  const mine = adaptive({ session1Questions: [templateQuestion("new"), templateQuestion("first-2", { difficulty: 5 })], updatedAt: "2026-11-22T10:00:00Z" });
  const theirs = adaptive({ session1Questions: [] });
  const { open, asked } = await opened([200, { template: mine, replacement: templateQuestion("new") }], [200, { template: theirs, replacement: templateQuestion("other") }]);
  expect(await open.swap("session1", "first-1", "new")).toMatchObject({ kind: "done", hasOthers: false });
  const body = { bucket: { kind: "session1" }, questionId: "first-1", replacementId: "new" };
  expect(asked[1]).toEqual({ method: "POST", path: "/api/manager/test-templates/a/swap", body });
  expect(await open.swap("80-90", "80-90-1")).toMatchObject({ kind: "done", hasOthers: true });
  expect(asked[2]?.body).toEqual({ bucket: { kind: "session2", band: "80-90" }, questionId: "80-90-1" });
});

test("a question that somebody else has swapped is gone, and the paper is read again", async () => {
  const theirs = adaptive({ session1Questions: [templateQuestion("theirs")] });
  const withNew = adaptive({ session1Questions: [templateQuestion("theirs"), templateQuestion("new")] });
  const unfit: [number, unknown] = [400, { error: "Replacement must match the same difficulty" }];
  const { open } = await opened([404, { error: "Question not found" }], [200, { template: theirs }], unfit, [200, { template: withNew }], unfit, [200, { template: theirs }]);
  expect(await open.swap("session1", "first-1", "new")).toEqual({ kind: "gone" });
  expect(open.template?.session1Questions?.map(({ id }) => id)).toEqual(["theirs"]);
  expect(await open.swap("session1", "theirs", "new")).toEqual({ kind: "taken" });
  // It is in no list, so that the settings must have changed.
  expect(await open.swap("session1", "theirs", "new")).toMatchObject({ kind: "refused", error: "Replacement must match the same difficulty" });
});

test("a swap is taken back by hand, with the pin that went, and what others did to the list stays", async () => {
  const hard = { difficulty: 5 };
  const now = adaptive({ session1Questions: [templateQuestion("theirs"), templateQuestion("new", hard)], pinned: ["theirs", "80-90-1"] });
  const back = { ...now, session1Questions: [templateQuestion("theirs"), templateQuestion("first-2", hard)] };
  const pinned = { ...back, pinned: ["80-90-1", "theirs", "first-2"] };
  const { open, asked } = await opened([200, { template: now }], [200, { template: back }], [200, { template: pinned }], [200, { template: pinned }]);
  expect(await open.swapBack("session1", { id: "first-2", isPinned: true }, "new")).toMatchObject({ kind: "done" });
  expect(asked.slice(2).map(({ method, body }) => [method, body])).toEqual([
    ["PUT", { bucket: { kind: "session1" }, questionIds: ["theirs", "first-2"] }],
    ["PUT", { pinned: ["80-90-1", "theirs", "first-2"] }],
  ]);
  // Somebody has taken out what had come.
  expect(await open.swapBack("session1", { id: "first-2", isPinned: true }, "new")).toEqual({ kind: "gone" });
  expect(asked.length).toBe(5);
});

test("a question that was not pinned comes back without a pin, and one that came loses its own", async () => {
  const now = adaptive({ session1Questions: [templateQuestion("first-1"), templateQuestion("new")], pinned: ["new", "first-1"] });
  const { open, asked } = await opened([200, { template: now }], [200, { template: adaptive({ pinned: ["first-1"] }) }]);
  expect(await open.swapBack("session1", { id: "first-2", isPinned: false }, "new")).toMatchObject({ kind: "done" });
  expect(asked.length).toBe(3);
  expect(open.template?.pinned).toEqual(["first-1"]);
});

test("while doors are open somebody is asked before it is forced", async () => {
  const isOpen = refusal("Sitting is open");
  const { open, asked } = await opened(isOpen, [200, { template: adaptive({ name: "Changed" }) }], isOpen, refusal("Sitting has begun"));
  const saving = open.save({ name: "Changed" });
  await vi.waitFor(() => expect(open.asking).toBeDefined());
  open.asking?.(true);
  expect(await saving).toMatchObject({ kind: "done" });
  expect(asked[2]?.path).toBe("/api/manager/test-templates/a?force=true");
  expect(open.template?.name).toBe("Changed");
  const drawing = open.draw();
  await vi.waitFor(() => expect(open.asking).toBeDefined());
  open.asking?.(false);
  expect(await drawing).toEqual({ kind: "kept" });
  expect(asked.length).toBe(4);
  // What has begun can't be forced, so nobody is asked.
  expect(await open.draw()).toMatchObject({ kind: "refused", error: "Sitting has begun" });
});

test("a list is chosen before its pins are, and those of other lists stay", async () => {
  const session1Questions = [templateQuestion("first-2", { difficulty: 5 }), templateQuestion("new")];
  const listed = adaptive({ session1Questions, pinned: ["80-90-1"], updatedAt: "2026-11-22T10:00:00Z" });
  const pinned = { ...listed, pinned: ["80-90-1", "new"] };
  // Somebody else pins a question of another list meanwhile.
  const theirs = { ...pinned, pinned: [...pinned.pinned, "60-70-2"] };
  const { open, asked } = await opened([200, { template: listed }], [200, { template: pinned }], [200, { template: theirs }], [200, { template: listed }], refusal("Sitting has begun"));
  expect(await open.choose("session1", ["first-2", "new"], ["new"])).toMatchObject({ kind: "done" });
  expect(asked[1]).toEqual({
    method: "PUT",
    path: "/api/manager/test-templates/a/questions",
    body: { bucket: { kind: "session1" }, questionIds: ["first-2", "new"] },
  });
  expect(asked[2]).toEqual({ method: "PUT", path: "/api/manager/test-templates/a", body: { pinned: ["80-90-1", "new"] } });
  expect(open.template?.pinned).toEqual(["80-90-1", "new"]);
  // The list is as it was, so its pins alone are sent, with those that others have pinned.
  expect(await open.choose("session1", ["first-2", "new"], [])).toMatchObject({ kind: "done" });
  expect([asked[3]?.method, asked[4]?.body]).toEqual(["GET", { pinned: ["80-90-1", "60-70-2"] }]);
  expect(await open.choose("session1", ["new"], [])).toMatchObject({ kind: "refused", error: "Sitting has begun" });
  expect(asked.length).toBe(6);
});

test("while doors are open somebody is asked once for a list and its pins", async () => {
  const session1Questions = [templateQuestion("new")];
  const listed = adaptive({ session1Questions, updatedAt: "2026-11-22T10:00:00Z" });
  const { open, asked } = await opened(refusal("Sitting is open"), [200, { template: listed }], [200, { template: { ...listed, pinned: ["new"] } }]);
  const choosing = open.choose("session1", ["new"], ["new"]);
  await vi.waitFor(() => expect(open.asking).toBeDefined());
  open.asking?.(true);
  expect(await choosing).toMatchObject({ kind: "done" });
  expect(asked.slice(1).map(({ path }) => path)).toEqual([
    "/api/manager/test-templates/a/questions",
    "/api/manager/test-templates/a/questions?force=true",
    "/api/manager/test-templates/a?force=true",
  ]);
});

test("reading again tells whether somebody else has changed it", async () => {
  const { open } = await opened([200, { template: adaptive() }], [200, { template: adaptive({ updatedAt: "2026-11-22T10:00:00Z" }) }], [500, undefined]);
  expect(await open.read()).toBe(false);
  expect(await open.read()).toBe(true);
  // A failure leaves what was there.
  expect(await open.read()).toBe(false);
  expect(open.template?.updatedAt).toBe("2026-11-22T10:00:00Z");
  expect(open.problem).toBeUndefined();
});
