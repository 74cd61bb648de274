// Browsers whose database refuses, breaks off, or never answers.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { IDBFactory } from "fake-indexeddb";
import { BrowserAttemptStore } from "./attempts";
import "fake-indexeddb/auto";

const record = { test: "one", startKey: "k", start: { grade: 5 } };

beforeEach(() => void vi.stubGlobal("indexedDB", new IDBFactory()));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const refusal = new DOMException("The operation is insecure.", "SecurityError");
for (const [how, database] of [
  ["is none", undefined],
  ["refuses at once", { open: () => { throw refusal; } }],
] as const)
  test(`where the database ${how} nothing is found, and nothing is said to be kept`, async () => {
    vi.stubGlobal("indexedDB", database);
    const store = new BrowserAttemptStore();
    expect(await store.find("one")).toEqual([]);
    expect(await store.claim("one")).toBeUndefined();
    expect(await store.findTexts("one")).toBeUndefined();
    await expect(store.write("one", { record })).rejects.toThrow();
  });

test("an opening that failed once is tried again", async () => {
  const opens = vi.spyOn(indexedDB, "open").mockImplementationOnce(() => {
    throw new DOMException("Connection to Indexed Database server lost", "UnknownError");
  });
  const store = new BrowserAttemptStore();
  await store.claim("one");
  expect(await store.write("one", { record })).toBe(true);
  expect(opens).toHaveBeenCalledTimes(2);
});

test("a database that can't be read is not taken for an empty one", async () => {
  vi.spyOn(indexedDB, "open").mockImplementation(() => {
    throw new DOMException("Connection to Indexed Database server lost", "UnknownError");
  });
  const store = new BrowserAttemptStore();
  await expect(store.claim("one")).rejects.toThrow();
  await expect(store.find("one")).rejects.toThrow();
});

test("a connection that the browser has ended is made anew", async () => {
  const opens = vi.spyOn(indexedDB, "open");
  const store = new BrowserAttemptStore();
  await store.claim("one");
  const request = opens.mock.results[0]?.value as IDBOpenDBRequest;
  request.result.close();
  expect(await store.write("one", { record })).toBe(true);
});

test("a database that does not answer holds nobody up for long, and serves the next when it does", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const open = indexedDB.open.bind(indexedDB);
  vi.spyOn(indexedDB, "open").mockImplementation((...asked) => {
    const request = open(...asked);
    const listen = request.addEventListener.bind(request);
    request.addEventListener = (type: string, heard: EventListener) => listen(type, (event) => void (type === "success" ? answered.then(() => heard(event)) : heard(event)));
    return request;
  });
  const store = new BrowserAttemptStore();
  const said = (work: Promise<unknown>) => work.then(() => "done", () => "failed");
  const claimed = said(store.claim("one"));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await claimed).toBe("failed");
  // No caller waits a second time.
  expect(await said(store.write("one", { record }))).toBe("failed");
  answer();
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(await said(store.claim("one"))).toBe("done");
  expect(await store.write("one", { record })).toBe(true);
});
