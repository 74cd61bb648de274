import "../testing/page";
import { expect, test, vi } from "vitest";
import type { Incident } from "./incident";
import { Notes } from "./notes.svelte";

function incident(id: string, text: string, by = "an@school.example"): Incident {
  return { id, at: "2026-01-05T09:00:00.000Z", kind: "noise", text, by, room: "B12", candidateId: null, candidate: null };
}

test("an answer that comes late takes nothing away, and is no news", async () => {
  const answers: ((incidents: Incident[]) => void)[] = [];
  const read = () => new Promise<{ incidents: Incident[]; kinds: string[] }>((answer) => answers.push((incidents) => answer({ incidents, kinds: ["Bell"] })));
  const notes = new Notes(read, () => "rita@school.example");
  const news = (notes.onNews = vi.fn());
  const [bell, phone] = [incident("1", "A bell"), incident("2", "A telephone")];
  const first = notes.read();
  answers[0]?.([bell]);
  await first;
  expect([notes.list, notes.ownKinds, news.mock.calls]).toEqual([[bell], ["Bell"], []]);
  const [older, newer] = [notes.read(), notes.read()];
  answers[2]?.([bell, phone]);
  await newer;
  answers[1]?.([bell]);
  await older;
  expect([notes.list, news.mock.calls]).toEqual([[bell, phone], [[phone]]]);
});

test("a line that is slow for every question still brings each answer", async () => {
  const answers: ((found: { incidents: Incident[]; kinds: string[] }) => void)[] = [];
  const notes = new Notes(() => new Promise((answer) => answers.push(answer)), () => undefined);
  notes.onNews = vi.fn();
  const [first, second] = [notes.read(), notes.read()];
  answers[0]?.({ incidents: [incident("1", "A bell")], kinds: [] });
  await first;
  expect(notes.list).toHaveLength(1);
  notes.add(incident("2", "A telephone"));
  answers[1]?.({ incidents: [incident("1", "A bell")], kinds: [] });
  await second;
  expect(notes.list, "a question from before it was noted").toHaveLength(2);
});

test("what is noted here stands at once, and its reading is no news", async () => {
  const own = incident("3", "A bell", "rita@school.example");
  const notes = new Notes(() => Promise.resolve({ incidents: [own], kinds: [] }), () => "rita@school.example");
  const news = (notes.onNews = vi.fn());
  await notes.read();
  const { id: _, ...noted } = own;
  notes.add(noted);
  expect(notes.list).toEqual([own, noted]);
  await notes.read();
  expect([notes.list, news.mock.calls]).toEqual([[own], []]);
});

test("where nobody is told of them, as at the projector, none are read", async () => {
  const read = vi.fn(() => Promise.resolve(undefined));
  await new Notes(read, () => undefined).read();
  expect(read).not.toHaveBeenCalled();
});
