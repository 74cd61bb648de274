import { expect, test } from "vitest";
import { scaleDraft } from "../marks/draft";
import { presetScale } from "../marks/presets";
import { settingsChanges, settingsFaults, settingsOf, rebasedSettings, withFirst, withLanguage, type SettingsEntries, type StoredSchool } from "./settings";

const SCHOOL: StoredSchool = { name: "Lê Lợi", crest: "", colour: "#2348c5", languages: ["vi", "en"], timeZone: "Asia/Ho_Chi_Minh", incidentKinds: ["Fire"], markScale: null, revision: 3 };
const entries = (changes: Partial<SettingsEntries> = {}): SettingsEntries => ({ ...settingsOf(SCHOOL), ...changes });

test("only what differs is sent, in the form in which the server keeps it", () => {
  expect(settingsChanges(SCHOOL, entries({ name: " Lê Lợi ", colour: "2348C5" }))).toEqual({});
  expect(settingsChanges(SCHOOL, entries({ name: "Trưng Vương", colour: "#123" }))).toEqual({ name: "Trưng Vương", colour: "#112233" });
  expect(settingsChanges(SCHOOL, entries({ languages: ["en", "vi"] }))).toEqual({ languages: ["en", "vi"] });
});

test("a draft follows what others change where it has changed nothing itself", () => {
  const theirs = { ...SCHOOL, name: "Theirs", timeZone: "UTC", revision: 4 };
  const draft = entries({ name: "Mine" });
  expect(rebasedSettings(draft, SCHOOL, theirs)).toEqual(entries({ name: "Mine", timeZone: "UTC" }));
  // What has been saved is shown as the server keeps it.
  expect(rebasedSettings({ ...draft, name: " Theirs " }, SCHOOL, theirs).name).toBe("Theirs");
});

test("each field says what is wrong with it", () => {
  expect(settingsFaults(entries())).toEqual({});
  expect(settingsFaults(entries({ name: "" }))).toEqual({});
  expect(settingsFaults(entries({ name: "ế".repeat(121), colour: "blue", languages: [], timeZone: "Asia/Nowhere", incidentKinds: [] }))).toEqual({
    name: "longName",
    colour: "noColour",
    languages: "noLanguage",
    timeZone: "noZone",
  });
  expect(settingsFaults(entries({ colour: "#ffcc00" }))).toEqual({ colour: "paleColour" });
});

test("languages are offered in their order", () => {
  expect(withLanguage(["vi"], "en", true)).toEqual(["vi", "en"]);
  expect(withLanguage(["vi", "en"], "vi", false)).toEqual(["en"]);
  expect(withLanguage(["vi", "en"], "en", true)).toEqual(["vi", "en"]);
  expect(withFirst(["vi", "en"], "en")).toEqual(["en", "vi"]);
});

test("kinds of incidents are sent line by line, and what is wrong with them is said", () => {
  expect(settingsChanges(SCHOOL, entries({ incidentKinds: [" Fire ", ""] }))).toEqual({});
  expect(settingsChanges(SCHOOL, entries({ incidentKinds: ["Fire", " Sổ đầu bài", ""] }))).toEqual({ incidentKinds: ["Fire", "Sổ đầu bài"] });
  expect(settingsFaults(entries({ incidentKinds: ["Fire", " Fire "] }))).toEqual({ incidentKinds: "twiceKind" });
  expect(settingsFaults(entries({ incidentKinds: ["ế".repeat(51)] }))).toEqual({ incidentKinds: "longKind" });
  expect(settingsFaults(entries({ incidentKinds: ["ế".repeat(50), "", ...Array.from({ length: 19 }, (_, index) => `${index}`)] }))).toEqual({});
  expect(settingsFaults(entries({ incidentKinds: Array.from({ length: 21 }, (_, index) => `${index}`) }))).toEqual({ incidentKinds: "manyKinds" });
});

test("the scale of marks is sent when it is another one, and a wrong one is said to be so", () => {
  const ten = presetScale("ten", "en");
  const marks = scaleDraft(ten);
  expect(settingsChanges(SCHOOL, entries({ marks }))).toEqual({ markScale: ten });
  expect(settingsChanges({ ...SCHOOL, markScale: ten }, entries({ marks }))).toEqual({});
  expect(settingsChanges({ ...SCHOOL, markScale: ten }, entries())).toEqual({ markScale: null });
  expect(rebasedSettings(entries(), SCHOOL, { ...SCHOOL, markScale: ten }).marks).toEqual(marks);
  expect(settingsFaults(entries({ marks: { ...marks, choice: "own", own: { ...marks.own, best: "" } } }))).toEqual({ markScale: "wrongScale" });
});
