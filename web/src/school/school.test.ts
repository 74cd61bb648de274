import { expect, test } from "vitest";
import { schoolOf } from "./school";

const KNOWN = ["en", "vi"];
const SAID = { name: "Trần Phú School", crest: "/api/school/crest?v=3", colour: "#0a7d4f", languages: ["vi", "en"], timeZone: "Asia/Ho_Chi_Minh" };

test("a school is what the server says", () => {
  expect(schoolOf(SAID, KNOWN)).toEqual(SAID);
});

test("a server whose school has no name has none, whatever else it says", () => {
  for (const answer of [{ ...SAID, name: "" }, { ...SAID, name: "  " }, {}, null, undefined, 7, "school", { error: "Not found" }]) expect(schoolOf(answer, KNOWN), JSON.stringify(answer)).toBeUndefined();
});

test("only languages that the pages speak are offered, in the school's order, and never none", () => {
  const languages = (said: unknown) => schoolOf({ ...SAID, languages: said }, KNOWN)?.languages;
  expect(languages(["vi"])).toEqual(["vi"]);
  expect(languages(["fr", "vi", "en", "vi"])).toEqual(["vi", "en"]);
  for (const none of [[], ["fr"], "vi", undefined, [7]]) expect(languages(none)).toEqual(KNOWN);
});

test("a crest is a picture of this server's, and nothing else is loaded", () => {
  const crest = (said: unknown) => schoolOf({ ...SAID, crest: said }, KNOWN)?.crest;
  expect(crest("/api/school/crest")).toBe("/api/school/crest");
  for (const other of ["https://elsewhere.example/crest.png", "//elsewhere.example/api/school/crest", "/api/school/crest/../../me", "data:image/png;base64,AA", "", 7]) expect(crest(other)).toBe("");
});

test("a colour or a zone that can't be read is left out", () => {
  for (const colour of ["red", "#fff", "#12345g", "", undefined]) expect(schoolOf({ ...SAID, colour }, KNOWN)?.colour).toBe("");
  for (const timeZone of ["Nowhere/Else", "", undefined]) expect(schoolOf({ ...SAID, timeZone }, KNOWN)?.timeZone).toBe("");
});
