// Compares answers with the schemas of the document that describes them: generated types alone do not see a value that
// the document excludes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { Middleware } from "openapi-fetch";

interface Described {
  $ref?: string;
  content?: Record<string, { schema?: object }>;
}

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Described> }>>;
  components: { responses?: Record<string, Described> };
}

/** The operations of which an answer was compared, such as `get /api/me 200`. */
export const compared = new Set<string>();

/** Compares each JSON answer that a client gets with `generated/<name>.json`. */
export function comparing(name: string): Middleware {
  const document = JSON.parse(readFileSync(`generated/${name}.json`, "utf8")) as Document;
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  formats.default(ajv);
  for (const format of ["int32", "int64", "double", "binary"]) ajv.addFormat(format, true);
  ajv.addSchema({ ...absolute(document) as object, $id: "document" });
  return {
    async onResponse({ request, response, schemaPath }) {
      const method = request.method.toLowerCase();
      const place = `${method} ${schemaPath} ${response.status}`;
      const named = document.paths[schemaPath]?.[method]?.responses[response.status];
      const described = named?.$ref === undefined ? named : document.components.responses?.[named.$ref.split("/").at(-1) ?? ""];
      assert.ok(described !== undefined, `${place} is not in the document`);
      const schema = described.content?.["application/json"]?.schema;
      if (schema === undefined) return;
      const answer: unknown = await response.clone().json();
      const fits = ajv.compile(absolute(schema) as object);
      assert.ok(fits(answer), `${place}: ${JSON.stringify(answer).slice(0, 2_000)}\n${JSON.stringify(fits.errors, null, 1)}`);
      compared.add(place);
    },
  };
}

/** A copy whose references are found from anywhere. */
function absolute(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(absolute);
  if (schema === null || typeof schema !== "object") return schema;
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, key === "$ref" && typeof value === "string" ? `document${value}` : absolute(value)]));
}
