import { beforeEach, expect, test } from "vitest";
import { emptyDraft } from "./draft";
import { DRAFTS_MAX, DraftShelf, OpenDraft } from "./draft_shelf";
import { bankQuestion } from "./testing/bank";

/** As `localStorage`, with so much room. */
class Room {
  held = new Map<string, string>();
  isFull = false;
  get length() {
    return this.held.size;
  }
  key = (index: number) => [...this.held.keys()][index] ?? null;
  getItem = (name: string) => this.held.get(name) ?? null;
  removeItem = (name: string) => void this.held.delete(name);
  setItem = (name: string, value: string) => {
    if (this.isFull) throw new Error("QuotaExceededError");
    this.held.set(name, value);
  };
}

let room: Room;
let shelf: DraftShelf;
const content = (question: string) => ({ draft: { ...emptyDraft(5), question }, comment: "" });
const written = (of: DraftShelf) => of.all().map(({ draft }) => draft.question);

beforeEach(() => {
  room = new Room();
  shelf = new DraftShelf(room, "Rita@exam.test");
});

test("what was written is there after a reload, the last one first", () => {
  const open = new OpenDraft(shelf);
  expect(open.keep(content("One?"), 1)).toBe("kept");
  expect(open.keep(content("One and more?"), 2)).toBe("kept");
  expect(new OpenDraft(shelf).keep(content("Two?"), 3)).toBe("kept");
  const later = new DraftShelf(room, "rita@exam.test");
  expect(written(later)).toEqual(["Two?", "One and more?"]);
  expect(later.named(open.draftId)?.draft.question).toBe("One and more?");
});

test("a draft that was begun before there were numbers has options", () => {
  const { type: _, number: __, ...old } = { ...emptyDraft(5), question: "Old?", options: ["1", "2"], answer: "B" as const };
  room.held.set(`examhall-question-draft ${encodeURIComponent("rita@exam.test")} d1`, JSON.stringify({ draftId: "d1", at: 1, revision: "r", comment: "", draft: old }));
  expect(shelf.named("d1")?.draft).toMatchObject({ type: "multiple-choice", question: "Old?", options: ["1", "2"], answer: "B", number: { answer: "" } });
});

test("a draft of another person at the same computer is not theirs", () => {
  new OpenDraft(shelf).keep(content("Secret?"), 1);
  expect(new DraftShelf(room, "max@exam.test").all()).toEqual([]);
  expect(new DraftShelf(room, "rita@exam.tes").all()).toEqual([]);
  expect(new DraftShelf(room, "").all()).toEqual([]);
});

test("two tabs with one draft overwrite nothing of each other", () => {
  const first = new OpenDraft(shelf);
  first.keep(content("Begun?"), 1);
  const second = new OpenDraft(new DraftShelf(room, "rita@exam.test"), shelf.named(first.draftId));
  expect(first.keep(content("Of the first tab?"), 2)).toBe("kept");
  expect(second.keep(content("Of the second tab?"), 3)).toBe("moved");
  expect(second.draftId).not.toBe(first.draftId);
  expect(first.keep(content("Of the first tab, and more?"), 4)).toBe("kept");
  expect(second.keep(content("Of the second tab, and more?"), 5)).toBe("kept");
  expect(written(shelf)).toEqual(["Of the second tab, and more?", "Of the first tab, and more?"]);
});

test("a draft that another tab has saved goes on as a new one", () => {
  const first = new OpenDraft(shelf);
  first.keep(content("Begun?"), 1);
  const second = new OpenDraft(shelf, shelf.named(first.draftId));
  const { draftId } = first;
  first.drop();
  expect(second.keep(content("Still typed?"), 2)).toBe("moved");
  expect(second.draftId).not.toBe(draftId);
  // And what another tab has written since is not dropped with an older one.
  const third = new OpenDraft(shelf, shelf.named(second.draftId));
  second.keep(content("Newer?"), 3);
  third.drop();
  expect(written(shelf)).toEqual(["Newer?"]);
});

test("a browser without room says so, and the page keeps what it can", () => {
  const open = new OpenDraft(shelf);
  open.keep(content("Short?"), 1);
  room.isFull = true;
  expect(open.keep(content("Long?"), 2)).toBe("lost");
  expect(written(shelf)).toEqual(["Long?"]);
  expect(written(new DraftShelf(room, "rita@exam.test"))).toEqual([]);
  room.isFull = false;
  expect(open.keep(content("Longer?"), 3)).toBe("kept");
  expect(written(new DraftShelf(room, "rita@exam.test"))).toEqual(["Longer?"]);
  const nowhere = new OpenDraft(new DraftShelf(undefined, "rita@exam.test"));
  expect([nowhere.keep(content("Here?"), 1), nowhere.keep(content("Here alone?"), 2)]).toEqual(["lost", "lost"]);
});

test("there are no more drafts than the limit, and those that are there can be gone on with", () => {
  const opened = Array.from({ length: DRAFTS_MAX }, () => new OpenDraft(shelf));
  expect(new Set(opened.map((open, index) => open.keep(content(`${index}?`), index)))).toEqual(new Set(["kept"]));
  expect(new OpenDraft(shelf).keep(content("One too many?"), 1_000)).toBe("lost");
  expect(opened[3]?.keep(content("More?"), 1_001)).toBe("kept");
});

test("the edit of a question that was written last is found, and what can't be read is none", () => {
  const before = bankQuestion();
  new OpenDraft(shelf).keep({ ...content("Older?"), before }, 1);
  new OpenDraft(shelf).keep({ ...content("Newer?"), before }, 2);
  new OpenDraft(shelf).keep(content("New question?"), 3);
  expect(shelf.editOf(before.id)?.draft.question).toBe("Newer?");
  expect(shelf.editOf("g5-002")).toBeUndefined();
  for (const name of [...room.held.keys()]) room.held.set(name, "{broken");
  expect(shelf.all()).toEqual([]);
});
