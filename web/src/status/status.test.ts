import { beforeEach, expect, test, vi } from "vitest";

const maintenance = { message: { en: "", vi: "" }, readOnly: true };
const nothing = { ...maintenance, readOnly: false };
const tab = new Map<string, string>();

beforeEach(() => {
  tab.clear();
  vi.resetModules();
  vi.stubGlobal("sessionStorage", { getItem: (key: string) => tab.get(key) ?? null, setItem: (key: string, value: string) => void tab.set(key, value) });
});

/** Asks a server that says this. */
async function ask(status: typeof import("./status.svelte"), said: unknown): Promise<void> {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(said))));
  await status.lookAtStatus();
}

test("what was closed stays closed, also on the next page", async () => {
  let status = await import("./status.svelte");
  await ask(status, maintenance);
  expect(status.pageStatus()).toEqual(maintenance);
  status.closeStatus();
  await ask(status, maintenance);
  expect(status.pageStatus()).toBeUndefined();
  vi.resetModules();
  status = await import("./status.svelte");
  await ask(status, maintenance);
  expect(status.pageStatus()).toBeUndefined();
});

test("the next maintenance is told, though the last one in the same words was closed", async () => {
  const status = await import("./status.svelte");
  await ask(status, maintenance);
  status.closeStatus();
  await ask(status, nothing);
  await ask(status, maintenance);
  expect(status.pageStatus()).toEqual(maintenance);
  expect([...tab.values()]).toEqual([""]);
});
