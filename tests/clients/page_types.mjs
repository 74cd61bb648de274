// Writes the types that the staff pages have of the server: of its API, and of the frames of its sockets.

import openapiTS, { astToString } from "openapi-typescript";

const HEADING = "// Written by tests/clients from the documents of the server; do not edit.\n\n";
const METHODS = ["get", "post", "put", "patch", "delete"];

/** The text of `web/src/api/schema.ts`. The document of the calendar requires nothing, so that its types would say nothing. */
export async function pageTypes({ api, sockets }) {
  const options = { rootTypes: true, rootTypesNoSchemaPrefix: true, defaultNonNullable: false, alphabetize: true, silent: true };
  return HEADING + astToString(await openapiTS(ofUse(withFrames(api, sockets)), options));
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
    responses: mapped(responses, (status, { description, content }) => (status.startsWith("2") ? { description, content } : undefined)),
  });
  const item = (_, found) => mapped(found, (method, one) => (METHODS.includes(method) ? operation(one) : undefined));
  return { ...document, paths: mapped(paths, item), components: { schemas: components.schemas } };
}

/** What `make` says of each entry, without those of which it says nothing. */
function mapped(entries, make) {
  const made = Object.entries(entries).map(([name, value]) => [name, make(name, value)]);
  return Object.fromEntries(made.filter(([, value]) => value !== undefined));
}
