// Launches from a course, as a browser sees them: in a frame of another site, with and without cookies there, in a new window; the
// choice of an exam and the registration of the tool in a frame.

import type { Browser, BrowserContext, FrameLocator, Page } from "@playwright/test";
import { Course, type Launch } from "./course";
import { expect, test as base } from "./hall";
import { continuation } from "./sitting";
import { call, signInAsHead, template } from "./student";

const DEEP_LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/";
const SITTING = "Maths final";
const ADA = { role: "Learner", sub: "ext-1", email: "ada@school.example", name: "Ada" } as const satisfies Launch;
const TEACHER = { role: "Instructor", sub: "ext-9", email: "tess@school.example", name: "Tess" } as const satisfies Launch;
const GO_IN = { name: "Go in" };

interface School {
  course: Course;
  /** The page of the server's head, over https. */
  head: Page;
  platformId: string;
  sittingId: string;
}

const test = base.extend<{ school: School }>({
  ignoreHTTPSErrors: true,
  baseURL: async ({ school }, use) => use(school.course.tool),
  school: async ({ browser }, use) => {
    const course = await new Course().open();
    const head = await (await device(browser, course)).newPage();
    await signInAsHead(head);
    await head.goto("/healthz");
    const { id } = (await call(head, "POST", "/api/admin/lti/platforms", course.facts)).platform;
    await call(head, "PATCH", `/api/admin/lti/platforms/${id}`, { state: "active", grades: [5], trustsEmails: true, frameOrigins: [course.origin] });
    const now = new Date(Date.now() - 60_000).toISOString();
    const planned = { name: SITTING, templateId: await template(head, "Paper"), startsAt: now, doorsAt: now, start: "own", results: "held" };
    const { sitting } = await call(head, "POST", "/api/admin/sittings", planned);
    await call(head, "PUT", `/api/admin/sittings/${sitting.id}/candidates`, { candidates: [{ name: "Ada", email: ADA.email }] });
    await use({ course, head, platformId: id, sittingId: sitting.id });
    await Promise.all(browser.contexts().map((context) => context.close()));
    await course.close();
  },
});

function device(browser: Browser, course: Course): Promise<BrowserContext> {
  return browser.newContext({ baseURL: course.tool, ignoreHTTPSErrors: true, locale: "en-GB" });
}

/** From now on this page has no cookies of third parties, but for those in jars of their own. */
async function blockThirdParties(page: Page, course: Course): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCookieControls", { enableThirdPartyCookieRestriction: true });
  await page.goto(course.probePage);
  await expect(page.frameLocator("iframe").getByText("third party: blocked")).toBeVisible();
}

const framed = (page: Page): FrameLocator => page.frameLocator("iframe");

/** The window that opens by this. */
async function opened(page: Page, open: () => Promise<unknown>): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent("popup"), open()]);
  return popup;
}

/** Chooses the sitting in the frame, as a teacher of the course. */
async function place(page: Page, { course, sittingId }: School): Promise<void> {
  await page.goto(course.page({ ...TEACHER, isDeep: true }));
  await expect(framed(page).getByRole("heading", { name: "Choose an exam" })).toBeVisible();
  await framed(page).getByRole("radio", { name: new RegExp(SITTING) }).or(framed(page).getByRole("checkbox", { name: new RegExp(SITTING) })).check();
  await framed(page).getByRole("button", { name: "Place in the course" }).click();
  await expect(framed(page).getByText("The choice was saved.")).toBeVisible();
  const chosen = course.chosen.at(-1) ?? {};
  expect(chosen[`${DEEP_LINKING}data`]).toBe("opaque & <own>");
  const [item, ...more] = chosen[`${DEEP_LINKING}content_items`];
  expect(more).toEqual([]);
  expect(item).toMatchObject({ type: "ltiResourceLink", title: SITTING, url: `${course.tool}/lti/launch`, custom: { sitting: sittingId }, window: { targetName: "_blank" } });
  expect(item).not.toHaveProperty("iframe");
}

const ofSitting = ({ sittingId }: School) => ({ custom: { sitting: sittingId } });

/** The window has the exam of this student, and its secret stays in this tab. */
async function atTheExam(window: Page, course: Course): Promise<void> {
  await expect.poll(async () => (await continuation(window).catch(() => ({ token: "" }))).token).not.toBe("");
  expect(window.url()).toContain(`${course.tool}/s/`);
  expect(new URL(window.url()).hash).toBe("");
}

test("in a frame with blocked third parties a student is led to a window of their own", async ({ school, page }) => {
  const { course } = school;
  await blockThirdParties(page, course);
  await place(page, school);
  await page.goto(course.page({ ...ADA, ...ofSitting(school) }));
  await expect(framed(page).getByText("The exam opens in a window of its own.")).toBeVisible();
  const window = await opened(page, () => framed(page).getByRole("button", GO_IN).click());
  await atTheExam(window, course);
  // What binds the launch is in a jar of the course's site, where no other site's frame has it.
  const cookies = (await page.context().cookies()) as { name: string; partitionKey?: string }[];
  expect(cookies.find(({ name }) => name === "__Host-lti")?.partitionKey).toContain("localhost");
  // Nothing of the exam is in a cookie, so it goes on without any.
  await page.context().clearCookies();
  await window.reload();
  await atTheExam(window, course);
});

test("in a frame that keeps no cookies a student opens the window themselves", async ({ school, page }) => {
  const { course } = school;
  await place(page, school);
  course.keepsCookies = false;
  await page.context().clearCookies();
  await page.goto(course.page({ ...ADA, ...ofSitting(school) }));
  await expect(framed(page).getByRole("heading", { name: "In a window of its own" })).toBeVisible();
  await expect(framed(page).getByRole("button", GO_IN)).toHaveCount(0);
  course.keepsCookies = true;
  const window = await opened(page, () => framed(page).getByRole("link", { name: "Open the window" }).click());
  await atTheExam(window, course);
});

test("where a platform has storage, a frame needs no cookies", async ({ school, page }) => {
  const { course } = school;
  await place(page, school);
  course.keepsCookies = false;
  await page.context().clearCookies();
  await page.goto(course.page({ ...ADA, ...ofSitting(school), hasStorage: true }));
  const window = await opened(page, () => framed(page).getByRole("button", GO_IN).click());
  await atTheExam(window, course);
});

test("in a new window a student is there at once", async ({ school, page }) => {
  const { course } = school;
  await place(page, school);
  await page.goto(course.page({ ...ADA, ...ofSitting(school), target: "window" }));
  const window = await opened(page, () => page.getByRole("link", { name: "In a new window" }).click());
  await atTheExam(window, course);
});

test("who is not on the roster, and who asks for what was not given, read a sentence", async ({ school, page }) => {
  const { course, head } = school;
  await page.goto(course.page({ ...ADA, ...ofSitting(school), link: "link-2" }));
  await expect(framed(page).getByRole("alert")).toHaveText("This link does not lead to an exam yet: ask your teacher.");
  await place(page, school);
  await page.goto(course.page({ ...ADA, sub: "ext-2", email: "bo@school.example", name: "Bo", ...ofSitting(school) }));
  await expect(framed(page).getByRole("alert")).toContainText("You are not on the roster of this exam");
  await call(head, "PATCH", `/api/admin/lti/platforms/${school.platformId}`, { state: "blocked" });
  await page.goto(course.page({ ...ADA, ...ofSitting(school) }));
  await expect(framed(page).getByRole("alert")).toHaveText("An administrator of Exam Hall has blocked this learning platform.");
});

test("a teacher comes from a frame to the page of the sitting, with the rights of the platform", async ({ school, page }) => {
  const { course, sittingId } = school;
  await blockThirdParties(page, course);
  await place(page, school);
  await page.goto(course.page({ ...TEACHER, ...ofSitting(school) }));
  const window = await opened(page, () => framed(page).getByRole("button", { name: "Open its page in Exam Hall" }).click());
  await expect(window.getByRole("heading", { name: SITTING, level: 1 })).toBeVisible();
  expect(window.url()).toContain(sittingId);
  const me = await call(window, "GET", "/api/me");
  expect(me.role).not.toBe("admin");
  expect((await window.request.get("/api/admin/lti/platforms")).status()).toBe(403);
});

test("in a new window a teacher is there at once, and the sign-in of a head stays", async ({ school, page }) => {
  const { course, head, sittingId } = school;
  await place(page, school);
  const launch = { ...TEACHER, ...ofSitting(school), target: "window" } as const;
  await page.goto(course.page(launch));
  const window = await opened(page, () => page.getByRole("link", { name: "In a new window" }).click());
  await window.waitForURL(`**/staff/sittings/${sittingId}`);
  await head.goto(course.page(launch));
  const own = await opened(head, () => head.getByRole("link", { name: "In a new window" }).click());
  await own.waitForURL(`**/staff/sittings/${sittingId}`);
  expect((await call(own, "GET", "/api/me")).role).toBe("admin");
});

test("a link of a copied course waits for a yes of its staff", async ({ school, page }) => {
  const { course } = school;
  await place(page, school);
  await page.goto(course.page({ ...TEACHER, ...ofSitting(school) }));
  await expect(framed(page).getByRole("heading", { name: SITTING })).toBeVisible();
  const copied = { ...ofSitting(school), link: "link-9", context: "course-2" };
  await page.goto(course.page({ ...ADA, ...copied }));
  await expect(framed(page).getByRole("alert")).toContainText("This link was copied from another course");
  await page.goto(course.page({ ...TEACHER, ...copied }));
  await expect(framed(page).getByRole("heading", { name: "Is it the right exam?" })).toBeVisible();
  const window = await opened(page, () => framed(page).getByRole("button", { name: "Yes, it leads there" }).click());
  await expect(window.getByRole("button", { name: "Open its page in Exam Hall" })).toBeVisible();
  await page.goto(course.page({ ...ADA, ...copied }));
  await atTheExam(await opened(page, () => framed(page).getByRole("button", GO_IN).click()), course);
});

test("a platform registers itself in a frame, and waits for an admin", async ({ school, page }) => {
  const { course, head } = school;
  await blockThirdParties(page, course);
  await page.context().clearCookies();
  await page.goto(course.registrationPage);
  await expect(page.getByText("open", { exact: true })).toBeVisible();
  expect(course.registered).toEqual([]);
  await framed(page).getByRole("button").first().click();
  await expect(page.getByText("closed", { exact: true })).toBeVisible();
  expect(await page.context().cookies(course.tool)).toEqual([]);
  const [asked] = course.registered;
  expect(asked).toMatchObject({ initiate_login_uri: `${course.tool}/lti/login`, redirect_uris: [`${course.tool}/lti/launch`], jwks_uri: `${course.tool}/lti/jwks`, token_endpoint_auth_method: "private_key_jwt" });
  const { platforms } = await call(head, "GET", "/api/admin/lti/platforms");
  const added = platforms.find(({ clientId }: { clientId: string }) => clientId === "registered-by-itself");
  expect(added).toMatchObject({ issuer: course.origin, state: "pending" });
});

test("nobody but the platform may frame a launch", async ({ school, page }) => {
  const { course } = school;
  await place(page, school);
  const answer = await page.request.post("/lti/launch", { form: { state: "none", id_token: "none" }, headers: { "Sec-Fetch-Dest": "iframe" } });
  expect(answer.status()).toBeGreaterThanOrEqual(400);
  const frames: string[] = [];
  page.on("response", (response) => void (response.url() === `${course.tool}/lti/launch` && frames.push(response.headers()["content-security-policy"] ?? "")));
  await page.goto(course.page({ ...ADA, ...ofSitting(school) }));
  await expect(framed(page).getByRole("button", GO_IN)).toBeVisible();
  expect(frames.at(-1)).toContain(`frame-ancestors ${course.origin}`);
});
