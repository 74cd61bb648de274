// Learning platforms as staff see them: connected by hand and approved, tested, given options, blocked and deleted; and on the
// page of a sitting the courses that lead to it, their scores, and the roster from one of them. Launches, scores and rosters
// of real platforms are in tests/lti; here the answers about links are those that the test gives.

import { generateKeyPairSync } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { check } from "../accessible";
import { expect, test } from "../hall";
import { School } from "../sitting";
import { call, signInAsAdmin } from "../student";

const SIZES = [
  { width: 390, height: 844 },
  { width: 820, height: 1_180 },
  { width: 1_366, height: 768 },
];
const messages = (page: Page) => page.getByRole("region", { name: "Messages", exact: true });
const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const stored = async (page: Page) => (await call(page, "GET", "/api/admin/lti/platforms")).platforms as any[];
const idOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1) ?? "";

async function everywhere(page: Page, state: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await check(page, `${state} at ${size.width}`);
  }
}

/** A platform that has keys and gives tokens to whoever asks, as long as it is told to. */
async function platform(): Promise<{ server: Server; url: string; isOpen: { value: boolean } }> {
  const isOpen = { value: true };
  const key = { ...generateKeyPairSync("rsa", { modulusLength: 2_048 }).publicKey.export({ format: "jwk" }), kid: "one", alg: "RS256", use: "sig" };
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) => response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    if (request.url === "/keys") return void answer(200, { keys: [key] });
    if (request.url !== "/token") return void answer(404, {});
    request.resume().on("end", () =>
      isOpen.value ? answer(200, { access_token: "abc", token_type: "Bearer", expires_in: 3_600, scope: "" }) : answer(400, { error: "invalid_client" }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, isOpen };
}

const entry = (url: string, changes: object = {}) => ({
  name: "Moodle of the school",
  issuer: url,
  clientId: "client",
  endpoints: { authorization: `${url}/auth`, token: `${url}/token`, jwks: `${url}/keys` },
  deployments: [],
  ...changes,
});

test.describe("with a platform in the own network", () => {
  test.use({ options: { WEBHOOK_ALLOW: "127.0.0.1" } });

  test("a platform is connected by hand, with what is wrong in its entry named field by field", async ({ page }) => {
    const { server, url } = await platform();
    await signInAsAdmin(page);
    await page.goto("/staff/school");
    await page.getByRole("navigation", { name: "Parts of this page" }).getByRole("link", { name: "Learning platforms" }).click();
    await expect(page.getByText("No platform is connected yet.")).toBeVisible();
    await everywhere(page, "no platforms");
    await page.getByRole("link", { name: "Connect a platform" }).click();
    await expect(page.getByRole("radio", { name: "Moodle" })).toBeChecked();
    await expect(page.getByText(new URL("/lti/register", page.url()).href)).toBeVisible();
    await expect(page.getByText("Nothing has arrived yet.", { exact: false })).toBeVisible();
    await everywhere(page, "the three steps");

    // Open edX has no registration at one address: the single ones are shown, and the form is open.
    await page.getByRole("radio", { name: "Open edX" }).check();
    await expect(page).toHaveURL(/kind=openedx/);
    await expect(page.getByText(new URL("/lti/register", page.url()).href)).toBeHidden();
    for (const path of ["/lti/login", "/lti/launch", "/lti/jwks"]) await expect(page.getByText(new URL(path, page.url()).href)).toBeVisible();
    await page.getByRole("button", { name: "Add the platform" }).click();
    await expect(page.getByText("This is needed.")).toHaveCount(6);
    await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
    await page.getByLabel("Name", { exact: true }).fill("Moodle of the school");
    await page.getByLabel(/^Issuer/).fill("lms.school.example");
    await expect(page.getByText(/^Write the whole address/)).toBeVisible();
    await everywhere(page, "an entry with what is wrong");
    await page.getByLabel(/^Issuer/).fill(url);
    await page.getByLabel("Client id").fill("client");
    await page.getByLabel(/^Address of its login/).fill(`${url}/auth`);
    await page.getByLabel(/^Address of its tokens/).fill(`${url}/token`);
    await page.getByLabel(/^Address of its keys/).fill(`${url}/keys`);
    await page.getByLabel("Deployment id").fill("7");
    await page.getByRole("button", { name: "Add the platform" }).click();
    await expect(page.getByRole("heading", { level: 2, name: /^Moodle of the school/ })).toBeVisible();
    const [one] = await stored(page);
    expect(one).toMatchObject({ issuer: url, clientId: "client", endpoints: { token: `${url}/token` }, deployments: [{ id: "7", state: "active" }], trustsEmails: false, grades: [] });

    // The same once more is refused in words.
    await page.goto("/staff/school/platforms/new?kind=openedx");
    for (const [label, text] of [[/^Name/, "Again"], [/^Issuer/, url], [/^Client id/, "client"], [/^Address of its login/, url], [/^Address of its tokens/, url], [/^Address of its keys/, url]] as const) {
      await page.getByLabel(label).fill(text);
    }
    await page.getByRole("button", { name: "Add the platform" }).click();
    await expect(page.getByText("A platform with this issuer and this client id is connected already.")).toBeVisible();
    expect(await stored(page)).toHaveLength(1);
    server.close();
  });

  test("the connection is tested, and what is in the way is said in the server's words", async ({ page }) => {
    const { server, url, isOpen } = await platform();
    await signInAsAdmin(page);
    const { platform: made } = await call(page, "POST", "/api/admin/lti/platforms", entry(url));
    await page.goto(`/staff/school/platforms/${made.id}`);
    const card = region(page, "Test the connection");
    await card.getByRole("button", { name: "Test it" }).click();
    await expect(card.getByText("The connection works.")).toBeVisible();
    await check(page, "a connection that works");
    isOpen.value = false;
    await card.getByRole("button", { name: "Test it" }).click();
    await expect(card.getByText("Something is in the way.")).toBeVisible();
    await expect(card.getByText(/invalid_client/)).toBeVisible();
    await everywhere(page, "a connection that fails");
    server.close();
  });

  test("deployments, options, a block and its end, and the deletion", async ({ page }) => {
    const { server, url } = await platform();
    await signInAsAdmin(page);
    const { platform: made } = await call(page, "POST", "/api/admin/lti/platforms", entry(url, { deployments: [{ id: "1", state: "pending" }] }));
    await page.goto("/staff/school/platforms");
    await expect(page.getByText("1 deployment waits")).toBeVisible();
    await everywhere(page, "the list");
    await page.getByRole("link", { name: "Moodle of the school" }).click();
    expect(idOf(page)).toBe(made.id);
    const deployments = region(page, "Deployments");
    await deployments.getByRole("button", { name: "Approve 1" }).click();
    await expect(messages(page).getByText("Deployment 1 is active.")).toBeVisible();
    await deployments.getByLabel("Deployment id").fill("2");
    await deployments.getByRole("button", { name: "Add it" }).click();
    await expect(deployments.getByRole("listitem")).toHaveCount(2);
    await deployments.getByRole("button", { name: "Remove deployment 1" }).click();
    await check(page, "before a deployment is removed");
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await expect(deployments.getByRole("listitem")).toHaveCount(1);
    expect((await stored(page))[0].deployments).toEqual([{ id: "2", state: "active" }]);

    const options = page.getByRole("form", { name: "What it may do" });
    const save = options.getByRole("button", { name: "Save" });
    await expect(save).toBeDisabled();
    await options.getByRole("button", { name: "Grade 5", exact: true }).click();
    await options.getByLabel("Believe its e-mail addresses").check();
    await options.getByRole("radio", { name: /^Points/ }).check();
    await expect(options.getByText(/papers and rosters before the exam/)).toBeVisible();
    await options.getByLabel("Its teachers only choose exams").check();
    await expect(options.getByText(/papers and rosters before the exam/)).toBeHidden();
    await options.getByLabel("May show Exam Hall in its pages").fill("lms.school.example");
    await save.click();
    await expect(options.getByText(/^Up to ten origins/)).toBeVisible();
    await everywhere(page, "options with what is wrong");
    await options.getByLabel("May show Exam Hall in its pages").fill("https://LMS.school.example/mod/lti");
    // What somebody else changes meanwhile shows where nothing was typed, and nothing that was typed is lost.
    await call(page, "PATCH", `/api/admin/lti/platforms/${made.id}`, { name: "Moodle of the upper school" });
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await expect(options.getByLabel("Name", { exact: true })).toHaveValue("Moodle of the upper school");
    await save.click();
    await expect(messages(page).getByText("Saved.")).toBeVisible();
    expect((await stored(page))[0]).toMatchObject({
      name: "Moodle of the upper school",
      grades: [5],
      trustsEmails: true,
      staffOnlyChoose: true,
      scoreForm: "points",
      frameOrigins: ["https://lms.school.example"],
    });

    await page.getByRole("button", { name: "Block…" }).click();
    await check(page, "before a platform is blocked");
    await page.getByRole("dialog").getByRole("button", { name: "Block", exact: true }).click();
    await expect(page.getByRole("heading", { level: 2 }).getByText("Blocked")).toBeVisible();
    expect((await stored(page))[0].state).toBe("blocked");
    await page.getByRole("button", { name: "Make it active again" }).click();
    await expect(page.getByRole("heading", { level: 2 }).getByText("Active")).toBeVisible();
    await page.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete the platform" }).click();
    await expect(page).toHaveURL("/staff/school/platforms");
    await expect(page.getByText("No platform is connected yet.")).toBeVisible();
    await page.goto(`/staff/school/platforms/${made.id}`);
    await expect(page.getByText("There is no such platform. It may have been deleted.")).toBeVisible();
    server.close();
  });

  test("what has registered itself waits for a yes, and is approved where its addresses were copied", async ({ page }) => {
    const { server, url } = await platform();
    await signInAsAdmin(page);
    await page.goto("/staff/school/platforms/new");
    await expect(page.getByText("Nothing has arrived yet.", { exact: false })).toBeVisible();
    // A registration makes a pending platform; one that is entered and sent back to that state is the same to the page.
    const { platform: made } = await call(page, "POST", "/api/admin/lti/platforms", entry(url));
    await call(page, "PATCH", `/api/admin/lti/platforms/${made.id}`, { state: "pending" });
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await expect(page.getByText(url, { exact: true })).toBeVisible();
    await everywhere(page, "a platform that waits");
    await page.getByRole("button", { name: "Approve Moodle of the school" }).click();
    await expect(messages(page).getByText("Moodle of the school is active.")).toBeVisible();
    expect((await stored(page))[0].state).toBe("active");
    server.close();
  });

  test("the pages are in Vietnamese too", async ({ page }) => {
    const { server, url } = await platform();
    await signInAsAdmin(page);
    const { platform: made } = await call(page, "POST", "/api/admin/lti/platforms", entry(url));
    await page.evaluate(() => localStorage.setItem("examhall-language", "vi"));
    for (const [address, text] of [
      ["/staff/school/platforms", "Kết nối nền tảng"],
      ["/staff/school/platforms/new", "1. Nền tảng nào?"],
      [`/staff/school/platforms/${made.id}`, "Nền tảng được làm gì"],
    ] as const) {
      await page.goto(address);
      await expect(page.getByText(text, { exact: true })).toBeVisible();
      await everywhere(page, `${address} in Vietnamese`);
    }
    server.close();
  });
});

/** Answers about links, scores and rosters of one sitting, as the server gives them; the requests that change something are kept. */
async function withCourse(page: Page, sittingId: string): Promise<{ sent: string[]; scores: any[] }> {
  const sent: string[] = [];
  const link = {
    id: "11111111-1111-4111-8111-111111111111",
    platformId: "22222222-2222-4222-8222-222222222222",
    platform: "Moodle",
    deploymentId: "1",
    title: "Maths final",
    contextTitle: "Maths 5A",
    target: { kind: "sitting", id: sittingId },
    targetName: "Final exam in mathematics",
    lineItem: "https://lms.school.example/items/1",
    hasRoster: true,
    takesRoster: true,
    rosterTakenAt: "2026-11-22T08:00:00.000Z",
    rosterFailedAt: "2026-11-22T08:15:00.000Z",
    lastScoreAt: "2026-11-22T10:00:01.000Z",
    ungraded: [
      { candidateId: "33333333-3333-4333-8333-333333333333", name: "Bo Tran", reason: "unknown" },
      { candidateId: "33333333-3333-4333-8333-333333333334", name: "Dung Le", reason: "removed" },
    ],
    waiting: 3,
    createdAt: "2026-11-01T08:00:00.000Z",
  };
  const score = (name: string, status: string, changes: object = {}) => ({
    id: `44444444-4444-4444-8444-${String(name.length).padStart(12, "4")}`,
    linkId: link.id,
    sessionId: "55555555-5555-4555-8555-555555555555",
    event: "score.released",
    version: 1,
    url: link.lineItem,
    name,
    status,
    attempts: 1,
    scoreGiven: 420,
    scoreMaximum: 600,
    lastStatus: null,
    lastError: null,
    createdAt: "2026-11-22T10:00:00.000Z",
    deliveredAt: null,
    nextAttemptAt: null,
    ...changes,
  });
  const scores = [
    score("Ada Lovelace", "delivered", { deliveredAt: "2026-11-22T10:00:01.000Z", lastStatus: 200 }),
    score("Chi Nguyen", "failed", { lastStatus: 422, lastError: "the platform answered 422\nNo attempts left" }),
  ];
  const links = [link];
  const cameByRemoved = [link.ungraded[1]!];
  await page.route(/\/api\/admin\/lti\/links(\?|$)/, (route) => route.fulfill({ json: { links, cameByRemoved } }));
  await page.route(/\/api\/admin\/lti\/links\/[^/?]+$/, (route) => {
    sent.push(`${route.request().method()} link`);
    links.pop();
    cameByRemoved.push({ candidateId: "33333333-3333-4333-8333-333333333335", name: "Ada Lovelace", reason: "removed" });
    return route.fulfill({ json: { ok: true } });
  });
  await page.route(/\/api\/admin\/lti\/scores(\?|$)/, (route) => {
    const status = new URL(route.request().url()).searchParams.get("status");
    const found = scores.filter((one) => status === null || one.status === status);
    return route.fulfill({ json: { scores: found, total: found.length, page: 1, perPage: 50 } });
  });
  await page.route(/\/api\/admin\/lti\/scores\/[^/]+\/resend$/, (route) => {
    sent.push("resend");
    Object.assign(scores[1]!, { status: "pending", nextAttemptAt: "2026-11-22T10:05:00.000Z" });
    return route.fulfill({ json: { ok: true } });
  });
  await page.route(/\/api\/admin\/lti\/scores\/resend\?/, (route) => {
    const asked = new URL(route.request().url()).searchParams;
    const isOfIt = (asked.get("sittingId") ?? asked.get("templateId")) === sittingId;
    sent.push(`resend ${asked.get("status")}${isOfIt ? "" : " of others"}`);
    return route.fulfill({ json: { queued: 1 } });
  });
  await page.route(/\/roster\/lti(\?|$)/, (route) => {
    const { linkId, removeLeft, byItself, takesNow } = route.request().postDataJSON();
    expect(linkId).toBe(link.id);
    if (takesNow === false) {
      sent.push(`by itself: ${byItself}`);
      Object.assign(link, { takesRoster: byItself });
      return route.fulfill({ json: { added: [], updated: 0, left: [], withoutEmail: [], errors: [], unjoined: 0 } });
    }
    const isDryRun = new URL(route.request().url()).searchParams.get("dryRun") === "true";
    if (!isDryRun) sent.push(`roster ${removeLeft === true ? "with" : "without"} those who left, by itself: ${byItself}`);
    return route.fulfill({ json: { added: ["Dung Le", "Eva Pham"], updated: 2, left: ["Bo Tran"], withoutEmail: ["Eva Pham"], errors: ["Gia Vo: the name is too long"], unjoined: 0 } });
  });
  return { sent, scores };
}

test("the page of a sitting shows its courses, what can't arrive and why, and sends a score again", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [{ name: "Ada Lovelace" }, { name: "Bo Tran" }]);
  const { page } = school;
  // Without a link nothing of learning platforms is there.
  await page.goto(`/staff/sittings/${school.sitting.id}`);
  await expect(page.getByRole("heading", { name: "Results", exact: true })).toBeVisible();
  await expect(region(page, "Learning platforms")).toHaveCount(0);

  const { sent } = await withCourse(page, school.sitting.id);
  await page.reload();
  const card = region(page, "Learning platforms");
  await expect(card.getByText("Maths 5A · Moodle")).toBeVisible();
  await card.getByText("2 people can't be given a score").click();
  await expect(card.getByText("Came by access code, and never from the course.")).toBeVisible();
  await expect(card.getByText("Came from a course by a link that was removed, or that leads elsewhere now.")).toBeVisible();
  await expect(card.getByText("2 scores so far. 1 did not arrive.")).toBeVisible();
  await expect(card.getByRole("row", { name: /Chi Nguyen/ })).toContainText("No attempts left");
  await everywhere(page, "the courses of a sitting");
  await card.getByRole("button", { name: "Send all again that did not arrive" }).click();
  await expect(messages(page).getByText("1 score will be sent again.")).toBeVisible();
  await card.getByRole("button", { name: "Failed", exact: true }).click();
  await expect(card.getByRole("row", { name: /Ada Lovelace/ })).toHaveCount(0);
  await card.getByRole("button", { name: "Send again: Chi Nguyen" }).click();
  await expect(card.getByText("There is no such score.")).toBeVisible();
  await card.getByRole("button", { name: "Remove the link Maths final" }).click();
  await expect(page.getByRole("dialog")).toContainText("3 tests by this link have no result in the course yet.");
  await page.getByRole("dialog").getByRole("button", { name: "Remove the link" }).click();
  // Who came by it is named without it, and nothing else is offered that needs a link.
  await expect(card.getByText("No link in a course leads here any more.")).toBeVisible();
  await card.getByText("2 people can't be given a score").click();
  await expect(card.getByText("Ada Lovelace: Came from a course by a link that was removed")).toBeVisible();
  await expect(card.getByRole("button", { name: /Remove the link|Roster from a course/ })).toHaveCount(0);
  await everywhere(page, "a sitting whose only link was removed");
  expect(sent).toEqual(["resend failed", "resend", "DELETE link"]);
});

test("the page of a template shows its courses and its scores, and sends those again that did not arrive", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [{ name: "Ada Lovelace" }]);
  const { page } = school;
  const templateId = school.sitting.templateId as string;
  // Without a link nothing of learning platforms is there.
  await page.goto(`/staff/templates/${templateId}`);
  await expect(page.getByRole("navigation", { name: "Parts of the template" })).toBeVisible();
  await expect(region(page, "Learning platforms")).toHaveCount(0);

  const { sent } = await withCourse(page, templateId);
  await page.reload();
  const card = region(page, "Learning platforms");
  await expect(card.getByText("Maths 5A · Moodle")).toBeVisible();
  await expect(card.getByText("2 scores so far. 1 did not arrive.")).toBeVisible();
  // Rosters are of sittings.
  await expect(card.getByRole("button", { name: /Roster from a course/ })).toHaveCount(0);
  await everywhere(page, "the courses of a template");
  await card.getByRole("button", { name: "Send all again that did not arrive" }).click();
  await expect(messages(page).getByText("1 score will be sent again.")).toBeVisible();
  await card.getByRole("button", { name: "Remove the link Maths final" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove the link" }).click();
  await expect(card).toHaveCount(0);
  expect(sent).toEqual(["resend failed", "DELETE link"]);
});

test("a roster comes from a course after it was said what that would do, and nobody leaves it without a yes", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [{ name: "Ada Lovelace" }, { name: "Bo Tran" }]);
  const { page } = school;
  const { sent } = await withCourse(page, school.sitting.id);
  await page.goto(`/staff/sittings/${school.sitting.id}`);
  await region(page, "Learning platforms").getByRole("button", { name: "Roster from a course…" }).click();
  const dialog = page.getByRole("dialog", { name: "Roster from a course" });
  await expect(dialog.getByText("2 people would come onto the roster.")).toBeVisible();
  await expect(dialog.getByText("1 person came from this course before and has left it.")).toBeVisible();
  await expect(dialog.getByText(/^1 person has no e-mail address there\./)).toBeVisible();
  await dialog.getByText("2 people would come onto the roster.").click();
  await expect(dialog.getByText("Dung Le, Eva Pham")).toBeVisible();
  await everywhere(page, "the roster of a course, tried");
  await expect(dialog.getByText("Gia Vo: the name is too long")).toBeVisible();
  expect(sent).toEqual([]);
  await dialog.getByLabel("Take them off the roster too").check();
  await expect(dialog.getByRole("button", { name: "Add 2 people, remove 1" })).toBeVisible();
  await dialog.getByLabel("Take them off the roster too").uncheck();
  await dialog.getByLabel("From now on").selectOption("Take it by itself before the exam");
  await dialog.getByRole("button", { name: "Add 2 people" }).click();
  await expect(messages(page).getByText("From the course: 2 added, 0 removed.")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  expect(sent).toEqual(["roster without those who left, by itself: true"]);
});

test("a roster that comes by itself says when it came and that it failed, and is switched off without the platform", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [{ name: "Ada Lovelace" }]);
  const { page } = school;
  const { sent } = await withCourse(page, school.sitting.id);
  await page.goto(`/staff/sittings/${school.sitting.id}`);
  const card = region(page, "Learning platforms");
  await expect(card.getByText(/^Roster from this course: last taken .* It is taken by itself/)).toBeVisible();
  await expect(card.getByText(/^It could not be taken .* tried again each minute\.$/)).toBeVisible();
  await everywhere(page, "a roster that comes by itself");
  await card.getByRole("button", { name: "No longer by itself" }).click();
  await expect(messages(page).getByText("The roster is no longer taken by itself.")).toBeVisible();
  await expect(card.getByText(/^It could not be taken/)).toHaveCount(0);
  await expect(card.getByRole("button", { name: "No longer by itself" })).toHaveCount(0);
  expect(sent).toEqual(["by itself: false"]);
});

test("who came from a course and is on no row is joined to the row that they are", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [{ name: "Ada Lovelace" }, { name: "Bo Tran" }]);
  const { page } = school;
  await withCourse(page, school.sitting.id);
  const person = {
    id: "66666666-6666-4666-8666-666666666666",
    subject: "17",
    name: "Bo Tran",
    email: null,
    platform: "Moodle",
    contextTitle: "Maths 5A",
    seenAt: "2026-11-22T10:00:00.000Z",
  };
  const people = [person];
  const sent: { candidate: string; body: unknown }[] = [];
  await page.route(/\/lti\/people$/, (route) => route.fulfill({ json: { people } }));
  await page.route(/\/candidates\/[^/]+\/lti$/, (route) => {
    sent.push({ candidate: new URL(route.request().url()).pathname.split("/").at(-2) ?? "", body: route.request().postDataJSON() });
    people.pop();
    return route.fulfill({ json: { ok: true } });
  });
  await page.goto(`/staff/sittings/${school.sitting.id}`);
  const card = region(page, "Learning platforms");
  await card.getByText("1 person came from a course and is not on the roster").click();
  const join = card.getByRole("button", { name: "Join", exact: true });
  await expect(join).toBeDisabled();
  await card.getByLabel("Who came").selectOption(person.id);
  // Somebody with the same name is suggested.
  await expect(card.getByLabel("Row of the roster").locator("option:checked")).toHaveText("Bo Tran · n-1");
  await everywhere(page, "somebody who is to be joined");
  await join.click();
  await expect(messages(page).getByText("Bo Tran is Bo Tran from now on.")).toBeVisible();
  await expect(card.getByText("1 person came from a course and is not on the roster")).toHaveCount(0);
  const { candidates } = await call(page, "GET", `${school.path}/candidates`);
  expect(sent).toEqual([{ candidate: candidates.find(({ name }: any) => name === "Bo Tran").id, body: { personId: person.id } }]);
});

test("an administrator gives a platform an exam, and reads there what its link has to say", async ({ browser, hall }) => {
  const school = await School.open(browser, hall, [{ name: "Ada Lovelace" }]);
  const { page, sitting } = school;
  const deployments = [{ id: "1", state: "active" }];
  const { platform: made } = await call(page, "POST", "/api/admin/lti/platforms", entry("https://lms.school.example", { deployments }));
  await page.goto(`/staff/school/platforms/${made.id}`);
  const card = region(page, "Exams that it was given");
  await expect(card.getByText("None yet.")).toBeVisible();
  const give = card.getByRole("button", { name: "Give it" });
  await expect(give).toBeDisabled();
  await card.getByLabel("Deployment id").selectOption("1");
  await card.getByRole("combobox", { name: "Exam" }).selectOption(`sitting=${sitting.id}`);
  await give.click();
  await expect(messages(page).getByText(`${sitting.name} is given.`)).toBeVisible();
  await expect(card.getByText(`sitting=${sitting.id}`)).toBeVisible();
  await everywhere(page, "an exam that was given");
  const { grants } = await call(page, "GET", `/api/admin/lti/platforms/${made.id}/grants`);
  expect(grants).toMatchObject([{ deploymentId: "1", target: { kind: "sitting", id: sitting.id } }]);
  await card.getByRole("button", { name: `Take back: ${sitting.name}` }).click();
  const sure = page.getByRole("dialog", { name: `Take ${sitting.name} back from deployment 1?` });
  await expect(sure.getByText("Whoever has entered goes on")).toBeVisible();
  await sure.getByRole("button", { name: "Take back" }).click();
  await expect(messages(page).getByText(`${sitting.name} is taken back.`)).toBeVisible();
  await expect(card.getByText("None yet.")).toBeVisible();
});
