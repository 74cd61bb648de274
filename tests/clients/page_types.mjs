// Writes the types that the staff pages have of the server: of its API and the frames of its sockets, and of its calendar.

import openapiTS, { astToString } from "openapi-typescript";

const HEADING = "// Written by tests/clients from the documents of the server; do not edit.\n\n";
const METHODS = ["get", "post", "put", "patch", "delete"];

/** The text of each file of `web/src/api`, made from the documents by their names. */
export async function pageTypes({ api, sockets, calendar }) {
  return {
    "schema.ts": await typesOf(withFrames(api, sockets)),
    "calendar.ts": await typesOf(calendar),
  };
}

async function typesOf(document) {
  const options = { rootTypes: true, rootTypesNoSchemaPrefix: true, defaultNonNullable: false, alphabetize: true, silent: true };
  return HEADING + astToString(await openapiTS(ofUse(document), options));
}

/** The API with the schemas of frames, and for each operation of the sockets one that is any of its messages. */
function withFrames(api, { components, operations }) {
  const unions = Object.entries(operations).map(([name, { messages }]) => {
    const oneOf = messages.map(({ $ref }) => ({ $ref: `#/components/schemas/${$ref.split("/").at(-1)}` }));
    return [name[0].toUpperCase() + name.slice(1), { oneOf }];
  });
  return { ...api, components: { schemas: { ...components.schemas, ...api.components.schemas, ...Object.fromEntries(unions) } } };
}

/** What pages know by type: parameters, bodies and what is answered when all goes well. */
function ofUse({ paths, components, ...document }) {
  const operation = ({ parameters, requestBody, responses }) => ({
    parameters,
    requestBody,
    responses: Object.fromEntries(Object.entries(responses).filter(([status]) => status.startsWith("2")).map(([status, { description, content }]) => [status, { description, content }])),
  });
  const item = (found) => Object.fromEntries(METHODS.filter((method) => method in found).map((method) => [method, operation(found[method])]));
  return { ...document, paths: Object.fromEntries(Object.entries(paths).map(([path, found]) => [path, item(found)])), components: { schemas: components.schemas } };
}
