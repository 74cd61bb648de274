// Nothing that can be pressed moves because the network, the clock or somebody else did something: a finger is on its way
// to it. Each page is brought into all states that come by themselves, at all widths, sizes of text and languages.

import type { Page, WebSocketRoute } from "@playwright/test";
import { LONG } from "./frames";
import { expect, test } from "./hall";
import { School } from "./sitting";
import { saving } from "./student";

const WIDTHS = [320, 390, 600, 820, 1366];
const HEIGHTS: Record<number, number> = { 320: 568, 390: 844, 600: 960, 820: 1180, 1366: 768 };
const SIZES = [100, 150, 200];

/** The line of a test, of which each state can be brought about in a moment. */
async function controlled(page: Page) {
  let [isHeld, isCut, left, since] = [false, false, 2_390_000, Date.now()];
  let socket: WebSocketRoute | undefined;
  let held: (() => void)[] = [];
  const now = () => left - (Date.now() - since);
  const changed = (text: string) => text.replace(/"remainingMs":\d+/, `"remainingMs":${now()}`);
  await page.routeWebSocket(/\/api\/live$/, (route) => {
    if (isCut) return void route.close({ code: 3000 });
    socket = route;
    const server = route.connectToServer();
    route.onMessage((message) => server.send(message));
    server.onMessage((message) => {
      const pass = () => route.send(changed(String(message)));
      if (isHeld) held.push(pass);
      else pass();
    });
  });
  await page.route(/\/api\/live(\/[^/]+)?$/, async (route) => {
    if (isCut) return route.abort();
    const response = await route.fetch().catch(() => undefined);
    if (response === undefined) return route.abort();
    await route.fulfill({ response, body: changed(await response.text()) });
  });
  const tell = (frame: object) => socket?.send(JSON.stringify(frame));
  return {
    tell,
    /** How much time is left from now on. */
    time(remainingMs: number) {
      [left, since] = [remainingMs, Date.now()];
      tell({ type: "unpaused", deadline: "", remainingMs });
    },
    /** An answer is on its way, and stays there. */
    async unsaved() {
      isHeld = true;
      await page.keyboard.press("b");
      await page.keyboard.press("c");
      await saving(page, "saving");
    },
    async waiting() {
      tell({ type: "error", code: "storage_unavailable", error: "" });
      await saving(page, "waiting");
    },
    async offline() {
      [isCut, held] = [true, []];
      await socket?.close({ code: 3000 });
      await saving(page, "offline");
    },
    async saved() {
      if (!isCut) for (const pass of held) pass();
      [isHeld, isCut, held] = [false, false, []];
      await page.evaluate(() => dispatchEvent(new Event("online")));
      await saving(page, "saved");
    },
  };
}

/** Where everything is that can be pressed, and what stands beside it; and what of it is cut off. */
async function look(page: Page): Promise<{ places: string[]; faults: string[] }> {
  return page.evaluate(async () => {
    // Where the browser has scrolled to after another size of the window is its own doing.
    scrollTo(0, 0);
    await new Promise(requestAnimationFrame);
    const shown = [...document.querySelectorAll<HTMLElement>("a, button, input, select, summary, textarea, label, .time, .mark, h1, #question-text")].filter((element) => element.parentElement?.closest(".time, .mark") === null);
    const places = shown.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return `${element.localName} ${element.getAttribute("value") ?? ""} ${[x, y, width, height].map((side) => Math.round(side * 10) / 10).join(" ")}`;
    });
    const faults = shown.filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 1 && (left < -0.5 || right > document.documentElement.clientWidth + 0.5 || element.scrollWidth > element.clientWidth + 1);
    });
    return { places, faults: faults.map((element) => `${element.localName} ${element.textContent?.trim()} is cut off`) };
  });
}

/** What the clock shows, and what becomes of the answers meanwhile. */
const TURNS = [
  { clock: "minutes", remainingMs: 2_390_000, states: ["saved", "unsaved"], shown: /^time \S+$/ },
  { clock: "flash", remainingMs: 600_900, states: ["unsaved", "waiting", "offline"], shown: /flash/ },
  { clock: "counting", remainingMs: 170_000, states: ["saved", "offline"], shown: /counting/ },
] as const;

for (const language of ["en", "vi"])
  test(`nothing of a question moves, and nothing is cut, whatever becomes of the network and the clock: ${language}`, async ({ page }) => {
    const line = await controlled(page);
    await page.addInitScript((language) => localStorage.setItem("examhall-language", language), language);
    await page.goto(`${LONG}&name=Nguyễn Thị Minh Khai`);
    await page.getByRole("button", { name: /Start the test|Bắt đầu làm bài/ }).click();
    await saving(page, "saved");
    await page.keyboard.press("ArrowRight");
    const wrong: string[] = [];
    for (const size of SIZES) {
      line.time(TURNS[0].remainingMs);
      await page.evaluate((size) => {
        const kept = JSON.parse(sessionStorage.getItem("examhall-view") ?? '{"of":"","at":0}');
        sessionStorage.setItem("examhall-view", JSON.stringify({ ...kept, at: Date.now(), view: { size } }));
      }, size);
      await page.reload();
      await saving(page, "saved");
      const before = new Map<number, string[]>();
      for (const { clock, remainingMs, states, shown } of TURNS) {
        line.time(remainingMs);
        await expect(page.locator(".time")).toHaveClass(shown);
        for (const state of states) {
          await line[state]();
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: HEIGHTS[width]! });
            const { places, faults } = await look(page);
            const name = `${size} % ${width} px ${clock} ${state}`;
            for (const fault of faults) wrong.push(`${name}: ${fault}`);
            const first = before.get(width) ?? places;
            before.set(width, first);
            for (const [index, place] of first.entries()) if (places[index] !== place) wrong.push(`${name}: ${places[index]} instead of ${place}`);
          }
        }
        await line.saved();
      }
    }
    expect(wrong.slice(0, 40)).toEqual([]);
  });

/**
 * What has moved on a page of staff since this was asked last, and what has come to where something else was. Those who
 * need attention come and go in a list of their own.
 */
async function moved(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const kept = window as unknown as { places?: Map<Element, DOMRect> };
    const before = kept.places;
    kept.places = new Map([...document.querySelectorAll("main :is(a, button, input, select)")].map((element) => [element, element.getBoundingClientRect()]));
    if (before === undefined) return [];
    const name = (element: Element) => `${element.localName} ${element.getAttribute("aria-label") ?? element.textContent?.trim().replace(/\s+/g, " ") ?? ""}`.slice(0, 60);
    const isSeen = ({ width, height }: DOMRect) => width > 1 && height > 1;
    const isListed = (element: Element) => element.closest("[data-attention] ul") !== null;
    const found: string[] = [];
    for (const [element, now] of kept.places) {
      const then = before.get(element);
      if (isListed(element) || !isSeen(now)) continue;
      if (then !== undefined && isSeen(then)) {
        const away = Math.max(Math.abs(now.x - then.x), Math.abs(now.y - then.y));
        if (away > 1) found.push(`${name(element)} moved from ${Math.round(then.x)} ${Math.round(then.y)} to ${Math.round(now.x)} ${Math.round(now.y)}`);
        continue;
      }
      // Beneath the drawer nothing can be pressed.
      const top = document.elementFromPoint(now.x + now.width / 2, now.y + now.height / 2);
      if (top !== null && !element.contains(top)) continue;
      for (const [other, place] of before) {
        const isOver = isSeen(place) && now.left < place.right - 2 && place.left < now.right - 2 && now.top < place.bottom - 2 && place.top < now.bottom - 2;
        if (isOver && !other.contains(element) && !element.contains(other) && !isListed(other)) found.push(`${name(element)} came to where ${name(other)} was`);
      }
    }
    return found;
  });
}

const STEPS = [["prepare", false], ["attendance", false], ["begin", false], ["watch", false], ["watch", true]] as const;

for (const language of ["en", "vi"])
  test(`nothing at the desk moves, whatever becomes of the network and the students: ${language}`, async ({ browser, hall }) => {
    const school = await School.open(browser, hall, [{ name: "Ada", room: "B12", seat: "1" }], { start: "proctor" });
    const { page } = school;
    await page.addInitScript((language) => localStorage.setItem("examhall-language", language), language);
    const [hour, minute] = [3_600_000, 60_000];
    const moment = (fromNow: number) => new Date(Date.now() + fromNow).toISOString();
    const seat = (number: number, more: object) => ({
      sessionId: `s${number}`, candidateId: `c${number}`, student: `Student ${number}`, account: null, grade: 5, templateId: null, mode: "standard", state: "ready", ready: true, connected: true,
      stage: 1, answered: 0, marked: 0, total: 10, currentQuestionId: null, startedAt: moment(-minute), deadline: moment(hour), away: false, awayCount: 0, lastSeenAt: moment(0), score: null,
      sittingId: school.sitting.id, room: "B12", seat: String(number), trouble: [], ...more,
    });
    const away = { sessionId: null, state: "expected", ready: undefined, connected: false, lastSeenAt: null };
    const FIRST = Array.from({ length: 12 }, (_, index) => seat(index + 1, index < 8 ? {} : away));
    /** What happens one after the other. A number of a row is that of a student. */
    const EVENTS: [what: string, rows: [number, object][], more?: object][] = [
      ["one enters", [[9, {}]]],
      ["two have no paper", [[1, { state: "waiting", ready: false, trouble: ["paper"] }], [2, { state: "waiting", ready: false, trouble: ["clock"] }]]],
      ["a wrong code", [[10, { ...away, wrongCodes: 3 }]]],
      ["it begins", Array.from({ length: 9 }, (_, index): [number, object] => [index + 1, { state: "active", at: 0, progress: "0" }])],
      ["a part is missing", [], { partial: true }],
      ["one is late", [[11, { ...away, admittedBy: "rita@school.example" }]]],
      ["one who was late enters", [[11, { state: "active" }]]],
      ["trouble", [[1, { state: "active", refused: 2, away: true, trouble: ["saving"] }], [3, { state: "active", away: true }]]],
      ["a pause", [[1, { state: "paused", connected: false }]]],
      ["more time", [[1, { state: "active", deadline: moment(2 * hour), answered: 9, factor: 150 }]]],
      ["handed in", [[1, { state: "submitted", connected: false }], [2, { state: "submitted" }]]],
    ];
    let say = (_rows: object[], _more: object) => {};
    let cut = async () => {};
    await page.routeWebSocket(/\/api\/live\/proctor$/, (socket) => {
      let seq = 0;
      const frame = (type: string, sessions: object[], more: object) => socket.send(JSON.stringify({ type, room: { sittingId: school.sitting.id }, seq: (seq += 1), serverTime: moment(0), partial: false, sessions, removed: [], complete: true, ...more }));
      socket.onMessage((message) => String(message).includes('"watch"') && frame("roster", FIRST, {}));
      say = (sessions, more) => frame("changes", sessions, more);
      cut = () => socket.close({ code: 3000 });
    });
    const wrong: string[] = [];
    await page.clock.install();
    for (const [step, isOpen] of STEPS) {
      await page.goto(`/staff/sittings/${school.sitting.id}/desk?step=${step}`);
      await expect(page.locator(".desk")).toHaveAttribute("data-step", step);
      for (const width of language === "en" ? [390, 1366] : [820]) {
        await page.setViewportSize({ width, height: 900 });
        await expect(page.locator("[data-count=here]")).toHaveText(/8\D+12/);
        await expect(page.locator("[data-banner]")).toHaveCount(0);
        await page.clock.runFor(1_100);
        await moved(page);
        const note = async (what: string, found?: string[]) => wrong.push(...(found ?? (await moved(page))).map((fault) => `${step} ${width} px, ${what}: ${fault}`));
        if (isOpen) {
          const tile = page.locator("li.tile").first().getByRole("button");
          await tile.scrollIntoViewIfNeeded();
          await moved(page);
          await tile.click();
          await expect(page.locator(".drawer [aria-disabled]").first()).toBeVisible();
          await note("opened", (await moved(page)).filter((fault) => !fault.includes("came to")));
        }
        for (const [what, rows, more = {}] of EVENTS) {
          say(rows.map(([number, changed]) => seat(number, changed)), more);
          await page.clock.runFor(1_100);
          await note(what);
        }
        await cut();
        await expect(page.locator("[data-banner]")).toBeVisible();
        await note("without a network");
        if (isOpen) await page.locator(".drawer").getByRole("button").first().click();
        await page.clock.runFor(30_000);
      }
    }
    expect(wrong.slice(0, 60)).toEqual([]);
  });
