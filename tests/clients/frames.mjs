// Compares frames with the schemas of the AsyncAPI document, in which nothing that a frame has may be missing: the
// golden frames, and those of real sockets of a student and a proctor.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { Ajv } from "ajv";
import formats from "ajv-formats";
import ts from "typescript";
import WebSocket from "ws";

const GOLDEN = "../../web/src/exam/testing/golden_frames.ts";
const PATIENCE_MS = 15_000;

/** Checks the frames of each operation of the document. */
class Shapes {
  constructor(document) {
    const ajv = new Ajv({ allErrors: true, strict: false, discriminator: false });
    formats.default(ajv);
    for (const format of ["int32", "int64", "double", "binary"]) ajv.addFormat(format, true);
    const { schemas } = document.components;
    ajv.addSchema({ $id: "document", components: { schemas: closed(schemas, schemas) } });
    this.seen = new Set();
    this.operations = new Map(Object.entries(document.operations).map(([name, operation]) => {
      const names = operation.messages.map(({ $ref }) => $ref.split("/").at(-1));
      return [name, names.map((message) => [message, ajv.compile({ $ref: `document#/components/schemas/${message}` })])];
    }));
  }

  /** The frame must be exactly one message of the operation. */
  check(operation, frame) {
    const messages = this.operations.get(operation);
    const fitting = messages.filter(([, fits]) => fits(frame)).map(([message]) => message);
    const reasons = () => JSON.stringify(Object.fromEntries(messages.filter(([, fits]) => !fits(frame)).map(([message, fits]) => [message, fits.errors.map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`)])), null, 1);
    assert.equal(fitting.length, 1, `${operation}: ${JSON.stringify(frame)} is ${fitting.join(" and ") || `nothing: ${reasons()}`}`);
    this.seen.add(`${operation} ${fitting[0]}`);
  }

  /** Messages of the document of which no frame was checked. */
  unseen() {
    const all = [...this.operations].flatMap(([operation, messages]) => messages.map(([message]) => `${operation} ${message}`));
    return all.filter((name) => !this.seen.has(name));
  }
}

/** A copy in which objects with properties have no others, unless they say so. */
function closed(schema, schemas) {
  if (Array.isArray(schema)) return schema.map((one) => closed(one, schemas));
  if (schema === null || typeof schema !== "object") return schema;
  if (Array.isArray(schema.allOf)) return closed(together(schema.allOf, schemas), schemas);
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, key === "examples" ? value : closed(value, schemas)]));
  for (const [key, value] of Object.entries(copy)) if (key === "$ref" && typeof value === "string") copy[key] = `document${value}`;
  return typeof copy.properties === "object" && copy.type === "object" ? { additionalProperties: false, ...copy } : copy;
}

/** One object with the properties of all these. */
function together(parts, schemas) {
  const all = parts.map((part) => (part.$ref === undefined ? part : schemas[part.$ref.split("/").at(-1)]));
  return Object.assign({}, ...all, {
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: all.flatMap(({ required }) => required ?? []),
  });
}

/** A socket that checks each frame it sends and gets. */
class Socket {
  constructor(shapes, url, incoming, outgoing, headers = {}) {
    Object.assign(this, { shapes, incoming, outgoing, frames: [], waiting: [] });
    this.socket = new WebSocket(url, ["examhall.live.v1"], { headers });
    this.opened = new Promise((resolve, reject) => this.socket.once("open", resolve).once("error", reject));
    this.socket.on("message", (data) => {
      this.frames.push(JSON.parse(data));
      this.waiting.forEach((look) => look());
    });
  }

  send(frame, isValid = true) {
    if (isValid) this.shapes.check(this.outgoing, frame);
    this.socket.send(JSON.stringify(frame));
  }

  /** The next frame of this type, once it has come. Those before it are checked and dropped. */
  async next(type) {
    const timer = setTimeout(() => { throw new Error(`no ${type} came: ${JSON.stringify(this.frames)}`); }, PATIENCE_MS);
    for (;;) {
      const frame = this.frames.shift();
      if (frame === undefined) {
        await new Promise((resolve) => (this.waiting = [resolve]));
        continue;
      }
      this.shapes.check(this.incoming, frame);
      if (frame.type !== type) continue;
      clearTimeout(timer);
      return frame;
    }
  }
}

/** The two lists of golden frames, which are JSON in a file of TypeScript. */
async function goldenFrames() {
  const { outputText } = ts.transpileModule(readFileSync(GOLDEN, "utf8"), { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } });
  return import(`data:text/javascript,${encodeURIComponent(outputText)}`);
}

export async function checkFrames(hall, document) {
  const shapes = new Shapes(document);
  const { serverFrames, clientFrames } = await goldenFrames();
  // Golden frames have a short result, which is text to the code that writes them.
  const result = { score: 500, correctAnswers: 1, totalQuestions: 2, accuracy: 50, timeTaken: 9, topicBreakdown: [], difficultyBreakdown: [], answers: [] };
  for (const frame of serverFrames) shapes.check("sendStudentFrame", "result" in frame ? { ...frame, result } : frame);
  for (const frame of clientFrames) shapes.check("receiveStudentFrame", frame);
  await checkSockets(hall, shapes);
  assert.deepEqual(shapes.unseen(), ["sendProctorFrame Restarting"], "each message of the document has a frame that was checked");
}

async function checkSockets(hall, shapes) {
  const address = hall.url.replace("http", "ws");
  const student = new Socket(shapes, `${address}/api/live`, "sendStudentFrame", "receiveStudentFrame");
  const proctor = new Socket(shapes, `${address}/api/live/proctor`, "sendProctorFrame", "receiveProctorFrame", { Authorization: `Bearer ${hall.token}` });
  const viewer = new Socket(shapes, `${address}/api/live/proctor`, "sendProctorFrame", "receiveProctorFrame", { Authorization: `Bearer ${hall.token}` });
  await Promise.all([student.opened, proctor.opened, viewer.opened]);
  proctor.send({ type: "watch", grade: 4 });
  await proctor.next("roster");
  viewer.send({ type: "watch", grade: 4, differences: true });
  await viewer.next("roster");

  student.send({ type: "start", grade: 4, mode: "adaptive", annotations: { name: "Ada" } });
  const { questionIds, sessionId } = await student.next("started");
  const { sessions: [{ n }] } = await viewer.next("changes");
  viewer.send({ type: "view", rows: [n] });
  student.send({ type: "answer", seq: 1, questionId: questionIds[0], selected: "A", timeTaken: 3 });
  student.send({ type: "drawing", seq: 2, questionId: questionIds[0], drawing: { v: 1, size: [10, 10], items: [] } });
  student.send({ type: "next", seq: 3 });
  await student.next("stage");
  student.send({ type: "mark", seq: 4, questionId: "none", marked: true });
  await student.next("error");
  student.send({ type: "sync", t: 1.5 });
  await student.next("time");
  await proctor.next("changes");
  await viewer.next("progress");

  const order = async (frame) => {
    proctor.send(frame);
    return proctor.next("done");
  };
  await order({ type: "extend", id: "a", sessionId, minutes: 5 });
  await student.next("extended");
  await order({ type: "pause", id: 2, sessionId: "*", text: "Fire alarm" });
  assert.equal((await student.next("paused")).text, "Fire alarm");
  await order({ type: "unpause", id: "c", sessionId: "*" });
  await student.next("unpaused");
  assert.equal((await order({ type: "undo", id: "u", sessionId: "*" })).undone, "unpause");
  await student.next("paused");
  await order({ type: "unpause", id: "v", sessionId: "*" });
  await student.next("unpaused");
  await order({ type: "notice", id: "d", sessionId, text: "Hello" });
  await student.next("notice");
  proctor.send({ type: "history", id: "e", sessionId });
  const { events } = await proctor.next("history");
  proctor.send({ type: "code", id: "h", sessionId });
  await proctor.next("code");
  assert.equal((await order({ type: "only_this_device", id: "w", sessionId })).count, 1);
  assert.ok(events.length >= 4, JSON.stringify(events));
  proctor.send({ type: "extend", id: "f", sessionId, minutes: 500 }, false);
  await proctor.next("error");
  proctor.send({ type: "dance" }, false);
  await proctor.next("error");
  proctor.send({ type: "watch", templateId: "0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e91" });
  await proctor.next("error");
  student.send({ type: "receipt" });
  await student.next("receipt");
  await order({ type: "finish", id: "g", sessionId });
  await student.next("submitted");
  await order({ type: "reopen", id: "r", sessionId, minutes: 5, force: true });
  const { sittingId, candidateId } = await planSitting(hall);
  proctor.send({ type: "watch", sittingId });
  await proctor.next("roster");
  await order({ type: "present", id: "i", candidateId });
  await order({ type: "incident", id: "j", candidateId, kind: "noise", text: "Next door" });
  await order({ type: "begin", id: "k" });
  viewer.socket.terminate();
  proctor.socket.terminate();
  student.socket.terminate();
}

/** Plans a sitting with one candidate, which a proctor begins. */
async function planSitting(hall) {
  const post = async (path, body) => {
    const answer = await fetch(`${hall.url}/api/admin/${path}`, { method: "POST", headers: { Authorization: `Bearer ${hall.token}`, "Content-Type": "application/json" }, body: JSON.stringify(body) });
    assert.equal(answer.status, 200, path);
    return answer.json();
  };
  const targets = { 1: 1, 2: 2, 3: 2, 4: 2, 5: 3 };
  const { template } = await post("test-templates", { name: "Final paper", grades: [4], mode: "standard", durationMinutes: 45, standardTargets: targets });
  const startsAt = new Date(Date.now() + 600_000).toISOString();
  const { sitting } = await post("sittings", { name: "Finals", templateId: template.id, startsAt, start: "proctor" });
  const { candidate } = await post(`sittings/${sitting.id}/candidates`, { externalId: "c-1", name: "Bo" });
  return { sittingId: sitting.id, candidateId: candidate.id };
}
