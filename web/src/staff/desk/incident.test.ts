import { beforeAll, expect, test, vi } from "vitest";
import type { Incident } from "./incident";

beforeAll(() => {
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("document", { documentElement: {} });
});

function incident(by: string, text: string): Incident {
  return { at: "2026-01-05T09:00:00.000Z", kind: "noise", text, by, room: "B12", candidateId: null, candidate: null };
}

test("only what others have noted since is news", async () => {
  const { othersNew } = await import("./incident");
  const [bell, phone, own] = [incident("an@school.example", "A bell"), incident("an@school.example", "A telephone"), incident("rita@school.example", "A bell")];
  expect(othersNew([bell], [bell, phone, own], "rita@school.example")).toEqual([phone]);
  expect(othersNew([], [own], undefined)).toEqual([own]);
  expect(othersNew([bell, phone], [phone], "rita@school.example")).toEqual([]);
});
