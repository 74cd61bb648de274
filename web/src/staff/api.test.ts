import "./testing/page";
import { afterEach, expect, test, vi } from "vitest";
import { failure, get, send, upload } from "./api";
import { heardAt, now } from "./serverClock";

afterEach(() => vi.unstubAllGlobals());

/** The next request gets this answer, or none. Returns what was asked. */
function answering(status: number | undefined, body = "{}", headers: Record<string, string> = {}) {
  const asked = vi.fn((_path: string, _request: RequestInit) =>
    status === undefined ? Promise.reject(new TypeError("no network")) : Promise.resolve(new Response(status === 204 ? null : body, { status, headers })),
  );
  vi.stubGlobal("fetch", asked);
  return asked;
}

test("a change names the version that it changes, and sends JSON", async () => {
  const asked = answering(200, '{"sitting":{"id":"a"}}');
  const answer = await send("PATCH", "/api/admin/sittings/{id}", { name: "B" }, { version: 7, params: { id: "a b" } });
  expect(answer).toEqual({ kind: "done", value: { sitting: { id: "a" } } });
  const [path, request] = asked.mock.calls[0] as [string, RequestInit];
  expect(path).toBe("/api/admin/sittings/a%20b");
  expect(request).toMatchObject({
    method: "PATCH",
    body: '{"name":"B"}',
    headers: { "If-Match": '"7"', "Content-Type": "application/json", Accept: "application/json" },
  });
});

test("an order without a body has no type, and a file has its own", async () => {
  const asked = answering(200);
  await send("POST", "/auth/sign-out");
  await upload("PUT", "/api/admin/sittings/{id}/candidates", "name,email", "text/csv", { params: { id: "a", dryRun: true, class: "" } });
  expect(asked.mock.calls.map(([path, request]) => [path, (request.headers as Record<string, string>)["Content-Type"], request.body])).toEqual([
    ["/auth/sign-out", undefined, undefined],
    ["/api/admin/sittings/a/candidates?dryRun=true", "text/csv", "name,email"],
  ]);
});

test("nothing signed in is an answer without a value", async () => {
  answering(204);
  expect(await get("/api/me")).toEqual({ kind: "done", value: undefined });
});

test("a refusal keeps the server's sentence and all that it said", async () => {
  answering(400, '{"error":"Invalid row","rows":[{"row":2}]}');
  const answer = await send("PATCH", "/api/admin/school", {});
  expect(answer).toEqual({ kind: "refused", status: 400, error: "Invalid row", body: { error: "Invalid row", rows: [{ row: 2 }] } });
  expect(failure(answer)).toBe("The exam server does not accept what was entered. Change it and try again. (Invalid row)");
});

test("no network, a portal's page and a gateway's error are an unreachable server", async () => {
  answering(undefined);
  const answers = [await get("/api/me")];
  answering(200, "<html>Sign in to the school's network</html>");
  answers.push(await get("/api/me"));
  answering(502, "<html>Bad gateway</html>");
  answers.push(await get("/api/me"));
  expect(answers.map(({ kind }) => kind)).toEqual(["unreachable", "unreachable", "unreachable"]);
  expect(failure({ kind: "unreachable" })).toContain("can’t be reached");
});

test("a server that only reads for a while says so, and not that it has a fault", async () => {
  answering(503, JSON.stringify({ error: "Nothing can be saved", code: "read_only" }));
  const answer = await get("/api/me");
  expect(answer).toMatchObject({ kind: "refused", status: 503 });
  expect(failure(answer)).toContain("under maintenance");
  expect(failure({ kind: "refused", status: 503, error: "x", body: { error: "x" } })).toContain("has a fault");
});

test("each failure has a sentence, and success has none", () => {
  const said = [400, 401, 403, 404, 409, 412, 413, 418, 429, 500, 501].map((status) => failure({ kind: "refused", status, error: "", body: undefined }));
  expect(said.every((sentence) => sentence.endsWith("."))).toBe(true);
  expect(failure({ kind: "done", value: 1 })).toBe("");
});

test("every answer tells the server's time, whatever this device believes", async () => {
  answering(200, "{}", { Date: "Mon, 01 Jun 2026 08:00:00 GMT" });
  await get("/api/me");
  expect(Math.abs(now() - Date.parse("2026-06-01T08:00:00.500Z"))).toBeLessThan(2_000);
  expect(performance.now() - (heardAt() ?? 0)).toBeLessThan(2_000);
});

test("a path says which parameters it needs, which body it takes and what it answers", async () => {
  answering(200, "{}");
  const path = "/api/admin/sittings/{id}";
  // @ts-expect-error: no such path.
  void get("/api/admin/sittings/{id}/nothing");
  // @ts-expect-error: not without what stands in braces.
  void get(path);
  // @ts-expect-error: not with what it does not know.
  void get(path, { id: "a", other: 1 });
  // @ts-expect-error: not with what no parameter is.
  void get("/api/manager/stats", { other: 1 });
  // @ts-expect-error: not with a type that a parameter has not.
  void get("/api/admin/audit", { page: true });
  // @ts-expect-error: not without a path's parameters beside a version.
  void send("PATCH", path, { name: "B" }, { version: 7 });
  // @ts-expect-error: a field of another type.
  void send("PATCH", path, { name: 7 }, { params: { id: "a" } });
  // @ts-expect-error: a field that it does not take.
  void send("PATCH", path, { names: "B" }, { params: { id: "a" } });
  // @ts-expect-error: a body where none is taken.
  void send("DELETE", path, { name: "B" }, { params: { id: "a" } });
  // @ts-expect-error: not without the body.
  void send("POST", "/api/admin/sittings");
  const answer = await get(path, { id: "a" });
  // @ts-expect-error: a field that is not answered.
  if (answer.kind === "done") expect(answer.value.other).toBe(undefined);
});
