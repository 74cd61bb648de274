// Exported questions in a converter of others: what it makes of our QTI 3.0 in version 2.1 is imported again, and changes
// nothing.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { Hall } from "./hall.mjs";

const CONVERTER = resolve("generated/python/bin/qti-convert");

const run = promisify(execFile);
const hall = new Hall();

before(() => hall.open());
after(() => hall.close());

async function ask(path, options = {}) {
  const answer = await fetch(hall.url + path, { ...options, headers: { authorization: `Bearer ${hall.token}` } });
  assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`);
  return answer;
}

async function imported(file) {
  const body = new FormData();
  body.set("file", new Blob([readFileSync(file)]), "questions.zip");
  return (await ask("/api/admin/import?dryRun=true", { method: "POST", body })).json();
}

test("a bank that went through version 2.1 is the same", async () => {
  const [exported, converted] = ["qti3.zip", "qti21.zip"].map((name) => `${hall.folder}/${name}`);
  writeFileSync(exported, Buffer.from(await (await ask("/api/admin/export?grade=5&format=qti3")).arrayBuffer()));
  await run(CONVERTER, ["downgrade", exported, converted]);
  for (const file of [exported, converted]) {
    const { added, updated, errors, changes = [] } = await imported(file);
    assert.deepEqual({ added, errors, changes }, { added: 0, errors: [], changes: [] }, file);
    assert.equal(updated, 140, file);
  }
});
