import { expect, test } from "vitest";
import { ServerCopy } from "./server_copy";
import { Outbox, reconcile } from "./outbox";
import type { Change, StoredAnswer } from "./protocol";

const answer = (questionId: string, selected: "A" | "B"): Change => ({ type: "answer", questionId, selected, timeTaken: 1 });
const mark = (questionId: string): Change => ({ type: "mark", questionId, marked: true });
const stored = (questionId: string, seq: number): StoredAnswer => ({ questionId, selected: "A", marked: false, visited: true, seq });

test("a later change takes the place of the earlier of its slot", () => {
  const outbox = new Outbox();
  outbox.add(answer("q1", "A"));
  outbox.add(mark("q1"));
  outbox.add(answer("q1", "B"));
  expect(outbox.commands.map(({ type, seq }) => [type, seq])).toEqual([["mark", 2], ["answer", 3]]);
  // The server saved up to 2; the answer has a higher number, and stays.
  outbox.release((seq) => seq <= 2);
  expect(outbox.commands.map((command) => command.seq)).toEqual([3]);
});

test("numbers go on after a reload and are never used again", () => {
  const outbox = new Outbox([{ ...answer("q1", "A"), seq: 4 } as never], 9);
  expect(outbox.add(mark("q1")).seq).toBe(10);
});

test("what overtook a refused command does not hide it", () => {
  const outbox = new Outbox();
  outbox.add(answer("q1", "A"));
  outbox.add(mark("q1"));
  expect(outbox.renumber(1)?.seq).toBe(3);
  expect(outbox.renumber(1)).toBeUndefined();
});

test("without another device everything is kept with its numbers", () => {
  const outbox = new Outbox();
  outbox.add(answer("q1", "A"));
  outbox.add(answer("q2", "A"));
  outbox.sent = 1;
  reconcile(outbox, { seq: 1, answers: [stored("q1", 1)] }, new ServerCopy({}, {}));
  expect(outbox.commands.map((command) => command.seq)).toEqual([1, 2]);
});

test("after another device only what it has not touched is kept, under new numbers", () => {
  const outbox = new Outbox([], 5);
  outbox.add(answer("q1", "B"));
  outbox.add(answer("q2", "B"));
  outbox.add({ type: "drawing", questionId: "q1", drawing: {} });
  outbox.add({ type: "drawing", questionId: "q2", drawing: {} });
  outbox.add({ type: "drawing", questionId: "q3", drawing: {} });
  const copy = new ServerCopy({ q1: 3, q2: 4 }, { q2: { v: 1 }, q3: { v: 1 } });
  reconcile(outbox, { seq: 20, answers: [stored("q1", 18), stored("q2", 4)], drawings: { q2: { v: 2 }, q3: { v: 1 } } }, copy);
  expect(outbox.commands.map(({ type, questionId, seq }) => [type, questionId, seq])).toEqual([
    ["answer", "q2", 21],
    ["drawing", "q1", 22],
    ["drawing", "q3", 23],
  ]);
});

test("numbers that were given without a network and never sent hide no other device", () => {
  const outbox = new Outbox([], 9, 5);
  outbox.add(answer("q1", "B"));
  outbox.add(answer("q2", "B"));
  reconcile(outbox, { seq: 6, answers: [stored("q1", 6), stored("q2", 2)] }, new ServerCopy({ q1: 1, q2: 2 }, {}));
  expect(outbox.commands.map(({ questionId, seq }) => [questionId, seq])).toEqual([["q2", 12]]);
});

test("drawings get numbers behind everything else", () => {
  const outbox = new Outbox();
  outbox.add({ type: "drawing", questionId: "q1", drawing: {} });
  outbox.add(answer("q1", "A"));
  outbox.putDrawingsLast();
  outbox.putDrawingsLast();
  expect(outbox.commands.map(({ type, seq }) => [type, seq])).toEqual([["answer", 2], ["drawing", 3]]);
});
