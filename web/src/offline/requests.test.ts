import { expect, test } from "vitest";
import { documentOf, strategyOf } from "./requests";

const ORIGIN = "https://exam.example";
const strategy = (path: string, mode = "navigate", method = "GET") => strategyOf({ method, mode, url: new URL(path, ORIGIN).href }, ORIGIN);

test("the pages are documents, wherever they are", () => {
  for (const path of ["/", "/test/5", "/test/5?mode=adaptive", "/t/5e0c?name=Ada", "/report/0b0e", "/s/K7PQ2", "/sittings", "/continue", "/continue?grade=5#s.t"]) expect(strategy(path), path).toBe("document");
});

test("files with a hash in their name are kept, in whatever way they are asked for", () => {
  for (const mode of ["cors", "no-cors", "same-origin"]) expect(strategy("/assets/student-1a2b.js", mode)).toBe("file");
});

test("the API, the sign-in and anything else is the network's", () => {
  const others = ["/api/docs/", "/api/live/0b0e", "/api/sessions/0b0e/report.pdf", "/auth/sign-in?return_to=/test/5", "/healthz", "/icon.svg", "/service-worker.js"];
  for (const path of [...others, "/test", "/test/5/6", "/assets/", "/assets/a/b.js", "/staff", "/continue/5", "/s", "/sittings/5", "/test//"]) expect(strategy(path), path).toBe("network");
  expect(strategy("/test/5", "cors")).toBe("network");
  expect(strategy("/test/5", "navigate", "POST")).toBe("network");
  expect(strategy("/assets/student-1a2b.js", "cors", "HEAD")).toBe("network");
  expect(strategy("https://elsewhere.example/assets/a.js", "no-cors")).toBe("network");
  expect(strategy("https://elsewhere.example/test/5")).toBe("network");
});

const never = new Promise<never>(() => {});
const over = Promise.resolve();
const kept = async () => ({ status: 200, from: "kept" });
const nothing = async () => undefined;
const said = async (status: number) => ({ status, from: "server" });

test("a document is the server's as long as it answers", async () => {
  expect(await documentOf(said(200), kept, never)).toEqual({ status: 200, from: "server" });
  expect((await documentOf(said(404), kept, never)).from).toBe("server");
  // A redirect to the sign-in that is not followed looks like this.
  expect(await documentOf(said(0), kept, never)).toEqual({ status: 0, from: "server" });
});

test("a document is the kept one when the server fails, or is silent for too long", async () => {
  expect((await documentOf(Promise.reject(new TypeError("no network")), kept, never)).from).toBe("kept");
  expect((await documentOf(said(502), kept, never)).from).toBe("kept");
  expect((await documentOf(never, kept, over)).from).toBe("kept");
});

test("where nothing is kept the server's word stands, however late", async () => {
  expect(await documentOf(said(503), nothing, never)).toEqual({ status: 503, from: "server" });
  const late = new Promise<{ status: number; from: string }>((resolve) => setTimeout(() => resolve({ status: 200, from: "server" }), 20));
  expect((await documentOf(late, nothing, over)).from).toBe("server");
  await expect(documentOf(Promise.reject(new TypeError("no network")), nothing, never)).rejects.toThrow("no network");
});
