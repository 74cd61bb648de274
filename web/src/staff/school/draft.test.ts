import "../testing/page";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dismiss, noticed, undoLast } from "../undo.svelte";
import type { StoredSchool } from "./settings";
import { SettingsDraft } from "./settings.svelte";

/** A server with one school, which counts its changes. */
let kept: StoredSchool;
let picture: string;
let asked: string[];

function answer(path: string, { method = "GET", headers, body }: RequestInit): Response {
  if (method !== "GET") asked.push(`${method} ${path.replace("/api/admin/school", "")}`);
  if (path.startsWith("/api/school/crest")) return new Response(picture, { headers: { "Content-Type": "image/png" } });
  if (method === "PATCH") {
    const isSeen = (headers as Record<string, string>)["If-Match"] === `"${kept.revision}"`;
    if (!isSeen) return Response.json({ error: "School has changed" }, { status: 412 });
    kept = { ...kept, ...(JSON.parse(String(body)) as Partial<StoredSchool>), revision: kept.revision + 1 };
  }
  if (method === "PUT" || method === "DELETE") {
    const revision = kept.revision + 1;
    kept = { ...kept, crest: method === "PUT" ? `/api/school/crest?v=${revision}` : "", revision };
  }
  return Response.json(kept);
}

beforeEach(() => {
  kept = { name: "Lê Lợi", crest: "", colour: "#2348c5", languages: ["en", "vi"], timeZone: "Asia/Ho_Chi_Minh", incidentKinds: [], markScale: null, revision: 1 };
  [picture, asked] = ["old", []];
  vi.stubGlobal("fetch", (path: string, request: RequestInit = {}) => Promise.resolve(answer(path, request)));
});
afterEach(() => {
  for (const { id } of noticed()) dismiss(id);
  vi.unstubAllGlobals();
});

async function opened(): Promise<SettingsDraft> {
  const settings = new SettingsDraft();
  await settings.read();
  return settings;
}

const chosen = { kind: "chosen", file: new Blob(["new"], { type: "image/png" }), type: "image/png", url: "data:image/png," } as const;

test("what was changed is saved in one go, and taken back with the crest of before", async () => {
  kept.crest = "/api/school/crest?v=0";
  const settings = await opened();
  settings.set({ name: " Trưng Vương ", colour: "1D6B3F" });
  settings.crest = chosen;
  await settings.save();
  expect([asked, settings.isChanged, settings.problem]).toEqual([["PATCH ", "PUT /crest"], false, ""]);
  expect(settings.draft).toMatchObject({ name: "Trưng Vương", colour: "#1d6b3f" });
  expect(undoLast()).toBe(true);
  await vi.waitFor(() => expect(asked).toEqual(["PATCH ", "PUT /crest", "PATCH ", "PUT /crest"]));
  await vi.waitFor(() => expect(settings.draft?.name).toBe("Lê Lợi"));
  expect(kept).toMatchObject({ name: "Lê Lợi", colour: "#2348c5" });
});

test("nothing is sent while something is wrong, and what the server has already is never wrong", async () => {
  kept = { ...kept, timeZone: "Mars/Olympus" };
  const settings = await opened();
  settings.set({ colour: "#ffcc00" });
  await settings.save();
  expect([asked, Object.keys(settings.faults), settings.problem !== ""]).toEqual([[], ["colour"], true]);
  settings.set({ colour: "#2348c5", name: "Mine" });
  await settings.save();
  expect([asked, settings.problem]).toEqual([["PATCH "], ""]);
});

test("what somebody else has saved is shown, and the own changes are laid over it or given up", async () => {
  const settings = await opened();
  settings.set({ name: "Mine" });
  kept = { ...kept, name: "Theirs", timeZone: "UTC", revision: 2 };
  await settings.save();
  expect([settings.theirs?.name, settings.draft?.name]).toEqual(["Theirs", "Mine"]);
  await settings.saveOver();
  expect(kept).toMatchObject({ name: "Mine", timeZone: "UTC" });
  expect([settings.theirs, settings.isChanged]).toEqual([undefined, false]);

  settings.crest = { kind: "removed" };
  kept = { ...kept, crest: "/api/school/crest?v=9", revision: 9 };
  await settings.save();
  expect(settings.theirs?.crest).toBe("/api/school/crest?v=9");
  settings.takeTheirs();
  expect([settings.known?.crest, settings.isChanged, kept.crest]).toEqual(["/api/school/crest?v=9", false, "/api/school/crest?v=9"]);
});

test("a server that can't be reached loses nothing of what was typed", async () => {
  const settings = await opened();
  settings.set({ name: "Mine" });
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  await settings.save();
  expect([settings.draft?.name, settings.isChanged, settings.problem !== "", noticed()]).toEqual(["Mine", true, true, []]);
});
