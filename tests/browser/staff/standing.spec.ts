// How a hall stands at the desk, and the orders that change it. Where the socket is a stub, halls of thirty fail in an instant.

import type { Page, WebSocketRoute } from "@playwright/test";
import { check, fits } from "../accessible";
import { expect, test } from "../hall";
import { ready, School } from "../sitting";
import { answer, at, call, saving, signInAs } from "../student";

const RITA = "rita@school.example";
const RUNS = { state: "running", since: null, by: null, text: null, minutes: 0, pausedMs: 0 };
const stopped = (text: string | null) => ({ ...RUNS, state: "paused", since: new Date(Date.now() - 120_000).toISOString(), by: RITA, text });
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();

interface Order {
  type: string;
  id: string;
  sessionId?: string;
  minutes?: number;
  text?: string;
}

/** A room whose server is this test: it keeps rows, tells what stands, and answers orders. */
class Stub {
  orders: Order[] = [];
  /** The code with which orders of a type are refused. */
  refusals = new Map<string, string>();
  unchanged: { sessionId: string; student: string; reason: string }[] = [];
  facts: Record<string, unknown> = { standing: RUNS };
  rows: Record<string, unknown>[];
  #socket: WebSocketRoute | undefined;
  #seq = 1;

  constructor(count: number, room = "B12") {
    this.rows = Array.from({ length: count }, (_, index) => this.#row(index, room));
  }

  #row(index: number, room: string): Record<string, unknown> {
    return {
      sessionId: `s${index}`, student: `Student ${index + 1}`, account: null, grade: 5, templateId: null, mode: "standard", state: "active", standing: "running", takenOverAt: null,
      connected: true, stage: 1, answered: 3, marked: 0, total: 10, currentQuestionId: null, startedAt: ago(600), deadline: ago(-3_000), away: false, awayCount: 0, lastSeenAt: ago(1), score: null,
      sittingId: "91aa", candidateId: `c${index}`, ready: true, room, seat: String(index + 1), progress: "aaav------", at: 3, trouble: [], refused: 0,
    };
  }

  async serve(page: Page): Promise<void> {
    await page.routeWebSocket(/\/api\/live\/proctor$/, (socket) => {
      this.#socket = socket;
      socket.onMessage((message) => {
        const frame = JSON.parse(String(message)) as Order;
        if (frame.type === "watch") this.#send("roster", { sessions: this.rows, complete: true });
        else if (frame.type === "history") socket.send(JSON.stringify({ type: "history", id: frame.id, events: [] }));
        else if (frame.id !== undefined) this.#answer(frame);
      });
    });
  }

  #answer(order: Order): void {
    this.orders.push(order);
    const code = this.refusals.get(order.type);
    const unchanged = this.unchanged.length === 0 ? {} : { unchangedCount: this.unchanged.length, unchanged: this.unchanged };
    const count = order.sessionId === "*" ? this.rows.length - this.unchanged.length : 1;
    this.#socket?.send(JSON.stringify(code === undefined ? { type: "done", id: order.id, count, ...unchanged } : { type: "error", id: order.id, code, error: "The server's own words" }));
  }

  /** The room stands otherwise, and these rows have changed. */
  say(facts: Record<string, unknown>, changes: (row: Record<string, unknown>, index: number) => Record<string, unknown> | undefined = () => undefined): void {
    this.facts = { ...this.facts, ...facts };
    const sessions: unknown[] = [];
    this.rows = this.rows.map((row, index) => {
      const changed = changes(row, index);
      if (changed === undefined) return row;
      sessions.push({ ...row, ...changed });
      return { ...row, ...changed };
    });
    this.#send("changes", { sessions, removed: [] });
  }

  #send(type: string, more: object): void {
    this.#socket?.send(JSON.stringify({ type, room: {}, seq: (this.#seq += 1), serverTime: new Date().toISOString(), partial: false, ...this.facts, ...more }));
  }
}

const group = (page: Page) => page.getByRole("group", { name: "Everyone in the room" });
const messages = (page: Page) => page.getByRole("region", { name: "Messages" });
const standing = (page: Page) => page.locator("[data-standing]");
const entries = (page: Page) => page.locator("[data-attention] li");

test("stubbed: a hall is paused with a word, stands so for who has not come, and goes on", async ({ browser, hall }) => {
  test.setTimeout(120_000);
  const school = await School.open(browser, hall, [{ name: "Ada", room: "B12", seat: "1" }], { start: "proctor", rooms: [{ name: "B12", proctors: [RITA] }] });
  const { page } = school;
  const stub = new Stub(4);
  Object.assign(stub.rows[3]!, { state: "expected", sessionId: null, connected: false, lastSeenAt: null });
  Object.assign(stub.rows[1]!, { connected: false, lastSeenAt: ago(90) });
  await stub.serve(page);
  await page.goto(`/staff/sittings/${school.sitting.id}/desk?room=B12&step=watch`);
  await expect(standing(page)).toHaveText("Time is not stopped.");
  const places = () =>
    page.locator("main").getByRole("button").evaluateAll((buttons) =>
      buttons.map((button) => {
        const { left, top } = button.getBoundingClientRect();
        return [Math.round(left), Math.round(top)];
      }),
    );
  const before = await places();

  await group(page).getByRole("button", { name: "Pause everyone…" }).click();
  const dialog = page.getByRole("dialog", { name: "Pause everyone in B12?" });
  await dialog.getByRole("button", { name: "Fire alarm" }).click();
  await expect(dialog.getByLabel("A word for the students")).toHaveValue("Fire alarm");
  await check(page, "asked for a word");
  await dialog.getByRole("button", { name: "Pause everyone", exact: true }).click();
  await expect(messages(page)).toContainText("Everyone is paused: 4 students, and whoever comes later");
  expect(stub.orders).toEqual([expect.objectContaining({ type: "pause", sessionId: "*", text: "Fire alarm" })]);
  await messages(page).getByRole("button", { name: "Dismiss" }).click();

  stub.say({ standing: stopped("Fire alarm") }, ({ state }) => ({ standing: "paused", ...(state === "active" ? { state: "paused" } : {}) }));
  await expect(standing(page)).toHaveText(/^Time has been stopped since \d\d?:\d\d.*, by rita@school\.example: Fire alarm\.\s*$/);
  await expect(page.locator("li.tile", { hasText: "Student 4" })).toContainText("Expected · Time stopped");
  await expect(page.locator("li.tile", { hasText: "Student 1" })).toContainText("Paused");
  expect(await places(), "nothing has moved").toEqual(before);
  await expect(page.locator("li.tile", { hasText: "Student 2" }), "paused and offline shows both").toContainText(/Paused · Offline for \d+ (seconds|minutes)/);
  await page.getByRole("button", { name: "Paused", exact: true }).click();
  await expect(page.locator("li.tile")).toHaveCount(4);
  await page.getByRole("button", { name: "All", exact: true }).click();
  for (const width of [1366, 820, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await check(page, `a hall that is paused, at ${width}`);
    const paused = await places();
    stub.say({ standing: RUNS });
    await expect(page.locator("[data-standing=running]")).toBeVisible();
    expect(await places(), `nothing moves at ${width}`).toEqual(paused);
    stub.say({ standing: stopped("Fire alarm") });
    await expect(page.locator("[data-standing=paused]")).toBeVisible();
  }
  await page.setViewportSize({ width: 1366, height: 800 });

  await test.step("nobody is at work, and everyone may still be let go on", async () => {
    stub.say({}, () => ({ state: "submitted", score: 1 }));
    stub.unchanged = [{ sessionId: "s0", student: "Ada", reason: "own_pause" }];
    const goOn = group(page).getByRole("button", { name: "Let everyone go on" });
    await expect(goOn).toBeEnabled();
    await goOn.click();
    await expect(messages(page)).toContainText("Not changed: Ada: their own pause lasts on: let them go on one by one.");
    stub.unchanged = [];
    stub.say({ standing: { ...RUNS, minutes: 5, pausedMs: 192_000 } }, () => ({ standing: "running", state: "active", score: null }));
    await expect(standing(page)).toHaveText("Time is not stopped. Everyone was given 5 minutes. It was stopped for 3 min 12 s before.");
    await expect(goOn).toBeDisabled();
  });

  await test.step("of the exam around it, and of the halls in it", async () => {
    stub.say({ standing: RUNS, sitting: stopped("Power cut") });
    await expect(standing(page)).toHaveText(/^B12: Time is not stopped\.\s+The whole exam: Time has been stopped since .*: Power cut\.\s*$/);
    stub.say({ sitting: undefined, halls: [{ room: "B12", standing: RUNS }, { room: "C3", standing: stopped(null) }] });
    await expect(standing(page)).toContainText(/C3: Time has been stopped since .*, by rita@school\.example\.\s*$/);
  });
});

test("stubbed: minutes are taken back by a choice of its own, and the last order is undone for ten minutes", async ({ browser, hall }) => {
  test.setTimeout(120_000);
  const school = await School.open(browser, hall, [{ name: "Ada", room: "B12", seat: "1" }]);
  const { page } = school;
  const stub = new Stub(3);
  await stub.serve(page);
  await page.clock.install();
  await page.goto(`/staff/sittings/${school.sitting.id}/desk?step=watch`);
  await expect(page.locator("li.tile")).toHaveCount(3);

  await group(page).getByRole("button", { name: "Take minutes back…" }).click();
  const dialog = page.getByRole("dialog", { name: /^Take minutes back/ });
  await expect(dialog.getByRole("button", { name: /^Yes, take/ })).toBeDisabled();
  for (const wrong of ["0", "121", "-5", "five"]) {
    await dialog.getByLabel("Minutes to take back").fill(wrong);
    await expect(dialog.getByRole("button", { name: /^Yes, take/ }), wrong).toBeDisabled();
  }
  await dialog.getByLabel("Minutes to take back").fill("10");
  await check(page, "minutes to take back");
  stub.refusals.set("extend", "too_little_time");
  await dialog.getByRole("button", { name: "Yes, take 10 minutes back" }).click();
  await expect(messages(page)).toContainText("This was not done: somebody would have less than a minute left, so nothing was changed.");
  await messages(page).getByRole("button", { name: "Dismiss" }).click();
  stub.refusals.clear();

  await page.locator("li.tile", { hasText: "Student 2" }).getByRole("button").click();
  const drawer = page.locator(".drawer");
  const undo = drawer.getByRole("button", { name: /^Undo/ });
  await expect(undo).toBeDisabled();
  await drawer.getByRole("button", { name: "Take minutes back…" }).click({ trial: true });
  await page.clock.runFor(1_000);
  await drawer.getByRole("button", { name: "Take minutes back…" }).click();
  await dialog.getByLabel("Minutes to take back").fill("3");
  await dialog.getByLabel("Minutes to take back").press("Enter");
  await expect(messages(page)).toContainText("3 minutes taken back from 1 student");
  expect(stub.orders.at(-1)).toMatchObject({ type: "extend", sessionId: "s1", minutes: -3 });
  await expect(undo).toHaveText("Undo: −3 min");
  await page.clock.runFor(1_000);
  await check(page, "one student, with an order to undo");
  // When the message has gone, the button and the keys still do it.
  await page.clock.runFor(60_000);
  await expect(messages(page)).not.toContainText("taken back");
  await undo.click();
  await expect(messages(page)).toContainText("Taken back.");
  expect(stub.orders.at(-1)).toMatchObject({ type: "undo", sessionId: "s1" });
  await expect(undo).toBeDisabled();

  await drawer.getByRole("button", { name: "Pause" }).click();
  await expect(undo).toHaveText("Undo: pause");
  await page.clock.runFor(60_000);
  await page.keyboard.press("Control+z");
  await expect.poll(() => stub.orders.at(-1)).toMatchObject({ type: "undo", sessionId: "s1" });
  await drawer.getByRole("button", { name: "Close" }).click();

  await group(page).getByRole("button", { name: "Give everyone 5 minutes" }).click();
  expect(stub.orders.at(-1)).toMatchObject({ type: "extend", sessionId: "*", minutes: 5 });
  const undoAll = group(page).getByRole("button", { name: "Undo: +5 min" });
  await expect(undoAll, "it is deaf at first").toBeDisabled();
  await page.clock.runFor(1_000);
  stub.refusals.set("undo", "nothing_to_undo");
  await undoAll.click();
  await expect(messages(page)).toContainText("there is nothing of yours to take back here, or it is more than ten minutes old.");
  stub.refusals.clear();
  await page.clock.runFor(1_500);
  await group(page).getByRole("button", { name: "Give everyone 5 minutes" }).click();
  await expect(undoAll).toBeVisible();
  await page.clock.runFor(601_000);
  await expect(undoAll).toHaveCount(0);
});

test("stubbed: a fault of many is one entry, an outage is offered once, and a take-over is pointed out", async ({ browser, hall }) => {
  test.setTimeout(120_000);
  const rooms = [{ name: "B12", proctors: [RITA] }, { name: "C3" }];
  const school = await School.open(browser, hall, [{ name: "Ada", room: "B12", seat: "1" }], { rooms });
  const { page } = school;
  const stub = new Stub(20);
  await stub.serve(page);
  await page.goto(`/staff/sittings/${school.sitting.id}/desk?room=B12&step=watch`);
  await expect(page.getByText("Nobody needs attention.")).toBeVisible();

  await test.step("another device has taken a test over", async () => {
    stub.say({}, (_, index) => (index === 2 ? { takenOverAt: ago(60) } : undefined));
    await expect(entries(page)).toHaveText([/Student 3.*Another device has taken the test over at/s]);
    await entries(page).getByRole("button").click();
    await expect(page.locator("[data-taken-over]")).toContainText("the test goes on with another device than before");
    await page.locator(".drawer").getByRole("button", { name: "Close" }).click();
    await page.getByRole("heading", { level: 1 }).hover();
    await page.getByPlaceholder("Find a name or a seat").focus();
    await expect(page.getByText("Nobody needs attention.")).toBeVisible();
    await expect(page.locator("li.tile", { hasText: "Student 3" })).toContainText("At work · Other device at");
    stub.say({}, (_, index) => (index === 2 ? { takenOverAt: ago(0) } : undefined));
    await expect(entries(page), "and once more").toHaveText([/Student 3/]);
    stub.say({}, (_, index) => (index === 2 ? { takenOverAt: ago(601) } : undefined));
    await expect(entries(page)).toHaveCount(0);
  });

  await test.step("a switch fails", async () => {
    for (const from of [0, 5]) stub.say({}, (_, index) => (index >= from && index < from + 5 ? { connected: false, lastSeenAt: ago(2) } : undefined));
    await expect(entries(page)).toHaveText([/^B12: 10 offline since \d\d?:\d\d/]);
    await expect(page.locator("[data-count=offline]")).toHaveText("10");
    await check(page, "a fault of many");
    await entries(page).getByRole("button", { name: "Orders for the room…" }).click();
    const dialog = page.getByRole("dialog", { name: "Orders for everyone in B12" });
    await check(page, "orders for the room");
    await dialog.getByRole("button", { name: "Give everyone 5 minutes" }).click();
    await expect.poll(() => stub.orders.at(-1)).toMatchObject({ type: "extend", sessionId: "*", minutes: 5 });
    await dialog.getByLabel("A word for the students").fill("The switch is broken");
    await dialog.getByLabel("A word for the students").press("Enter");
    await expect.poll(() => stub.orders.at(-1)).toMatchObject({ type: "pause", sessionId: "*", text: "The switch is broken" });
    await page.getByPlaceholder("Find a name or a seat").focus();
    stub.say({}, (_, index) => (index < 6 ? { connected: true, lastSeenAt: ago(0) } : undefined));
    await expect(entries(page).filter({ hasText: "offline since" })).toHaveCount(0);
    stub.say({}, () => ({ connected: true, lastSeenAt: ago(0) }));
    await expect(page.getByText("Nobody needs attention.")).toBeVisible();
  });

  await test.step("the server was away", async () => {
    const outage = { from: ago(200), to: ago(100), milliseconds: 100_000 };
    stub.say({ outages: [outage] }, (_, index) => (index === 0 ? { state: "submitted", score: 1 } : undefined));
    await expect(entries(page)).toContainText(["The server was away for 1 min 40 s"]);
    await check(page, "an outage");
    await entries(page).getByRole("button", { name: "Give 2 minutes to 19 students" }).click();
    await expect.poll(() => stub.orders.at(-1)).toMatchObject({ type: "extend", sessionId: "*", minutes: 2 });
    await page.reload();
    await expect(page.locator("li.tile")).toHaveCount(20);
    await expect(page.getByText("Nobody needs attention."), "it is asked once").toBeVisible();
    stub.say({ outages: [outage, { from: ago(50), to: ago(45), milliseconds: 5_000 }] });
    await entries(page).getByRole("button", { name: "Not needed" }).click();
    await page.getByPlaceholder("Find a name or a seat").focus();
    await page.getByRole("heading", { level: 1 }).hover();
    await expect(page.getByText("Nobody needs attention.")).toBeVisible();
  });

  await test.step("the desk of the whole exam leads to that of the hall", async () => {
    stub.say({ outages: undefined });
    await page.goto(`/staff/sittings/${school.sitting.id}/desk?step=watch`);
    await expect(page.locator("li.tile")).toHaveCount(20);
    stub.say({}, (_, index) => (index > 9 ? { connected: false, lastSeenAt: ago(2) } : undefined));
    await entries(page).getByRole("button", { name: "Orders for the room…" }).click();
    await expect(page).toHaveURL(/room=B12/);
    await expect(page.getByRole("dialog", { name: "Orders for everyone in B12" })).toBeVisible();
  });

  await test.step("narrow, in forced colours and in Vietnamese", async () => {
    await page.keyboard.press("Escape");
    await page.evaluate(() => localStorage.setItem("examhall-language", "vi"));
    stub.say({ standing: stopped("Chuông báo cháy"), outages: [{ from: ago(30), to: ago(20), milliseconds: 10_000 }] }, () => ({ standing: "paused", state: "paused" }));
    await page.goto(`/staff/sittings/${school.sitting.id}/desk?room=B12&step=watch`);
    await expect(standing(page)).toContainText("Dừng giờ từ");
    for (const width of [1366, 820, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await fits(page, `${width}`);
    }
    await check(page, "Vietnamese");
    await page.emulateMedia({ forcedColors: "active" });
    await check(page, "forced colours");
  });
});

test("who comes while a hall is paused reads why, and has its pauses and minutes as the others do", async ({ browser, hall }) => {
  test.setTimeout(120_000);
  const rooms = [{ name: "B12", proctors: [RITA] }, { name: "C3", proctors: [RITA] }];
  const school = await School.open(browser, hall, [{ name: "Ada", room: "B12", seat: "1" }, { name: "Bo", room: "B12", seat: "2" }, { name: "Cy", room: "C3", seat: "1" }], { start: "proctor", rooms });
  const { page } = await school.device();
  await signInAs(page, RITA, "Rita");
  const [ada, cy] = [(await school.entered("Ada")).page, (await school.entered("Cy")).page];
  for (const one of [ada, cy]) await ready(one);
  await school.begin();
  for (const one of [ada, cy]) await at(one, 1);

  await page.goto(`/staff/sittings/${school.sitting.id}/desk?room=B12&step=watch`);
  await expect(page.locator("[data-standing=running]")).toHaveText("Time is not stopped.");
  await page.getByRole("button", { name: "Pause everyone…" }).click();
  await page.getByLabel("A word for the students").fill("Fire alarm");
  await page.getByLabel("A word for the students").press("Enter");
  await expect(messages(page)).toContainText("Everyone is paused: 1 student, and whoever comes later");
  await expect(page.locator("[data-standing=paused]")).toContainText(/by rita@school\.example: Fire alarm\./);
  await expect(ada.getByRole("heading", { name: "Time is stopped: Fire alarm" })).toBeVisible();
  await expect(page.locator("li.tile", { hasText: "Bo" })).toContainText("Expected · Time stopped");
  await at(cy, 1);

  const bo = (await school.entered("Bo")).page;
  await expect(bo.getByRole("heading", { name: "Time is stopped: Fire alarm" })).toBeVisible();
  await expect(bo.getByRole("radio").first()).toBeHidden();
  await expect(page.locator("li.tile", { hasText: "Bo" })).toContainText("Paused");
  await page.locator("li.tile", { hasText: "Bo" }).getByRole("button").click();
  await expect(page.locator(".drawer").getByRole("button", { name: "Go on" })).toBeEnabled();
  await page.locator(".drawer").getByRole("button", { name: "Go on" }).click();
  await expect(messages(page)).toContainText("the pause of everyone, in the room or in the whole exam, lasts on.");
  await page.locator(".drawer").getByRole("button", { name: "Close" }).click();
  const today = await page.context().newPage();
  await today.goto("/staff");
  await expect(today.locator("[data-stopped]")).toHaveText(/^B12: time stopped since .*: Fire alarm$/);
  await check(today, "Today, with a room that is paused");

  await today.goto(`/sittings/${school.sitting.id}/screen?room=B12`);
  await expect(today.getByText("Time is stopped: Fire alarm")).toBeVisible();
  await check(today, "the projector, with a room that is paused");

  await group(page).getByRole("button", { name: "Give everyone 5 minutes" }).click();
  await expect(messages(page)).toContainText("Everyone got 5 minutes: 2 students");
  await group(page).getByRole("button", { name: "Let everyone go on" }).click();
  await expect(messages(page)).toContainText("Everyone goes on: 2 students");
  for (const one of [ada, bo]) await at(one, 1);
  await answer(bo, "B");
  await saving(bo, "saved");
  await expect(page.locator("[data-standing=running]")).toContainText("Everyone was given 5 minutes. It was stopped for");
  const { sessions } = await call(page, "GET", `/api/live/sessions?sittingId=${school.sitting.id}&room=B12`);
  const [first, second] = sessions.map(({ deadline }: { deadline: string }) => deadline);
  expect(second, "the same for who came late").toBe(first);

  const again = (await school.entered("Bo")).page;
  await at(again, 1);
  await expect(entries(page).filter({ hasText: /Bo.*Another device has taken the test over at/s })).toBeVisible();
});
