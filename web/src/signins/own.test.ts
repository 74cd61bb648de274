import { afterEach, expect, test, vi } from "vitest";
import { endOtherSignIns, endOwnSignIn, loadOwnSignIns, signInsOf } from "./own";

afterEach(() => vi.unstubAllGlobals());

function answering(status: number, body: unknown) {
  const fetch = vi.fn(async (..._: Parameters<typeof globalThis.fetch>) => new Response(JSON.stringify(body), { status }));
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

test("a list is the server's own, or there is none", async () => {
  expect(signInsOf(200, { signIns: [] })).toEqual({ kind: "loaded", list: [] });
  expect(signInsOf(401, { error: "Unauthorized" })).toEqual({ kind: "guest" });
  for (const [status, body] of [[200, undefined], [200, {}], [503, { signIns: [] }]] as const) expect(signInsOf(status, body)).toEqual({ kind: "unreachable" });
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError()));
  expect(await loadOwnSignIns()).toEqual({ kind: "unreachable" });
});

test("what has ended already is ended, and what could not be reached is not", async () => {
  const asked = answering(200, { ok: true });
  expect(await endOwnSignIn("a/b")).toBe(true);
  expect(asked.mock.calls[0]).toEqual(["/api/me/sign-ins/a%2Fb", expect.objectContaining({ method: "DELETE" })]);
  answering(404, { error: "Sign-in not found" });
  expect(await endOwnSignIn("a")).toBe(true);
  answering(503, { error: "x", code: "read_only" });
  expect([await endOwnSignIn("a"), await endOtherSignIns()]).toEqual([false, false]);
});
