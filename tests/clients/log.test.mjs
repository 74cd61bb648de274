// The log of a sitting in a verifier of others: its checkpoint and proofs, as the server gives them out.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { Hall } from "./hall.mjs";

const PYTHON = resolve("generated/python/bin/python3");
const STUDENTS = ["ada", "bo", "cy", "di", "eve"];
/** The log begins and grows by itself, a few seconds after what it is about. */
const LOGGED_MS = 30_000;
const LETTERS = ["A", "B", "C", "D"];

const run = promisify(execFile);
const hall = new Hall();
let admin, sitting, paper, students, folder;

/** Asks the server; `accepted` are statuses that are answered beside 200. */
async function ask(method, path, token, body, accepted = []) {
  const answer = await fetch(hall.url + path, { method, headers: { authorization: `Bearer ${token}` }, body: body && JSON.stringify(body) });
  const text = await answer.text();
  if (answer.status !== 200) assert.ok(accepted.includes(answer.status), `${method} ${path}: ${answer.status} ${text}`);
  return { status: answer.status, text, json: () => JSON.parse(text) };
}

/** Asks until something is answered for which `holds`. */
async function until(what, path, token, holds = () => true) {
  for (const end = Date.now() + LOGGED_MS; Date.now() < end; await new Promise((resume) => setTimeout(resume, 100))) {
    const answer = await ask("GET", path, token, undefined, [404]);
    if (answer.status === 200 && holds(answer.text)) return answer.text;
  }
  throw new Error(`not within ${LOGGED_MS} ms: ${what}`);
}

const checkpointOf = (size) => until(`a log of ${size}`, `/api/sittings/${sitting}/checkpoint`, admin, (note) => note.split("\n")[1] === String(size));

/** Enters the sitting, answers a question and hands in. */
async function sit(name, number) {
  const token = hall.tokenOf(`${name}@school.example`, "student");
  const entered = (await ask("POST", "/api/live", token, { type: "enter", sittingId: sitting, key: randomUUID() })).json();
  const commands = [{ type: "answer", seq: 1, questionId: paper[0].id, selected: LETTERS[number % 4] }, { type: "submit", seq: 2 }];
  const ended = (await ask("POST", `/api/live/${entered.sessionId}/commands`, entered.token, { commands })).json();
  assert.equal(ended.state, "submitted");
  return { sessionId: entered.sessionId, token: entered.token };
}

before(async () => {
  await hall.open();
  admin = hall.token;
  const targets = { 1: 2, 2: 2, 3: 2, 4: 2, 5: 2 };
  const made = await ask("POST", "/api/admin/test-templates", admin, { name: "Maths", grades: [5], mode: "standard", durationMinutes: 15, standardTargets: targets });
  paper = made.json().template.standardQuestions;
  const now = new Date().toISOString();
  const planned = { name: "Finals", templateId: made.json().template.id, startsAt: now, doorsAt: now, start: "own", results: "held" };
  sitting = (await ask("POST", "/api/admin/sittings", admin, planned)).json().sitting.id;
  await ask("PUT", `/api/admin/sittings/${sitting}/candidates`, admin, STUDENTS.map((name) => ({ email: `${name}@school.example`, name })));
  students = await Promise.all(STUDENTS.map(sit));
  await ask("POST", `/api/admin/sittings/${sitting}/release`, admin);
  // With that of the server, since the other tests empty `generated` when they begin.
  folder = `${hall.folder}/log`;
  mkdirSync(folder);
});

after(() => hall.close());

test("proofbundle", async () => {
  const earlier = await checkpointOf(STUDENTS.length);
  const right = LETTERS.find((letter) => letter !== paper[0].answer);
  await ask("POST", "/api/manager/corrections", admin, { questionId: paper[0].id, kind: "also", options: [right], scope: { sittingId: sitting } });
  // Every result says which options are right, so each has a second version.
  const count = 2 * STUDENTS.length;
  const later = await checkpointOf(count);
  const { log } = (await ask("GET", `/api/admin/sittings/${sitting}/results`, admin)).json();
  writeFileSync(`${folder}/log.vkey`, log.vkey);
  writeFileSync(`${folder}/before.note`, earlier);
  writeFileSync(`${folder}/after.note`, later);
  let number = 0;
  for (const { sessionId, token } of students) {
    const { versions } = (await ask("GET", `/api/sessions/${sessionId}/versions`, admin)).json();
    for (const { version } of versions) {
      const path = `/api/sessions/${sessionId}/receipt`;
      writeFileSync(`${folder}/logged-${number}.jwt`, (await ask("GET", `${path}?version=${version}`, token)).text);
      writeFileSync(`${folder}/logged-${number}.tlog-proof`, await until("a proof", `${path}.tlog-proof?version=${version}`, token));
      number += 1;
    }
  }
  assert.equal(number, count);
  const { stdout } = await run(PYTHON, ["log.py", folder, String(count)]);
  assert.deepEqual(stdout.trim().split("\n"), [
    `${count} receipts proven, 0 of others`,
    "2 checkpoints signed, 0 altered",
    `${STUDENTS.length} of ${count} leaves signed before: the log has only grown`,
  ]);
});
