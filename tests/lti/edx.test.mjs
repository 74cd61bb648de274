// This server as a tool of Open edX: the real binary, with a platform that an admin registers over the API, and people
// who come from a course. What is asserted of scores is what has come to the platform's own gradebook.
// Launches and scores go through two servers and a queue, and what has failed is repeated after five seconds, so that a test
// takes seconds.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Hall } from "../clients/hall.mjs";
import { Browser, formsOf } from "./browser.mjs";
import { Platform } from "./processes.mjs";

/** Scores are sent by themselves, soon after what they are about. */
const SENT_MS = 30_000;
const STAFF = { 900: "instructor" };
const TEACHER = { person: 900, role: "instructor" };
const MEDIA = { score: "application/vnd.ims.lis.v1.score+json", members: "application/vnd.ims.lti-nrps.v2.membershipcontainer+json" };

const hall = new Hall();
let platform, registered;
/** The questions of each sitting. Each has a paper of its own: one that another sitting needs is not released. */
const papers = new Map();

before(async () => {
  // The platform is on loopback, which is no public address.
  await hall.open({ WEBHOOK_ALLOW: "127.0.0.1" });
  platform = await Platform.open(hall.url);
  await platform.ask("change", { staff: STAFF });
  const { issuer, clientId, deploymentId, authorization, token, jwks } = platform.facts;
  const facts = { name: "Open edX", issuer, clientId, endpoints: { authorization, token, jwks }, deployments: [{ id: deploymentId, state: "active" }] };
  const { id } = (await api("POST", "/api/admin/lti/platforms", facts)).platform;
  registered = (await api("PATCH", `/api/admin/lti/platforms/${id}`, { state: "active", grades: [5], trustsEmails: true })).platform;
});

after(async () => {
  await platform?.close();
  await hall.close();
});

/** Asks the server as its admin, or with another token. */
async function api(method, path, body, token = hall.token) {
  const answer = await fetch(hall.url + path, { method, headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) }, body: body && JSON.stringify(body) });
  const said = await answer.text();
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${said}`);
  return said === "" ? undefined : JSON.parse(said);
}

/** Asks until what is answered holds. */
async function until(what, ask, holds) {
  let last;
  for (const end = Date.now() + SENT_MS; Date.now() < end; await new Promise((resume) => setTimeout(resume, 100))) {
    last = await ask();
    if (holds(last)) return last;
  }
  throw new Error(`not within ${SENT_MS} ms: ${what}, but ${JSON.stringify(last)}`);
}

/** A sitting whose results are held, for these people of the course. */
async function plan(name, people) {
  const now = new Date().toISOString();
  const targets = { 1: 2, 2: 2, 3: 2, 4: 2, 5: 2 };
  const { template } = await api("POST", "/api/admin/test-templates", { name, grades: [5], mode: "standard", durationMinutes: 15, standardTargets: targets });
  const planned = { name, templateId: template.id, startsAt: now, doorsAt: now, start: "own", results: "held" };
  const { id } = (await api("POST", "/api/admin/sittings", planned)).sitting;
  papers.set(id, template.standardQuestions);
  if (people.length > 0) await api("PUT", `/api/admin/sittings/${id}/candidates`, people.map((number) => ({ email: `user${number}@school.example`, name: `Student ${number}` })));
  return id;
}

/** Follows the link of a place in the course. */
async function launch(who, browser = new Browser()) {
  const { url } = await platform.ask("launch", who);
  return browser.open(url, `${platform.url}/course`);
}

/** Places a sitting in the course, as a teacher does who chooses it in a frame of the platform. */
async function place(placement, sittingId) {
  await platform.ask("add", { placement });
  return choose(placement, sittingId);
}

/** Chooses what stands at a place. */
async function choose(placement, sittingId) {
  const browser = new Browser("iframe");
  const { url } = await platform.ask("launch", { ...TEACHER, placement, isDeep: true, target: "iframe" });
  const chooser = await browser.open(url, `${platform.url}/course`, (page) => page.url.startsWith(hall.url) && page.text.includes(sittingId));
  assert.equal(chooser.status, 200, chooser.text);
  const form = formsOf(chooser.text).find(({ choices }) => choices.some(({ value }) => value.includes(sittingId)));
  assert.ok(form, `nothing to choose for ${sittingId}: ${chooser.text}`);
  const choice = form.choices.find(({ value }) => value.includes(sittingId));
  const saved = await browser.send(chooser, form, { [choice.name]: choice.value });
  assert.match(saved.text, /was successfully saved in the LMS/);
}

/** The attempt to which a launch leads: its secret stands behind `#`, where no server and no log sees it. */
function attemptOf(page) {
  const [, sessionId, token] = /#([\w-]+)\.([\w-]+)$/.exec(page.url) ?? assert.fail(`no attempt at ${page.url}: ${page.text}`);
  assert.ok(page.url.startsWith(`${hall.url}/`), page.url);
  return { sessionId, token };
}

/** Answers a number of questions rightly, and hands in. */
async function handIn({ sessionId, token }, right) {
  const { questionIds } = await api("GET", `/api/live/${sessionId}`, undefined, token);
  const keys = new Map([...papers.values()].flat().map(({ id, answer }) => [id, answer]));
  const answers = questionIds.slice(0, right).map((id, index) => ({ type: "answer", seq: index + 1, questionId: id, selected: keys.get(id) }));
  const ended = await api("POST", `/api/live/${sessionId}/commands`, { commands: [...answers, { type: "submit", seq: right + 1 }] }, token);
  assert.equal(ended.state, "submitted");
}

/** The last score that the platform has of somebody in a place. */
async function posted(placement, person) {
  const { posted } = await platform.ask("scores");
  return posted.find(({ userId, resourceLinkId }) => userId === `ext-${person}` && resourceLinkId.endsWith(`@${placement}`));
}

const graded = (placement, person, holds = () => true) => until(`a score of ${person}`, () => posted(placement, person), (score) => score?.gradingProgress === "FullyGraded" && holds(score));
const entered = async (person) => (await platform.ask("scores")).gradebook.filter(({ user }) => user === `ext-${person}`);

/** Every post of a score of somebody, as it came. */
async function posts(person) {
  return (await platform.requests(/\/scores$/)).filter(({ body }) => JSON.parse(body).userId === `ext-${person}`);
}

test("the connection works, and what is in the way is said in words", async () => {
  const path = `/api/admin/lti/platforms/${registered.id}`;
  const report = await api("POST", `${path}/test`);
  assert.equal(report.ok, true, JSON.stringify(report));
  const { jwks } = registered.endpoints;
  await api("PATCH", path, { endpoints: { ...registered.endpoints, jwks: `${platform.url}/nothing` } });
  const broken = await api("POST", `${path}/test`);
  assert.equal(broken.ok, false);
  assert.ok(broken.checks.some(({ ok, message }) => !ok && message !== ""), JSON.stringify(broken));
  await api("PATCH", path, { endpoints: { ...registered.endpoints, jwks } });
});

test("a teacher places a sitting, a student sits it from the course, and the score comes to the gradebook at the release", async () => {
  const sitting = await plan("Maths final", [1]);
  await place("final", sitting);
  const { items } = await platform.ask("contents", { placement: "final" });
  assert.equal(items.length, 1);
  assert.deepEqual([items[0].type, items[0].title, items[0].url, items[0].custom.sitting], ["ltiResourceLink", "Maths final", `${hall.url}/lti/launch`, sitting]);

  await handIn(attemptOf(await launch({ person: 1, placement: "final" })), 4);
  const pending = await until("the end", () => posted("final", 1), (score) => score !== undefined);
  assert.deepEqual([pending.activityProgress, pending.gradingProgress, pending.scoreGiven, pending.scoreMaximum], ["Completed", "Pending", null, null]);
  assert.deepEqual(await entered(1), []);

  await api("POST", `/api/admin/sittings/${sitting}/release`);
  const score = await graded("final", 1);
  const [row] = (await api("GET", `/api/admin/sittings/${sitting}/results`)).rows;
  assert.deepEqual([score.activityProgress, score.scoreMaximum, score.scoreGiven], ["Completed", 600, row.score - 200]);
  assert.ok(score.scoreGiven > 0 && score.scoreGiven < 600, JSON.stringify(score));
  assert.ok(score.timestamp > pending.timestamp);
  const [grade] = await entered(1);
  assert.equal(grade.score, score.scoreGiven / 600);
  for (const { headers, body } of await posts(1)) {
    assert.equal(headers["Content-Type"], MEDIA.score);
    assert.equal(headers.Accept ?? "*/*", "*/*");
    assert.ok([undefined, 600].includes(JSON.parse(body).scoreMaximum), body);
  }

  // A corrected key makes a new version, and that a later score.
  const corrected = { questionId: papers.get(sitting)[9].id, kind: "all", scope: { sittingId: sitting } };
  await api("POST", "/api/manager/corrections", corrected);
  const later = await graded("final", 1, ({ timestamp }) => timestamp > score.timestamp);
  assert.ok(later.scoreGiven > score.scoreGiven, JSON.stringify(later));
  assert.equal((await entered(1)).length, 2);
});

test("what a link says of itself gives nobody a sitting", async () => {
  const [given, other] = [await plan("Given", [2]), await plan("Not given", [2])];
  await place("custom", given);
  await platform.ask("change", { placement: "custom", losesContent: true });
  const refused = await launch({ person: 2, placement: "custom", custom: { sitting: other } });
  assert.ok(refused.status >= 400 && refused.status < 500, `${refused.status} ${refused.url}`);
  assert.doesNotMatch(refused.url, /#/);
  attemptOf(await launch({ person: 2, placement: "custom", custom: { sitting: given } }));
});

test("in a frame a student gets a way to a window of their own, and a deployment that nobody knows waits", async () => {
  const sitting = await plan("Framed", [3]);
  await place("framed", sitting);
  const framed = await launch({ person: 3, placement: "framed", target: "iframe" }, new Browser("iframe"));
  assert.equal(framed.status, 200);
  assert.ok(framed.url.startsWith(`${hall.url}/lti/`), framed.url);
  assert.match(framed.text, /<form\b[^>]*target="_blank"/);
  assert.match(framed.headers["content-security-policy"], new RegExp(`frame-ancestors[^;]*${platform.url.replaceAll(".", "\\.")}`));

  // What is in the frame goes on in a window that has no cookie.
  attemptOf(await new Browser().send(framed, formsOf(framed.text)[0]));

  const path = `/api/admin/lti/platforms/${registered.id}`;
  await api("PATCH", path, { deployments: [] });
  const waits = await launch({ person: 3, placement: "framed" });
  assert.ok(waits.status >= 400 && waits.status < 500, `${waits.status} ${waits.url}`);
  const { deployments } = (await api("GET", path)).platform;
  assert.deepEqual(deployments, [{ id: platform.facts.deploymentId, state: "pending" }]);
  await api("PATCH", path, { deployments: [{ id: platform.facts.deploymentId, state: "active" }] });
  // What it was given went with it.
  assert.ok((await launch({ person: 3, placement: "framed" })).status >= 400);
  await choose("framed", sitting);
  attemptOf(await launch({ person: 3, placement: "framed" }));
  await api("PATCH", path, { state: "blocked" });
  assert.ok((await launch({ person: 3, placement: "framed" })).status >= 400);
  await api("PATCH", path, { state: "active" });
});

test("a browser without cookies, and one that others have sent, get no attempt", async () => {
  const sitting = await plan("Cookies", [1]);
  await place("cookies", sitting);
  /** A browser on the page of the platform that would send the token. */
  const begun = async (browser) => browser.open((await platform.ask("launch", { person: 1, placement: "cookies" })).url, `${platform.url}/course`, () => true);
  const [own, victim] = [new Browser(), new Browser()];
  const before = await begun(own);
  await begun(victim);
  const [form] = formsOf(before.text);
  for (const stranger of [new Browser(), new Browser("iframe"), victim]) {
    const page = await stranger.send(before, form, {}, () => true);
    assert.doesNotMatch(page.url, /#/);
    assert.deepEqual(formsOf(page.text), []);
  }
  // What strangers have tried takes nothing from whoever began, for whom it counts once.
  attemptOf(await own.send(before, form));
  const again = await own.send(before, form);
  assert.ok(again.status >= 400 && again.status < 500, `${again.status} ${again.url}`);
});

test("a roster from the course, page by page", async () => {
  await platform.ask("change", { members: 120, staff: STAFF });
  const sitting = await plan("Roster", []);
  await place("roster", sitting);
  await launch({ ...TEACHER, placement: "roster" });
  const { links } = await api("GET", `/api/admin/lti/links?sittingId=${sitting}`);
  assert.equal(links.length, 1, JSON.stringify(links));
  const roster = (query) => api("POST", `/api/admin/sittings/${sitting}/roster/lti${query}`, { linkId: links[0].id });
  const dry = await roster("?dryRun=true");
  assert.equal(dry.added.length, 120);
  const candidates = async () => (await api("GET", `/api/admin/sittings/${sitting}/candidates`)).candidates;
  assert.equal((await candidates()).length, 0);
  await roster("");
  assert.equal((await candidates()).length, 120);
  for (const { headers } of await platform.requests(/\/memberships/)) assert.equal(headers.Accept, MEDIA.members);

  // Without consent the course gives neither names nor addresses, and its people are known by their ids all the same.
  await platform.ask("change", { members: 121, staff: STAFF, sharesPeople: false });
  const nameless = await roster("?dryRun=true");
  assert.deepEqual([nameless.added.length, nameless.left.length], [1, 0]);
  await roster("");
  attemptOf(await launch({ person: 121, placement: "roster", sharesPerson: false }));
  await platform.ask("change", { members: 5, staff: STAFF, sharesPeople: true });
});

test("a platform that answers with a fault gets the same message again, and a column that is gone is said", async () => {
  await platform.ask("change", { members: 6, staff: STAFF });
  const sitting = await plan("Faults", [4, 6]);
  await place("faults", sitting);
  for (const person of [4, 6]) await handIn(attemptOf(await launch({ person, placement: "faults" })), 3);
  for (const person of [4, 6]) await until("the end", () => posted("faults", person), (score) => score !== undefined);

  // The platform forgets the sixth: it keeps the score and answers with 500. The same bytes come again.
  await platform.ask("change", { members: 5, staff: STAFF });
  await api("POST", `/api/admin/sittings/${sitting}/release`);
  await graded("faults", 4);
  const scores = async () => (await api("GET", `/api/admin/lti/scores?sittingId=${sitting}`)).scores;
  const tries = await until("a second try", async () => (await posts(6)).filter(({ body }) => JSON.parse(body).gradingProgress === "FullyGraded"), (tries) => tries.length > 1);
  assert.equal(tries[0].status, 500);
  assert.equal(new Set(tries.map(({ body }) => body)).size, 1);
  // To the second one it says that it has it, which is an arrival. Its gradebook has nothing: only a later score comes there.
  await until("an arrival", scores, (all) => all.filter(({ status }) => status === "delivered").length === all.length);
  assert.deepEqual(await entered(6), []);
  await platform.ask("change", { members: 6, staff: STAFF });
  const resent = async (name) => {
    const one = (await scores()).find((score) => score.name === name && typeof score.scoreGiven === "number");
    await api("POST", `/api/admin/lti/scores/${one.id}/resend`);
  };
  await resent("Student 6");
  await until("a grade", () => entered(6), (grades) => grades.length === 1);

  // In this mode it makes no column by itself, and the link was given no right to make one.
  await platform.ask("change", { placement: "faults", grades: "programmatic", losesLineItem: true });
  await resent("Student 4");
  const failed = await until("a failure", scores, (all) => all.some(({ status }) => status === "failed"));
  assert.match(failed.find(({ status }) => status === "failed").lastError, /no column/);
  await platform.ask("change", { grades: "declarative" });
});
