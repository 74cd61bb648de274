import { expect, test } from "vitest";
import { exampleOf, kindOf, wholeOf, type ApiDocument, type Schema } from "./document";

const SUMMARY: Schema = { type: "object", required: ["id"], properties: { id: { type: "string", format: "uuid" }, note: { type: "string" } } };
const ENTRY: Schema = { allOf: [{ $ref: "#/components/schemas/Summary" }, { type: "object", required: ["student"], properties: { student: { type: "string" } } }] };
const LIST: Schema = { anyOf: [{ $ref: "#/components/schemas/Entry" }, { type: "array", items: { $ref: "#/components/schemas/Summary" } }] };
const DOCUMENT: ApiDocument = { info: { title: "", version: "" }, paths: {}, components: { schemas: { Summary: SUMMARY, Entry: ENTRY, List: LIST } } };

test("a schema of several parts has the fields of all", () => {
  const { properties, required } = wholeOf(ENTRY, DOCUMENT);
  expect(Object.keys(properties ?? {})).toEqual(["id", "note", "student"]);
  expect(required).toEqual(["id", "student"]);
  expect(kindOf(ENTRY)).toBe("object");
  expect(Object.keys(exampleOf(ENTRY, DOCUMENT) as object)).toEqual(["id", "student"]);
});

test("a choice is named by its options, whether one or several of them may fit", () => {
  expect(kindOf(LIST)).toBe("Entry or Summary[]");
  expect(kindOf({ oneOf: [{ type: "string" }, { type: "null" }] })).toBe("string or null");
  expect(exampleOf(LIST, DOCUMENT)).toEqual(exampleOf(ENTRY, DOCUMENT));
});

test("a schema that contains itself ends", () => {
  const own: Schema = { allOf: [{ $ref: "#/components/schemas/Own" }] };
  const document = { ...DOCUMENT, components: { schemas: { Own: own } } };
  expect(wholeOf(own, document).type).toBe("object");
  expect(exampleOf(own, document)).toEqual({});
});
