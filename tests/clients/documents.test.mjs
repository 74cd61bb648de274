// The documents in validators, and the journey by two generated clients.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { Parser } from "@asyncapi/parser";

import { checkFrames } from "./frames.mjs";
import { Hall, PROVIDER_KEY } from "./hall.mjs";
import { pageTypes } from "./page_types.mjs";

const PAGE_TYPES = "../../web/src/api/schema.ts";
const PYTHON = resolve("generated/python/bin");
const DOCUMENTS = { api: "/api/openapi.json", contract: "/v1/openapi.json", calendar: "/wp-json/tribe/events/v1/doc", sockets: "/api/asyncapi.json" };
const OPENAPI = ["api", "contract", "calendar"];
/** Python has a module "calendar" already. */
const PACKAGES = { calendar: "calendar_client" };
const QUIET = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" };

const hall = new Hall();
const texts = {};

/** Runs a program to its end. What it printed is the message when it fails. */
async function run(program, args, environment = {}) {
  try {
    const { stdout } = await promisify(execFile)(program, args, { env: { ...QUIET, ...environment }, maxBuffer: 2 ** 24 });
    return stdout;
  } catch (failure) {
    throw new Error(`${program} ${args.join(" ")}\n${failure.stdout}\n${failure.stderr}`);
  }
}

before(async () => {
  await hall.open();
  mkdirSync("generated", { recursive: true });
  for (const left of readdirSync("generated").filter((name) => name !== "python")) rmSync(`generated/${left}`, { recursive: true });
  for (const [name, path] of Object.entries(DOCUMENTS)) {
    const answer = await fetch(hall.url + path);
    assert.equal(answer.status, 200, path);
    texts[name] = await answer.text();
    writeFileSync(`generated/${name}.json`, texts[name]);
  }
});

after(() => hall.close());

test("openapi-spec-validator accepts the OpenAPI documents", async () => {
  const said = await run(`${PYTHON}/openapi-spec-validator`, OPENAPI.map((name) => `generated/${name}.json`));
  assert.equal(said.match(/: OK/g)?.length, OPENAPI.length, said);
});

test("Redocly's linter finds nothing", async () => {
  const lint = async (name) => {
    const { totals, problems } = JSON.parse(await run("node_modules/.bin/redocly", ["lint", "--config", "redocly.yaml", "--format", "json", `generated/${name}.json`]));
    assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 }, `${name}: ${JSON.stringify(problems, null, 1)}`);
  };
  await Promise.all(OPENAPI.map(lint));
});

test("AsyncAPI's parser accepts the document of the sockets", async () => {
  const { document, diagnostics } = await new Parser().parse(texts.sockets);
  assert.ok(document, JSON.stringify(diagnostics, null, 1));
  // 0 is an error, 1 a warning.
  assert.deepEqual(diagnostics.filter(({ severity }) => severity <= 1), []);
  assert.deepEqual(document.channels().all().map((channel) => channel.address()).sort(), ["/api/live", "/api/live/proctor"]);
});

test("frames have the shapes of the document of the sockets", () => checkFrames(hall, JSON.parse(texts.sockets)));

test("the pages have the types of the documents", async () => {
  const types = await pageTypes({ api: JSON.parse(texts.api), sockets: JSON.parse(texts.sockets) });
  if (process.env.GOLDEN === "write") writeFileSync(PAGE_TYPES, types);
  // A difference of thousands of lines is of no use to anybody.
  const isSame = readFileSync(PAGE_TYPES, "utf8") === types;
  assert.ok(isSame, `${PAGE_TYPES} is not what the documents say: run this test with GOLDEN=write, then npm run check in web`);
});

test("a TypeScript client takes the whole journey", async () => {
  await Promise.all(OPENAPI.map((name) => run("node_modules/.bin/openapi-typescript", [`generated/${name}.json`, "--output", `generated/${name}.d.ts`])));
  await run("node_modules/.bin/tsc", ["--project", "tsconfig.json"]);
  const said = await run("node", ["generated/out/journey.js"], { HALL: hall.url, TOKEN: hall.token, PROVIDER_KEY });
  assert.match(said, /the whole journey/);
});

test("a Python client takes the whole journey", async () => {
  const generate = (name) => run(`${PYTHON}/openapi-python-client`, ["generate", "--path", `generated/${name}.json`, "--meta", "none", "--config", "python.yaml", "--output-path", `generated/clients/${PACKAGES[name] ?? name}`, "--fail-on-warning"], { PATH: `${PYTHON}:${process.env.PATH}` });
  mkdirSync("generated/clients", { recursive: true });
  await Promise.all(OPENAPI.map(generate));
  const said = await run(`${PYTHON}/python`, ["journey.py"], { HALL: hall.url, TOKEN: hall.token, PROVIDER_KEY, PYTHONPATH: "generated/clients" });
  assert.match(said, /the whole journey/);
});
