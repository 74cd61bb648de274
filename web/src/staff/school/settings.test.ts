import { expect, test } from "vitest";
import { settingsChanges, settingsFaults, rebasedSettings, withFirst, withLanguage, type StoredSchool } from "./settings";

const SCHOOL: StoredSchool = { name: "Lê Lợi", crest: "", colour: "#2348c5", languages: ["vi", "en"], timeZone: "Asia/Ho_Chi_Minh", incidentKinds: ["Fire"], revision: 3 };

test("only what differs is sent, in the form in which the server keeps it", () => {
  expect(settingsChanges(SCHOOL, { ...SCHOOL, name: " Lê Lợi ", colour: "2348C5" })).toEqual({});
  expect(settingsChanges(SCHOOL, { ...SCHOOL, name: "Trưng Vương", colour: "#123" })).toEqual({ name: "Trưng Vương", colour: "#112233" });
  expect(settingsChanges(SCHOOL, { ...SCHOOL, languages: ["en", "vi"] })).toEqual({ languages: ["en", "vi"] });
});

test("a draft follows what others change where it has changed nothing itself", () => {
  const theirs = { ...SCHOOL, name: "Theirs", timeZone: "UTC", revision: 4 };
  const draft = { name: "Mine", colour: SCHOOL.colour, languages: SCHOOL.languages, timeZone: SCHOOL.timeZone, incidentKinds: SCHOOL.incidentKinds };
  expect(rebasedSettings(draft, SCHOOL, theirs)).toEqual({ name: "Mine", colour: "#2348c5", languages: ["vi", "en"], timeZone: "UTC", incidentKinds: ["Fire"] });
  // What has been saved is shown as the server keeps it.
  expect(rebasedSettings({ ...draft, name: " Theirs " }, SCHOOL, theirs).name).toBe("Theirs");
});

test("each field says what is wrong with it", () => {
  expect(settingsFaults(SCHOOL)).toEqual({});
  expect(settingsFaults({ ...SCHOOL, name: "" })).toEqual({});
  expect(settingsFaults({ name: "ế".repeat(121), colour: "blue", languages: [], timeZone: "Asia/Nowhere", incidentKinds: [] })).toEqual({
    name: "longName",
    colour: "noColour",
    languages: "noLanguage",
    timeZone: "noZone",
  });
  expect(settingsFaults({ ...SCHOOL, colour: "#ffcc00" })).toEqual({ colour: "paleColour" });
});

test("languages are offered in their order", () => {
  expect(withLanguage(["vi"], "en", true)).toEqual(["vi", "en"]);
  expect(withLanguage(["vi", "en"], "vi", false)).toEqual(["en"]);
  expect(withLanguage(["vi", "en"], "en", true)).toEqual(["vi", "en"]);
  expect(withFirst(["vi", "en"], "en")).toEqual(["en", "vi"]);
});

test("kinds of incidents are sent line by line, and what is wrong with them is said", () => {
  expect(settingsChanges(SCHOOL, { ...SCHOOL, incidentKinds: [" Fire ", ""] })).toEqual({});
  expect(settingsChanges(SCHOOL, { ...SCHOOL, incidentKinds: ["Fire", " Sổ đầu bài", ""] })).toEqual({ incidentKinds: ["Fire", "Sổ đầu bài"] });
  expect(settingsFaults({ ...SCHOOL, incidentKinds: ["Fire", " Fire "] })).toEqual({ incidentKinds: "twiceKind" });
  expect(settingsFaults({ ...SCHOOL, incidentKinds: ["ế".repeat(51)] })).toEqual({ incidentKinds: "longKind" });
  expect(settingsFaults({ ...SCHOOL, incidentKinds: ["ế".repeat(50), "", ...Array.from({ length: 19 }, (_, index) => `${index}`)] })).toEqual({});
  expect(settingsFaults({ ...SCHOOL, incidentKinds: Array.from({ length: 21 }, (_, index) => `${index}`) })).toEqual({ incidentKinds: "manyKinds" });
});
