import "./testing/page";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { get, send } from "./api";
import { acquainted, followTabs, forget, isSignInAsked, isSignInOver, me, meet, signInLater } from "./me.svelte";

const ADA = { email: "ada@x", name: "Ada", role: "manager", grades: [5] };
const BO = { email: "bo@x", name: "Bo", role: "manager", grades: [5] };

const ACT = "/api/admin/webhooks/x/replay";
const act = () => send("POST", "/api/admin/webhooks/{id}/replay", undefined, { params: { id: "x" } });

let signedIn: typeof ADA | undefined;
let asked: string[];

beforeEach(async () => {
  vi.stubGlobal("fetch", async (path: string, { method = "GET" }: RequestInit) => {
    asked.push(`${method} ${path}`);
    if (path.startsWith("/api/me")) return signedIn === undefined ? new Response(null, { status: 204 }) : new Response(JSON.stringify(signedIn));
    return signedIn === undefined ? new Response('{"error":"Not signed in"}', { status: 401 }) : new Response(`{"by":"${signedIn.email}"}`);
  });
  [asked, signedIn] = [[], ADA];
  await meet();
  asked = [];
});
afterEach(() => {
  forget();
  vi.unstubAllGlobals();
});

test("an act waits until the same person is back, and is then done once", async () => {
  signedIn = undefined;
  const saved = act();
  await vi.waitFor(() => expect(isSignInAsked()).toBe(true));
  expect([acquainted(), me(), isSignInOver()]).toEqual(["known", ADA, true]);
  await meet();
  signedIn = ADA;
  await meet();
  expect(await saved).toEqual({ kind: "done", value: { by: "ada@x" } });
  expect([isSignInAsked(), isSignInOver()]).toEqual([false, false]);
  expect(asked.filter((one) => one === `POST ${ACT}`)).toHaveLength(2);
});

test("who does not want to sign in is told that it was not done, and what is read goes on waiting", async () => {
  signedIn = undefined;
  const readings = [get("/api/manager/stats"), get("/api/manager/stats"), get("/api/manager/approvals")];
  const saved = act();
  await vi.waitFor(() => expect(isSignInAsked()).toBe(true));
  // Of those that read the same, the latest alone.
  expect(await readings[0]).toMatchObject({ kind: "refused", status: 401 });
  signInLater();
  expect(await saved).toMatchObject({ kind: "refused", status: 401 });
  expect([isSignInAsked(), isSignInOver()]).toEqual([false, true]);
  signedIn = ADA;
  await meet();
  expect(await Promise.all(readings.slice(1))).toEqual([
    { kind: "done", value: { by: "ada@x" } },
    { kind: "done", value: { by: "ada@x" } },
  ]);
});

test("what is read alone asks nobody to sign in", async () => {
  signedIn = undefined;
  const list = get("/api/manager/stats");
  await vi.waitFor(() => expect(isSignInOver()).toBe(true));
  expect(isSignInAsked()).toBe(false);
  forget();
  expect(await list).toMatchObject({ kind: "refused", status: 401 });
  expect([acquainted(), me()]).toEqual(["guest", undefined]);
});

test("nothing of one person is done in the name of another", async () => {
  signedIn = undefined;
  let isSettled = false;
  void act().then(() => (isSettled = true));
  await vi.waitFor(() => expect(isSignInAsked()).toBe(true));
  signedIn = BO;
  await meet();
  expect([acquainted(), me(), isSettled]).toEqual(["another", ADA, false]);
  expect(asked.filter((one) => one === `POST ${ACT}`)).toHaveLength(1);
});

test("who signs in after another has signed out begins with a page of their own", async () => {
  forget();
  await meet();
  expect([acquainted(), me()]).toEqual(["known", ADA]);
  forget();
  signedIn = BO;
  await meet();
  expect([acquainted(), me()]).toEqual(["another", undefined]);
});

test("who signs out in one tab is forgotten in the others, except where something is kept", async () => {
  const other = new BroadcastChannel("examhall-sign-in");
  const heard: string[] = [];
  other.onmessage = ({ data }: MessageEvent<string>) => heard.push(data);
  let isKept = true;
  const stop = followTabs(() => isKept);
  try {
    signedIn = undefined;
    other.postMessage("signed out");
    await vi.waitFor(() => expect(isSignInOver()).toBe(true));
    expect([acquainted(), me()]).toEqual(["known", ADA]);
    isKept = false;
    other.postMessage("signed out");
    await vi.waitFor(() => expect([acquainted(), me(), isSignInOver()]).toEqual(["guest", undefined, false]));
    signedIn = ADA;
    await meet();
    forget();
    // Those that only hear of it do not pass it on.
    await vi.waitFor(() => expect(heard).toEqual(["", "ada@x", "signed out"]));
  } finally {
    stop();
    other.close();
  }
});
