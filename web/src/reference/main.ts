// The page of the API at `/api/docs/`: every route of the document to read and to try. It is made of plain elements, so
// that the students' pages, which are kept for use without a network, share no file with it.

import "./reference.css";
import { exampleOf, kindOf, referencedName, optionsOf, wholeOf, type DocumentedAnswer, type ApiDocument, type ApiOperation, type Parameter, type Schema } from "./document";

const DOCUMENT = "/api/openapi.json";
const METHODS = ["get", "post", "put", "patch", "delete"];
/** Characters of an answer that are shown: a bank of questions would make the page slow. */
const SHOWN_MAX = 20_000;
/** The headers of an answer that are shown. */
const SHOWN_HEADERS = ["content-type", "content-disposition", "etag", "location", "retry-after", "allow"];

type Child = Node | string | undefined;

/** An element with attributes and children. */
function make<K extends keyof HTMLElementTagNameMap>(name: K, attributes: Record<string, string>, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** A text in which words between backticks are code. */
function pieces(text: string): (HTMLElement | string)[] {
  return text.split("`").map((piece, index) => (index % 2 === 1 ? make("code", {}, piece) : piece));
}

function prose(text: string): HTMLParagraphElement {
  return make("p", {}, ...pieces(text));
}

/** A link to the schema of this name, or what the schema allows. */
function kind(schema: Schema): HTMLElement {
  const named = schema.$ref ?? schema.items?.$ref ?? optionsOf(schema)?.find(({ $ref }) => $ref !== undefined)?.$ref;
  const text = kindOf(schema);
  return named === undefined ? make("code", {}, text) : make("a", { href: `#schema-${referencedName(named)}` }, text);
}

function table(caption: string, heads: string[], rows: Child[][]): HTMLElement | undefined {
  if (rows.length === 0) return undefined;
  const cell = (child: Child, index: number): HTMLElement => (index === 0 ? make("th", { scope: "row" }, child) : make("td", {}, child));
  return make("div", { class: "wide", tabindex: "0", role: "group", "aria-label": caption },
    make("table", {}, make("caption", {}, caption), make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))), make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map(cell))))));
}

function fieldsOf(schema: Schema, api: ApiDocument): HTMLElement | undefined {
  const { properties, required } = wholeOf(schema, api);
  const rows = Object.entries(properties ?? {}).map(([name, field]) => [
    make("code", {}, name), kind(field), required?.includes(name) === true ? "always" : "", prose(field.description ?? optionsOf(field)?.[0]?.description ?? ""),
  ]);
  return table("Fields", ["name", "type", "there", "about"], rows);
}

/** The route's answers, those that many routes share included. */
function answers(operation: ApiOperation, api: ApiDocument): HTMLElement | undefined {
  const row = ([status, answer]: [string, DocumentedAnswer]): Child[] => {
    const known = answer.$ref === undefined ? answer : (api.components?.responses?.[referencedName(answer.$ref)] ?? answer);
    const schemas = Object.entries(known.content ?? {}).map(([type, { schema }]) => (type === "application/json" && schema !== undefined ? kind(schema) : make("code", {}, type)));
    const headers = Object.keys(known.headers ?? {}).join(", ");
    return [status, prose(known.description ?? ""), make("span", {}, ...schemas), headers];
  };
  return table("Answers", ["status", "when", "body", "headers"], Object.entries(operation.responses).map(row));
}

/** Who may call the route, in words. */
function whoMay(operation: ApiOperation, api: ApiDocument): string {
  const security = operation.security ?? [];
  if (security.length === 0) return "Anyone may call it.";
  const names = security.flatMap((one) => Object.keys(one)).map((name) => api.components?.securitySchemes?.[name]?.description ?? name);
  const needed = `${names.join("; or ")}.`;
  return security.some((one) => Object.keys(one).length === 0) ? `Anyone may call it. What else counts: ${needed}` : `Needs: ${needed}`;
}

/** A labelled field of the form with which a route is tried. */
function field(id: string, label: string, about: string, input: HTMLInputElement | HTMLTextAreaElement): HTMLElement {
  input.id = id;
  input.setAttribute("aria-describedby", `${id}-about`);
  return make("div", { class: "field" }, make("label", { for: id }, label), input, make("span", { id: `${id}-about`, class: "about" }, ...pieces(about)));
}

/** The form with which a route is tried. Its answer appears below. */
function form(method: string, path: string, operation: ApiOperation, api: ApiDocument, token: HTMLInputElement): HTMLElement {
  const id = operation.operationId;
  const inputs = (operation.parameters ?? []).map((parameter) => ({ parameter, input: make("input", { type: "text", autocomplete: "off", ...(parameter.required === true ? { required: "" } : {}) }) }));
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const body = type === undefined ? undefined : type === "multipart/form-data" ? make("input", { type: "file" }) : make("textarea", { rows: "8", spellcheck: "false" });
  if (body instanceof HTMLTextAreaElement && content?.schema !== undefined) body.value = JSON.stringify(exampleOf(content.schema, api), null, 2);
  // Screen readers are told the outcome, not the whole answer.
  const outcome = make("p", { role: "status", class: "outcome" });
  const shown = make("div", {});
  const send = async (): Promise<void> => {
    outcome.textContent = "…";
    shown.replaceChildren();
    const said = await ask(method, path, inputs, type, body, token.value.trim());
    outcome.textContent = said.outcome;
    shown.replaceChildren(...said.parts);
  };
  const all = make("form", {},
    ...inputs.map(({ parameter, input }) => field(`${id}-${parameter.name}`, `${parameter.name} (${parameter.in})`, `${parameter.description ?? ""}${parameter.schema === undefined ? "" : ` – ${kindOf(parameter.schema)}`}`, input)),
    body === undefined || type === undefined ? undefined : field(`${id}-body`, "Body", type, body),
    make("button", { type: "submit" }, "Send"));
  all.addEventListener("submit", (event) => {
    event.preventDefault();
    void send();
  });
  return make("section", { "aria-label": `Try ${id}` }, make("h3", {}, "Try it"), all, outcome, shown);
}

/** Sends the request. Returns its answer, or what went wrong, as elements. */
async function ask(method: string, path: string, inputs: { parameter: Parameter; input: HTMLInputElement }[], type: string | undefined, body: HTMLInputElement | HTMLTextAreaElement | undefined, token: string): Promise<{ outcome: string; parts: HTMLElement[] }> {
  const given = inputs.filter(({ input }) => input.value !== "");
  const query = new URLSearchParams(given.filter(({ parameter }) => parameter.in === "query").map(({ parameter, input }) => [parameter.name, input.value]));
  const address = given.reduce((filled, { parameter, input }) => (parameter.in === "path" ? filled.replace(`{${parameter.name}}`, encodeURIComponent(input.value)) : filled), path);
  const headers = new Headers(Object.fromEntries(given.filter(({ parameter }) => parameter.in === "header").map(({ parameter, input }) => [parameter.name, input.value])));
  if (token !== "") headers.set("Authorization", `Bearer ${token}`);
  const init: RequestInit = { method: method.toUpperCase(), headers };
  try {
    if (body instanceof HTMLTextAreaElement && type !== undefined) {
      init.body = type === "application/x-www-form-urlencoded" ? new URLSearchParams(JSON.parse(body.value)) : body.value;
      headers.set("Content-Type", type);
    } else if (body instanceof HTMLInputElement) {
      const form = new FormData();
      const [file] = body.files ?? [];
      if (file !== undefined) form.append("file", file);
      init.body = form;
    }
    const response = await fetch(`${address}${query.size > 0 ? `?${query}` : ""}`, init);
    const names = SHOWN_HEADERS.filter((name) => response.headers.has(name)).map((name) => `${name}: ${response.headers.get(name)}`);
    const parts = [result("Headers of the answer", names.join("\n")), result("Answer", await textOf(response))];
    return { outcome: `${response.status} ${response.statusText}`, parts };
  } catch (failure) {
    return { outcome: `The request failed: ${String(failure)}`, parts: [] };
  }
}

function result(label: string, text: string): HTMLElement {
  return make("pre", { tabindex: "0", role: "group", "aria-label": label }, text);
}

async function textOf(response: Response): Promise<string> {
  const type = response.headers.get("content-type") ?? "";
  if (!/json|text/.test(type)) return `${(await response.blob()).size} bytes`;
  const text = await response.text();
  const whole = type.includes("json") && text !== "" ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return whole.length > SHOWN_MAX ? `${whole.slice(0, SHOWN_MAX)}\n…` : whole;
}

/** A route, closed at first. What is inside is made when it is opened. */
function route(method: string, path: string, operation: ApiOperation, api: ApiDocument, token: HTMLInputElement): HTMLElement {
  const details = make("details", { id: operation.operationId, class: "route" },
    make("summary", {}, make("span", { class: `method ${method}` }, method.toUpperCase()), make("code", {}, path), make("span", { class: "summary" }, ...pieces(operation.summary ?? ""))));
  const open = (): void => {
    if (!details.open || details.childElementCount > 1) return;
    const body = operation.requestBody === undefined ? [] : Object.entries(operation.requestBody.content);
    details.append(make("div", { class: "inside" },
      operation.description === undefined ? undefined : prose(operation.description),
      make("p", {}, "Called ", make("code", {}, operation.operationId), " in generated clients. ", ...pieces(whoMay(operation, api))),
      table("Parameters", ["name", "in", "type", "about"], (operation.parameters ?? []).map((one) => [make("code", {}, one.name), one.required === true ? `${one.in}, required` : one.in, one.schema === undefined ? "" : kind(one.schema), prose(one.description ?? "")])),
      table("Body", ["media type", "schema"], body.map(([type, { schema }]) => [make("code", {}, type), schema === undefined ? "" : kind(schema)])),
      answers(operation, api),
      form(method, path, operation, api, token)));
  };
  details.addEventListener("toggle", open);
  return details;
}

function schemas(api: ApiDocument): HTMLElement {
  const one = ([name, schema]: [string, Schema]): HTMLElement => {
    const details = make("details", { id: `schema-${name}` }, make("summary", {}, make("code", {}, name)));
    details.addEventListener("toggle", () => {
      if (!details.open || details.childElementCount > 1) return;
      const either = optionsOf(schema)?.map((option) => make("li", {}, kind(option)));
      details.append(make("div", { class: "inside" }, prose(schema.description ?? ""), either === undefined ? undefined : make("ul", {}, ...either), fieldsOf(schema, api) ?? make("p", {}, make("code", {}, kindOf(schema)))));
    });
    return details;
  };
  return make("section", { "aria-labelledby": "schemas" }, make("h2", { id: "schemas" }, "Schemas"), ...Object.entries(api.components?.schemas ?? {}).map(one));
}

function page(api: ApiDocument): HTMLElement[] {
  const token = make("input", { type: "password", autocomplete: "off" });
  // A field for a password belongs into a form, or browsers complain; this one is never sent.
  const tokenForm = make("form", {}, field("token", "Token", "An API token, or the token of a live exam. Sent with the requests that you try, and kept on this page alone.", token));
  tokenForm.addEventListener("submit", (event) => event.preventDefault());
  const routes = Object.entries(api.paths).flatMap(([path, item]) => METHODS.flatMap((method) => (item[method] === undefined ? [] : [{ method, path, operation: item[method] }])));
  const tags = api.tags ?? [];
  const section = ({ name, description }: { name: string; description?: string }): HTMLElement =>
    make("section", { "aria-labelledby": `tag-${name}` }, make("h2", { id: `tag-${name}` }, name), prose(description ?? ""),
      ...routes.filter(({ operation }) => operation.tags?.includes(name)).map(({ method, path, operation }) => route(method, path, operation, api, token)));
  return [
    make("header", {},
      make("h1", {}, `${api.info.title} ${api.info.version}: API reference`),
      prose(api.info.description ?? ""),
      make("nav", { "aria-label": "Parts of the API" }, make("ul", {}, ...[...tags.map(({ name }) => [`#tag-${name}`, name]), ["#schemas", "schemas"], [DOCUMENT, "OpenAPI document"], ["/api/asyncapi.json", "AsyncAPI document of the sockets"]].map(([href = "", text = ""]) => make("li", {}, make("a", { href }, text))))),
      tokenForm),
    make("main", {}, ...tags.map(section), schemas(api)),
  ];
}

/** Opens what the address names, such as a schema that was linked. */
function openNamed(): void {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!(named instanceof HTMLDetailsElement)) return;
  named.open = true;
  named.querySelector("summary")?.focus();
}

const target = document.getElementById("page");
const answer = await fetch(DOCUMENT).catch(() => undefined);
if (answer?.ok === true) target?.replaceChildren(...page((await answer.json()) as ApiDocument));
else target?.replaceChildren(make("main", {}, make("h1", {}, "API reference"), make("p", { role: "alert" }, "The document cannot be loaded at the moment. Please reload the page.")));
openNamed();
addEventListener("hashchange", openNamed);
