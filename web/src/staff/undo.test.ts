import "./testing/page";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { complain, dismiss, hold, noticed, offerUndo, offerUndoInSeries, release, tell, undoLast } from "./undo.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const { id } of noticed()) dismiss(id);
  vi.useRealTimers();
});

const shownTexts = () => noticed().map(({ text }) => text);
const done = () => Promise.resolve({ kind: "done", value: undefined } as const);

test("what is done can be undone for ten seconds", async () => {
  const undo = vi.fn(done);
  offerUndo("Gave Ada 5 minutes", undo);
  vi.advanceTimersByTime(9_900);
  expect(shownTexts()).toEqual(["Gave Ada 5 minutes"]);
  expect(undoLast()).toBe(true);
  expect(noticed()[0]?.isUndoing).toBe(true);
  // A second press does not undo twice.
  expect(undoLast()).toBe(false);
  await vi.advanceTimersByTimeAsync(0);
  expect([undo.mock.calls.length, shownTexts()]).toEqual([1, ["Undone."]]);
  offerUndo("Gave Bo 5 minutes", undo);
  vi.advanceTimersByTime(10_100);
  expect([undoLast(), shownTexts()]).toEqual([false, []]);
});

test("what is kept longer is undone by the keys when its notice has gone, the last first, until there is nothing to undo", async () => {
  const undo = { first: vi.fn(done), second: vi.fn(done), third: vi.fn(done) };
  const calls = () => Object.values(undo).map(({ mock }) => mock.calls.length);
  offerUndo("first", undo.first, 600_000);
  const withdraw = offerUndo("second", undo.second, 600_000);
  offerUndo("third", undo.third, 600_000);
  vi.advanceTimersByTime(10_100);
  expect(shownTexts()).toEqual([]);
  expect(undoLast()).toBe(true);
  expect(noticed().map(({ text, isUndoing }) => [text, isUndoing])).toEqual([["third", true]]);
  await vi.advanceTimersByTimeAsync(0);
  withdraw();
  expect([undoLast(), calls()]).toEqual([true, [1, 0, 1]]);
  await vi.advanceTimersByTimeAsync(0);
  expect([undoLast(), calls()]).toEqual([false, [1, 0, 1]]);
  offerUndo("late", undo.first, 600_000);
  vi.advanceTimersByTime(600_100);
  expect(undoLast()).toBe(false);
});

test("a notice of what has nothing left to undo stays without its button", () => {
  const withdraw = offerUndo("Gave Ada 5 minutes", done);
  offerUndo("Gave Bo 5 minutes", done);
  withdraw();
  expect(noticed().map(({ text, undo }) => [text, undo === undefined])).toEqual([["Gave Ada 5 minutes", true], ["Gave Bo 5 minutes", false]]);
});

test("the last change is undone first", () => {
  const [first, second] = [vi.fn(done), vi.fn(done)];
  offerUndo("first", first);
  offerUndo("second", second);
  undoLast();
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
});

test("an undo that the server refuses is a complaint, which stays", async () => {
  offerUndo("Paused Ada", () => Promise.resolve({ kind: "refused", status: 409, error: "Session is over", body: undefined }));
  undoLast();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(shownTexts()).toEqual(["This can’t be done as things are now. (Session is over)"]);
});

test("nothing goes away under the pointer, and each notice has its whole time after", () => {
  offerUndo("Gave Ada 5 minutes", done);
  vi.advanceTimersByTime(9_000);
  hold();
  vi.advanceTimersByTime(60_000);
  expect(shownTexts()).toEqual(["Gave Ada 5 minutes"]);
  release();
  vi.advanceTimersByTime(9_900);
  expect(shownTexts()).toEqual(["Gave Ada 5 minutes"]);
  vi.advanceTimersByTime(200);
  expect(shownTexts()).toEqual([]);
});

test("at most three are shown, a complaint is said once, and it outlives what passes", () => {
  complain("No network");
  complain("No network");
  for (const text of ["a", "b", "c"]) tell(text);
  expect(shownTexts()).toEqual(["No network", "b", "c"]);
  vi.advanceTimersByTime(7_000);
  expect(shownTexts()).toEqual(["No network"]);
});

test("what is said again while it is shown is counted, and shown for its whole time", () => {
  for (let turn = 0; turn < 3; turn += 1) {
    tell("Saved.");
    vi.advanceTimersByTime(3_000);
  }
  expect(noticed().map(({ text, times }) => [text, times])).toEqual([["Saved.", 3]]);
  vi.advanceTimersByTime(3_100);
  expect(noticed()).toEqual([]);
  tell("Saved.");
  expect(noticed()[0]?.times).toBeUndefined();
});

test("what can be undone keeps its ten seconds, whatever else is said", () => {
  for (const name of ["Ada", "Bo", "Cy"]) offerUndo(`Gave ${name} 5 minutes`, done);
  offerUndo("Gave Di 5 minutes", done);
  tell("Undone.");
  tell("It is in the calendar.");
  expect(shownTexts()).toEqual(["Gave Ada 5 minutes", "Gave Bo 5 minutes", "Gave Cy 5 minutes", "Gave Di 5 minutes", "It is in the calendar."]);
  for (const text of ["No network", "No right", "Not there"]) complain(text);
  offerUndo("Paused Ada", done);
  expect(shownTexts().at(-1)).toBe("Paused Ada");
});

test("what is done to one thing after the other is one message, and the keys undo each of them, the last first", async () => {
  const undo = { one: vi.fn(done), two: vi.fn(done), three: vi.fn(done) };
  const calls = () => Object.values(undo).map(({ mock }) => mock.calls.length);
  for (const [name, back] of Object.entries(undo)) {
    offerUndoInSeries("review", (count) => `${count}: ${name}`, back);
    vi.advanceTimersByTime(2_000);
  }
  offerUndo("Saved.", done);
  expect(shownTexts()).toEqual(["3: three", "Saved."]);
  undoLast();
  await vi.advanceTimersByTimeAsync(0);
  for (const expected of [[0, 0, 1], [0, 1, 1], [1, 1, 1], [1, 1, 1]]) {
    undoLast();
    await vi.advanceTimersByTimeAsync(0);
    expect(calls()).toEqual(expected);
  }
  // The next one begins another series, and so does one after a while.
  offerUndoInSeries("review", (count) => `${count}: four`, done);
  vi.advanceTimersByTime(10_100);
  expect([undoLast(), noticed().some(({ undo }) => undo !== undefined)]).toEqual([false, false]);
  offerUndoInSeries("review", (count) => `${count}: five`, done);
  expect(shownTexts()).toContain("1: five");
});
