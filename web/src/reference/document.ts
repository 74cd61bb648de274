// The parts of an OpenAPI document that the page of the API shows.

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  description?: string;
  required?: boolean;
  schema?: Schema;
}

export type Content = Record<string, { schema?: Schema }>;

export interface DocumentedAnswer {
  $ref?: string;
  description?: string;
  headers?: Record<string, unknown>;
  content?: Content;
}

export interface ApiOperation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { description?: string; required?: boolean; content: Content };
  responses: Record<string, DocumentedAnswer>;
}

export interface ApiDocument {
  info: { title: string; version: string; description?: string };
  servers?: { url: string }[];
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
  components?: { schemas?: Record<string, Schema>; responses?: Record<string, DocumentedAnswer>; securitySchemes?: Record<string, { description?: string }> };
}

/** The name at the end of a reference. */
export function referencedName(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

/** The schemas of which a value fits one, if it has such a choice. */
export function optionsOf(schema: Schema): Schema[] | undefined {
  return schema.oneOf ?? schema.anyOf;
}

/** The schema that a reference names, else the schema itself. */
function named(schema: Schema, document: ApiDocument): Schema {
  return schema.$ref === undefined ? schema : (document.components?.schemas?.[referencedName(schema.$ref)] ?? {});
}

/** The schema with the fields of all its parts. `depth` ends schemas that contain themselves. */
export function wholeOf(schema: Schema, document: ApiDocument, depth = 0): Schema {
  if (schema.allOf === undefined || depth > 6) return schema;
  const parts = schema.allOf.map((part) => wholeOf(named(part, document), document, depth + 1));
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}), schema.properties ?? {}) as Record<string, Schema>;
  return { ...schema, type: "object", properties, required: [...parts, schema].flatMap(({ required }) => required ?? []) };
}

/** What a schema allows, in a few words: `string (date-time)`, `integer, 1 to 10`, `Question[]`. */
export function kindOf(schema: Schema): string {
  if (schema.$ref !== undefined) return referencedName(schema.$ref);
  const options = optionsOf(schema);
  if (options !== undefined) return options.map(kindOf).join(" or ");
  // The parts of one object: their fields are listed together.
  if (schema.allOf !== undefined) return "object";
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(", ");
  const types = [schema.type ?? "any"].flat().map((type) => (type === "array" && schema.items !== undefined ? `${bracketed(kindOf(schema.items))}[]` : type));
  const map = typeof schema.additionalProperties === "object" && schema.properties === undefined ? ` of ${kindOf(schema.additionalProperties)}` : "";
  const format = schema.format === undefined || schema.format.startsWith("int") ? "" : ` (${schema.format})`;
  return `${types.join(" or ")}${map}${format}${bounds(schema)}`;
}

function bracketed(kind: string): string {
  return kind.includes(" ") ? `(${kind})` : kind;
}

function bounds({ minimum, maximum, minLength, maxLength, minItems, maxItems }: Schema): string {
  return [range(minimum, maximum, ""), range(minLength, maxLength, " characters"), range(minItems, maxItems, " items")].join("");
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return `, ${least} to ${most}${unit}`;
  if (most !== undefined) return `, ${most}${unit} at most`;
  return least === undefined || least === 0 ? "" : `, ${least}${unit} at least`;
}

/** A value that fits the schema, to begin a request with. `depth` ends schemas that contain themselves. */
export function exampleOf(schema: Schema, document: ApiDocument, depth = 0): unknown {
  const [example] = schema.examples ?? [];
  if (example !== undefined || schema.example !== undefined) return example ?? schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.$ref !== undefined) {
    const known = document.components?.schemas?.[referencedName(schema.$ref)];
    return known === undefined || depth > 6 ? {} : exampleOf(known, document, depth + 1);
  }
  const [first] = optionsOf(schema) ?? [];
  if (first !== undefined) return exampleOf(first, document, depth);
  if (schema.enum !== undefined) return schema.enum[0];
  switch ([schema.type ?? "object"].flat()[0]) {
    case "integer":
    case "number":
      return schema.minimum ?? 0;
    case "boolean":
      return true;
    case "string":
      return schema.format === "date-time" ? "2026-01-05T09:00:00.000Z" : schema.format === "uuid" ? "0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e90" : "";
    case "array":
      return schema.items === undefined ? [] : [exampleOf(schema.items, document, depth + 1)];
    default: {
      const { properties, required } = wholeOf(schema, document);
      return Object.fromEntries((required ?? []).map((name) => [name, exampleOf(properties?.[name] ?? {}, document, depth + 1)]));
    }
  }
}
