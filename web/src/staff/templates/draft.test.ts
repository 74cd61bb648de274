import { expect, test } from "vitest";
import { availableFor, countedLists, templateChanges, templateDraftOf, templateFaults, fieldIn, templateFields, foundOf, inverseOf, newTemplateDraft, oddBands, withMode } from "./draft";
import { scaleDraft } from "../marks/draft";
import { presetScale } from "../marks/presets";
import { BANDS, targetsOf } from "./shapes";
import { adaptive, standard } from "./testing/templates";

test("a new draft lacks a name and grades, and nothing else", () => {
  expect(templateFaults(newTemplateDraft())).toEqual({ name: "missing", grades: "missing" });
  expect(templateFaults({ ...newTemplateDraft([5]), name: "Spring" })).toEqual({});
  expect(templateFaults({ ...newTemplateDraft([5]), name: "Spring", mode: "adaptive" })).toEqual({});
});

test("another kind of test has its usual minutes, unless others were chosen", () => {
  expect(withMode(newTemplateDraft(), "adaptive").minutes).toBe(70);
  expect(withMode(withMode(newTemplateDraft(), "adaptive"), "standard").minutes).toBe(30);
  expect(withMode({ ...newTemplateDraft(), minutes: 45 }, "adaptive").minutes).toBe(45);
});

test("each field is checked as the server does", () => {
  const draft = { ...newTemplateDraft([5]), name: "Spring" };
  for (const minutes of [null, 0, 601, 7.5]) expect(templateFaults({ ...draft, minutes }).minutes, String(minutes)).toBe("range");
  for (const minutes of [1, 600]) expect(templateFaults({ ...draft, minutes }).minutes, String(minutes)).toBeUndefined();
  const list = (entries: (number | null)[]) => templateFaults({ ...draft, lists: { ...draft.lists, standard: entries } }).standard;
  expect([list([0, 0, null, 0, 0]), list([200, 0, 0, 0, 1]), list([1, -1, 0, 0, 0]), list([1.5, 0, 0, 0, 0]), list([null, 1, 0, 0, 0])]).toEqual([
    "range",
    "range",
    "number",
    "number",
    undefined,
  ]);
});

test("the band that differs is named, with how much it differs", () => {
  const draft = { ...newTemplateDraft([5]), name: "Spring", mode: "adaptive" as const };
  expect(oddBands(draft)).toEqual([]);
  draft.lists = { ...draft.lists, "80-90": [1, 2, 4, 6, 9], "below-60": [6, 5, 5, 3, null] };
  expect(oddBands(draft)).toEqual([
    { band: "80-90", by: 2 },
    { band: "below-60", by: -1 },
  ]);
  expect(templateFaults(draft).bands).toBe("unequal");
});

test("only what differs from the template is sent, and can be taken back", () => {
  const template = standard();
  const draft = templateDraftOf(template);
  expect(templateChanges(draft, template)).toEqual({});
  draft.name = " Summer ";
  draft.lists.standard[4] = 7;
  const changes = templateChanges(draft, template);
  expect(changes).toEqual({ name: "Summer", standardTargets: { 1: 4, 2: 3, 3: 3, 4: 4, 5: 7 } });
  expect(inverseOf(changes, template)).toEqual({ name: template.name, standardTargets: template.standardTargets });
  // With another mode come its lists, which the way back need not mention.
  draft.mode = "adaptive";
  const turned = templateChanges(draft, template);
  expect(Object.keys(turned)).toEqual(["name", "mode", "session1Targets", "session2TargetsByBand"]);
  expect(inverseOf(turned, template)).toEqual({ name: template.name, mode: "standard" });
});

test("a calculator is sent if another one is allowed", () => {
  const template = standard({ calculator: "basic" });
  expect(templateChanges({ ...templateDraftOf(template), calculator: "scientific" }, template)).toEqual({ calculator: "scientific" });
  expect(templateFields(newTemplateDraft([5])).calculator).toBe("none");
  expect(fieldIn("Invalid calculator")).toBe("calculator");
});

test("what is drawn from is sent once it is not as usual, and can be taken back", () => {
  const template = standard();
  const draft = templateDraftOf(template);
  draft.choice = { ...draft.choice, topics: { Volume: 12, Data: 8 }, isByDifficulty: false, isApprovedOnly: true, sources: ["Web", "Book"], order: "by-topic", types: "all" };
  expect(templateFields(draft)).toMatchObject({ topicTargets: { Data: 8, Volume: 12 }, approvedOnly: true, sources: ["Book", "Web"], order: "by-topic", types: "all" });
  // Numbers by topic that hold alone come without those by difficulty, which a change has to take back.
  expect(templateFields(draft).standardTargets).toBeUndefined();
  const changes = templateChanges(draft, template);
  expect(changes).toMatchObject({ topicTargets: { Data: 8, Volume: 12 }, standardTargets: null });
  expect(inverseOf(changes, template)).toEqual({ topicTargets: {}, approvedOnly: false, sources: [], order: "mixed", types: "multiple-choice", standardTargets: template.standardTargets });
  const { standardTargets: _, ...alone } = standard({ topicTargets: { Data: 8, Volume: 12 }, approvedOnly: true });
  expect(templateChanges(templateDraftOf(alone), alone)).toEqual({});
  const back = templateDraftOf(alone);
  back.choice = { ...back.choice, topics: {}, isApprovedOnly: false };
  expect(templateChanges(back, alone)).toEqual({ topicTargets: {}, approvedOnly: false, standardTargets: targetsOf([4, 3, 3, 4, 6]) });
  expect(inverseOf({ standardTargets: targetsOf([1, 1, 1, 1, 1]), topicTargets: {} }, alone)).toEqual({ standardTargets: null, topicTargets: { Data: 8, Volume: 12 } });
});

test("topics that an adaptive template may still keep are said when it becomes a standard one", () => {
  const template = adaptive();
  const draft = withMode(templateDraftOf(template), "standard");
  const changes = templateChanges(draft, template);
  expect(changes).toEqual({ mode: "standard", topicTargets: {}, forms: 1, parallelForms: false, standardTargets: targetsOf([4, 3, 3, 4, 6]) });
  expect(inverseOf(changes, template)).toEqual({ mode: "adaptive" });
});

test("topics and difficulties that differ in their totals are a fault, and lists without numbers are not looked at", () => {
  const draft = { ...newTemplateDraft([5]), name: "Spring" };
  draft.choice = { ...draft.choice, topics: { Data: 19 } };
  expect(templateFaults(draft)).toEqual({ topics: "unequal" });
  draft.lists = { ...draft.lists, standard: [0, 0, 0, 0, 0] };
  expect(templateFaults(draft)).toEqual({ standard: "range", topics: "unequal" });
  draft.choice = { ...draft.choice, isByDifficulty: false };
  expect(templateFaults(draft)).toEqual({});
  expect([countedLists(draft), countedLists({ ...draft, mode: "adaptive" }).length]).toEqual([[], 6]);
  expect(["Invalid topicTargets", "Invalid sources", "Invalid order", "Invalid approvedOnly", "Invalid types", "Invalid pinned"].map(fieldIn)).toEqual([
    "topics",
    "sources",
    "order",
    "approved",
    "types",
    undefined,
  ]);
});

test("an adaptive template is sent with all its bands", () => {
  const fields = templateFields(templateDraftOf(adaptive()));
  expect(Object.keys(fields)).toEqual(["name", "grades", "mode", "durationMinutes", "calculator", "session1Targets", "session2TargetsByBand"]);
  expect(Object.keys(fields.session2TargetsByBand ?? {})).toEqual([...BANDS]);
  expect(fields.session1Targets).toEqual(targetsOf([1, 0, 0, 0, 1]));
});

test("the server's sentences belong to fields", () => {
  expect(["Invalid durationMinutes", "All bands must have the same total", "Invalid session1Targets", "Invalid body", "Not found"].map(fieldIn)).toEqual([
    "minutes",
    "bands",
    "session1",
    undefined,
    undefined,
  ]);
});

test("questions of stage 1 are not there for the bands", () => {
  const draft = newTemplateDraft([5]);
  expect(availableFor("standard", [5, 5, 5, 5, 5], draft)).toEqual([5, 5, 5, 5, 5]);
  expect(availableFor("session1", [5, 5, 5, 5, 5], draft)).toEqual([5, 5, 5, 5, 5]);
  expect(availableFor("90-100", [5, 5, 5, 5, 5], draft)).toEqual([1, 2, 2, 1, 0]);
  expect(foundOf([0, 1, 3, null, 10], [1, 2, 2, 1, 0])).toEqual([0, 1, 2, 0, 0]);
  expect(foundOf([2, 1, 3, null, 10], undefined)).toEqual([2, 1, 3, 0, 10]);
});

test("forms are sent once there are several, and can be taken back", () => {
  const template = standard();
  const draft = templateDraftOf(template);
  draft.choice = { ...draft.choice, forms: 4, areParallel: true, areShuffled: true };
  expect(templateFields(draft)).toMatchObject({ forms: 4, parallelForms: true, shuffleOptions: true });
  const changes = templateChanges(draft, template);
  expect(changes).toEqual({ forms: 4, parallelForms: true, shuffleOptions: true });
  expect(inverseOf(changes, template)).toEqual({ forms: 1, parallelForms: false, shuffleOptions: false });
  const back = templateDraftOf(standard({ forms: 4 }));
  back.choice = { ...back.choice, forms: 1 };
  expect(templateChanges(back, standard({ forms: 4 }))).toEqual({ forms: 1 });
  expect(["Invalid forms", "Invalid parallelForms", "Invalid shuffleOptions", "Invalid inOrder"].map(fieldIn)).toEqual(["forms", "parallel", "shuffle", "inOrder"]);
});

test("forms need one list, so that those of an adaptive test are a fault until they go", () => {
  const draft = withMode({ ...templateDraftOf(standard({ forms: 2 })), minutes: 30 }, "adaptive");
  expect(templateFaults(draft)).toEqual({ forms: "lists" });
  draft.choice = { ...draft.choice, forms: 1, areShuffled: true };
  expect(templateFaults(draft)).toEqual({});
  expect(templateChanges(draft, standard({ forms: 2 }))).toMatchObject({ mode: "adaptive", shuffleOptions: true });
  expect(templateChanges(draft, standard({ forms: 2 }))).not.toHaveProperty("forms");
});

test("marks are the school's, unless a template has a scale or none, and each can be taken back", () => {
  const [ten, letters] = [presetScale("ten", "en"), presetScale("letters", "en")];
  expect(templateFields({ ...newTemplateDraft([5]), name: "Spring" })).not.toHaveProperty("markScale");
  expect(templateFields({ ...newTemplateDraft([5]), marks: scaleDraft(null) })).toHaveProperty("markScale", null);
  for (const [stored, chosen, sent] of [
    [undefined, ten, ten],
    [null, "school", "school"],
    [ten, null, null],
    ["school", letters, letters],
  ] as const) {
    const template = standard(stored === undefined ? {} : { markScale: stored });
    expect(templateChanges(templateDraftOf(template), template)).toEqual({});
    const changes = templateChanges({ ...templateDraftOf(template), marks: scaleDraft(chosen) }, template);
    expect(changes).toEqual({ markScale: sent });
    expect(inverseOf(changes, template)).toEqual({ markScale: stored === undefined ? "school" : stored });
  }
  const { own } = scaleDraft(ten);
  expect(templateFaults({ ...newTemplateDraft([5]), name: "Spring", marks: { choice: "own", own: { ...own, worst: "" } } })).toEqual({ marks: "scale" });
  expect(fieldIn("Invalid markScale")).toBe("marks");
});
