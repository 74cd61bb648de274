import { beforeAll, expect, test, vi } from "vitest";
import type { Incident } from "./incident";

beforeAll(() => {
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("document", { documentElement: {} });
});

function incident(id: string, by: string, text: string, more: Partial<Incident> = {}): Incident {
  return { id, at: "2026-01-05T09:00:00.000Z", kind: "noise", text, by, room: "B12", candidateId: null, candidate: null, ...more };
}

test("only what others have noted since is news", async () => {
  const { othersNew } = await import("./incident");
  const [bell, phone, own] = [incident("1", "an@school.example", "A bell"), incident("2", "an@school.example", "A bell"), incident("3", "rita@school.example", "A bell")];
  expect(othersNew([bell], [bell, phone, own], "rita@school.example"), "at the same time, in the same words").toEqual([phone]);
  expect(othersNew([], [own], undefined)).toEqual([own]);
  expect(othersNew([bell, phone], [phone], "rita@school.example")).toEqual([]);
});

test("what every object has is no name of a kind", async () => {
  const { kindWord } = await import("./incident");
  expect(["noise", "constructor", "toString", "Sổ đầu bài"].map(kindWord)).toEqual(["Noise", "constructor", "toString", "Sổ đầu bài"]);
});

test("what the server has found is said in the language of the page", async () => {
  const { byWord, incidentNews, incidentText, kindWord } = await import("./incident");
  const said = "20 wrong codes have been tried that begin like the code of this candidate.";
  const found = incident("1", "server", said, { kind: "wrong codes", candidate: "Ada" });
  expect([byWord(found), kindWord(found.kind), incidentText(found)]).toEqual(["the server", "Wrong codes", "20 wrong codes that begin like the code of this student have been tried."]);
  expect(incidentText({ ...found, kind: "noise" })).toBe(said);
  expect(incidentNews(found)).toBe("Noted by the server: Wrong codes, Ada: 20 wrong codes that begin like the code of this student have been tried.");
});

test("a note that goes away by itself has the beginning of a long text", async () => {
  const { incidentNews } = await import("./incident");
  const news = incidentNews(incident("1", "an@school.example", "ộ".repeat(2_000)));
  expect(news).toBe(`Noted by an@school.example: Noise, B12: ${"ộ".repeat(120)}…`);
});
