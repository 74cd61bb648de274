// The tool of others on the platform of others, without this server: what they agree on is what the other tests rely on.
// A launch takes half a second, since the platform reads its keys from their text for each message.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Platform, Tool } from "./processes.mjs";

const CLAIM = "https://purl.imsglobal.org/spec/lti/claim/";
const GRADES = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint";
const MEMBERS = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice";
const SCORE_TYPE = "application/vnd.ims.lis.v1.score+json";

let tool, platform;

before(async () => {
  tool = await Tool.open();
  platform = await Platform.open(tool.url);
  await tool.ask("register", platform.facts);
});

after(async () => {
  await platform?.close();
  await tool?.close();
});

/** Launches somebody, and asks these services. */
async function launch(who, asked = {}) {
  return tool.ask("launch", { start: (await platform.ask("launch", who)).url, ...asked });
}

test("a learner's launch has what the contract says", async () => {
  const { claims } = await launch({ person: 1 });
  assert.equal(claims.sub, "ext-1");
  assert.equal(claims[`${CLAIM}version`], "1.3.0");
  assert.equal(claims[`${CLAIM}message_type`], "LtiResourceLinkRequest");
  assert.equal(claims[`${CLAIM}deployment_id`], platform.facts.deploymentId);
  assert.ok(claims[`${CLAIM}roles`].includes("http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"));
  assert.equal(claims[GRADES].lineitem, `${claims[GRADES].lineitems}/1`);
  assert.equal(claims.exp - claims.iat, 3_600);
  // Without the consent of the course a person has no name and no address.
  const { claims: silent } = await launch({ person: 2, sharesPerson: false });
  assert.deepEqual([silent.sub, silent.name, silent.email], ["ext-2", undefined, undefined]);
});

test("its key set has neither a use nor an algorithm", async () => {
  const { keys } = await (await fetch(platform.facts.jwks)).json();
  assert.deepEqual(keys.map(({ kty, use, alg, key_ops }) => ({ kty, use, alg, key_ops })), [{ kty: "RSA", use: undefined, alg: undefined, key_ops: ["verify"] }]);
});

test("members come in one piece, or in pages where a limit is given", async () => {
  const { services } = await launch({ person: 1 }, { members: true, pages: 2 });
  assert.deepEqual(services.members.given.map(({ user_id, status, email }) => [user_id, status, email]), [1, 2, 3, 4, 5].map((number) => [`ext-${number}`, "Active", `user${number}@school.example`]));
  assert.deepEqual(services.pages.given, [2, 2, 1]);
});

test("a score comes to the gradebook as a part of one", async () => {
  const { services } = await launch({ person: 1 }, { score: { user: "ext-1", score: 420, maximum: 600 }, results: true });
  assert.equal(services.score.given.scoreGiven, 420);
  assert.deepEqual(services.results.given.map(({ userId, resultScore, resultMaximum }) => [userId, resultScore, resultMaximum]), [["ext-1", 420, 600]]);
  const { gradebook } = await platform.ask("scores");
  assert.deepEqual(gradebook.at(-1), { user: "ext-1", score: 0.7, maximum: 100, comment: null });
  // What is still to come does not.
  await launch({ person: 1 }, { score: { user: "ext-1", score: 0, maximum: 600, grading: "Pending" } });
  const after = await platform.ask("scores");
  assert.equal(after.gradebook.length, gradebook.length);
  assert.equal(after.posted[0].gradingProgress, "Pending");
});

test("what is chosen by deep linking is launched from then on", async () => {
  const chosen = await launch({ person: 9, role: "instructor", isDeep: true }, { choose: { title: "Maths final", custom: { sitting: "42" } } });
  assert.equal(chosen.saved.status, 200);
  assert.equal(`${CLAIM}resource_link` in chosen.claims, false);
  const { items } = await platform.ask("contents");
  assert.deepEqual(items, [{ type: "ltiResourceLink", title: "Maths final", url: `${tool.url}/lti/launch`, custom: { sitting: "42" } }]);
  assert.deepEqual((await launch({ person: 1 })).claims[`${CLAIM}custom`], { sitting: "42" });
  assert.equal((await launch({ person: 1, isDeep: true })).status, 403);
  await platform.ask("change", { losesContent: true });
  assert.equal((await launch({ person: 1 })).claims[`${CLAIM}custom`], undefined);
});

test("its codes", async () => {
  const score = (fields) => launch({ person: 1 }, { score: { user: "ext-1", score: 1, maximum: 2, ...fields } });
  const { claims, services } = await score({ maximum: 0 });
  assert.equal(services.score.status, 400);
  assert.equal((await score({ timestamp: "yesterday" })).services.score.status, 400);
  // It has stored the score before it looks for the person.
  assert.equal((await score({ user: "ext-99" })).services.score.status, 500);
  assert.ok((await platform.ask("scores")).posted.some(({ userId }) => userId === "ext-99"));

  const [posted] = (await platform.requests(/\/scores$/)).slice(-1);
  assert.equal(posted.headers["Content-Type"], SCORE_TYPE);
  const scores = `${claims[GRADES].lineitem}/scores`;
  const members = claims[MEMBERS].context_memberships_url;
  const status = async (url, options) => (await fetch(url, options)).status;
  assert.equal(await status(members), 403);
  assert.equal(await status(scores, { method: "POST", headers: { "content-type": SCORE_TYPE } }), 403);
  assert.equal(await status(members, { headers: { authorization: "Bearer none" } }), 403);

  const asked = (fields) => fetch(platform.facts.token, { method: "POST", body: new URLSearchParams(fields) }).then(async (answer) => [answer.status, (await answer.json()).error]);
  assert.deepEqual(await asked({ grant_type: "client_credentials" }), [400, "invalid_request"]);
  const rest = { client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer", client_assertion: "none", scope: "none" };
  assert.deepEqual(await asked({ grant_type: "password", ...rest }), [400, "unsupported_grant_type"]);
  assert.deepEqual(await asked({ grant_type: "client_credentials", ...rest }), [400, "invalid_grant"]);
});

test("its codes for somebody who has a token", async () => {
  await platform.ask("add", { placement: "codes" });
  const { claims } = await launch({ person: 1, placement: "codes" });
  const { lineitem, lineitems, scope } = claims[GRADES];
  const all = await tool.ask("token");
  const offered = await tool.ask("token", { scopes: scope });
  const send = ({ token }, url, accept, more = {}) => fetch(url, { headers: { authorization: `Bearer ${token}`, accept, ...more.headers }, method: more.method, body: more.body }).then(({ status }) => status);
  const members = claims[MEMBERS].context_memberships_url;
  assert.equal(await send(all, members, "text/html"), 406);
  assert.equal(await send(offered, members, "*/*"), 403);
  assert.equal(await send(offered, lineitems, "application/vnd.ims.lis.v2.lineitemcontainer+json"), 200);

  // It takes a score under any type, so that another platform has to show that ours has the right one.
  const score = JSON.stringify({ userId: "ext-1", scoreGiven: 1, scoreMaximum: 2, timestamp: new Date().toISOString(), activityProgress: "Completed", gradingProgress: "Pending" });
  const scored = (body) => send(offered, `${lineitem}/scores`, "*/*", { method: "POST", headers: { "content-type": "application/json" }, body });
  assert.deepEqual([await scored(score), await scored("{}"), await scored("{")], [201, 400, 400]);

  // A token may have more scopes than the launch has offered, and then does more.
  const item = { method: "POST", headers: { "content-type": "application/vnd.ims.lis.v2.lineitem+json" }, body: JSON.stringify({ scoreMaximum: 600, label: "Maths", resourceId: "sitting-42" }) };
  const created = (token) => send(token, lineitems, "application/vnd.ims.lis.v2.lineitem+json", item);
  assert.deepEqual([await created(offered), await created(all)], [403, 201]);
  await platform.ask("change", { placement: "codes", losesLineItem: true });
  assert.equal(await send(offered, `${lineitem}/scores`, "*/*", { method: "POST", headers: { "content-type": SCORE_TYPE }, body: score }), 404);
});

test("line items that a tool may make", async () => {
  await platform.ask("change", { grades: "programmatic" });
  await platform.ask("add", { placement: "made", grades: "programmatic" });
  const { claims, services } = await launch({ person: 1, placement: "made" }, { created: { scoreMaximum: 600, label: "Maths", resourceId: "sitting-42" }, lineItems: true });
  // There is none until a tool makes it.
  assert.equal(claims[GRADES].lineitem, undefined);
  assert.equal(services.created.given.scoreMaximum, 600);
  assert.deepEqual(services.lineItems.given.map(({ resourceId }) => resourceId), []);
  const after = await launch({ person: 1, placement: "made" }, { lineItems: true });
  assert.deepEqual(after.services.lineItems.given.map(({ resourceId }) => resourceId), ["sitting-42"]);
  await platform.ask("change", { grades: "declarative" });
});

test("an item and scores in the shapes of this server", async () => {
  const item = {
    type: "ltiResourceLink", title: "Maths final", url: `${tool.url}/lti/launch`,
    custom: { sitting: "00000000-0000-0000-0000-000000000000", due: "$ResourceLink.submission.endDateTime", history: "$ResourceLink.id.history" },
    window: { targetName: "_blank" },
    lineItem: {
      scoreMaximum: 600, label: "Maths final", resourceId: "sitting-00000000-0000-0000-0000-000000000000", tag: "exam",
      submissionReview: { reviewableStatus: ["Submitted", "Completed"], label: "Report" },
    },
    available: { startDateTime: "2026-12-01T08:30:00.000Z" },
    submission: { startDateTime: "2026-12-01T08:30:00.000Z", endDateTime: "2026-12-01T10:30:00.000Z" },
  };
  await platform.ask("add", { placement: "shapes" });
  const chosen = await launch({ person: 9, role: "instructor", isDeep: true, placement: "shapes" }, { choose: item });
  assert.equal(chosen.saved.status, 200);
  const [kept] = (await platform.ask("contents", { placement: "shapes" })).items;
  // It keeps nothing of the window and of the review, and substitutes no variable.
  const { submissionReview, ...lineItem } = item.lineItem;
  assert.equal(submissionReview.reviewableStatus.length, 2);
  assert.deepEqual([kept.custom, kept.lineItem, kept.window], [item.custom, lineItem, undefined]);
  assert.deepEqual((await launch({ person: 1, placement: "shapes" })).claims[`${CLAIM}custom`], item.custom);

  const pending = {
    userId: "ext-1", timestamp: "2026-11-22T10:00:01.000Z", activityProgress: "Completed", gradingProgress: "Pending",
    submission: { startedAt: "2026-11-22T09:00:00.000Z", submittedAt: "2026-11-22T10:00:00.000Z" },
    "https://canvas.instructure.com/lti/submission": { new_submission: true },
  };
  const graded = { ...pending, scoreGiven: 420, scoreMaximum: 600, timestamp: "2026-11-22T10:00:02.000Z", gradingProgress: "FullyGraded" };
  const post = async (score) => (await launch({ person: 1, placement: "shapes" }, { score: { text: JSON.stringify(score) } })).services.score;
  for (const score of [pending, graded]) assert.ok("given" in (await post(score)));
  // Two refusals speak of the time: one of a score that is there, and one of a score after which a later one came.
  const refused = async (score) => ((answer) => [answer.status, JSON.parse(answer.said).timestamp])(await post(score));
  assert.deepEqual(await refused(graded), [400, ["Score already exists for the provided timestamp"]]);
  assert.deepEqual(await refused(pending), [400, ["Score timestamp can only be updated to a later point in time"]]);
  const posted = (await platform.ask("scores")).posted.filter(({ resourceLinkId }) => resourceLinkId.endsWith("@shapes"));
  assert.deepEqual(posted.map(({ scoreGiven, scoreMaximum, gradingProgress, timestamp }) => [scoreGiven, scoreMaximum, gradingProgress, timestamp]), [[420, 600, "FullyGraded", "2026-11-22T10:00:02.000+00:00"]]);
});

test("a score that it has stored with a fault is not in the gradebook, and the same one comes never again", async () => {
  await platform.ask("add", { placement: "faulty" });
  const post = async (second) => {
    const score = { userId: "ext-7", scoreGiven: 1, scoreMaximum: 2, timestamp: `2026-11-22T10:00:0${second}.000Z`, activityProgress: "Completed", gradingProgress: "FullyGraded" };
    return (await launch({ person: 1, placement: "faulty" }, { score: { text: JSON.stringify(score) } })).services.score.status;
  };
  const entered = async () => (await platform.ask("scores")).gradebook.filter(({ user }) => user === "ext-7").length;
  assert.equal(await post(1), 500);
  await platform.ask("change", { members: 7 });
  assert.deepEqual([await post(1), await entered()], [400, 0]);
  // A later one does.
  assert.deepEqual([await post(2), await entered()], [undefined, 1]);
  await platform.ask("change", { members: 5 });
});

test("keys that it has turned", async () => {
  const former = await (await fetch(platform.facts.jwks)).json();
  await platform.ask("change", { turnsKeys: true });
  assert.equal((await launch({ person: 1 })).claims.sub, "ext-1");
  const { keys } = await (await fetch(platform.facts.jwks)).json();
  assert.notEqual(keys[0].kid, former.keys[0].kid);
  // Tokens from before are worth nothing: the platform signs them with the same key.
  const { services } = await launch({ person: 1 }, { members: true });
  assert.equal(services.members.status, 403);
  await tool.ask("forget");
  assert.equal((await launch({ person: 1 }, { members: true })).services.members.given.length, 5);
});
