import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { USUAL } from "./settings";

/** A browser's storage. */
class Store {
  kept = new Map<string, string>();
  getItem = (name: string) => this.kept.get(name) ?? null;
  setItem = (name: string, value: string) => void this.kept.set(name, value);
  removeItem = (name: string) => void this.kept.delete(name);
}

interface Asked {
  method: string;
  view?: unknown;
}

let local: Store;
let root: { dataset: Record<string, string> };
let asked: Asked[];
/** What the server has, or `undefined` while it can't be reached. */
let server: { view: unknown } | undefined;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000 });
  [local, asked, server] = [new Store(), [], { view: null }];
  vi.stubGlobal("localStorage", local);
  vi.stubGlobal("fetch", (_: string, { method = "GET", body }: { method?: string; body?: string } = {}) => {
    const { view } = (body === undefined ? {} : JSON.parse(body)) as { view?: unknown };
    asked.push({ method, ...(view === undefined ? {} : { view }) });
    if (server === undefined) return Promise.reject(new TypeError("no network"));
    if (view !== undefined) server = { view };
    return Promise.resolve({ ok: true, json: () => Promise.resolve(server) });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A page in a tab: with the tab's storage, if it was there before. */
async function open({ tab = new Store(), path = "/test/5", matching = [] as string[] } = {}) {
  root = { dataset: {} };
  vi.stubGlobal("sessionStorage", tab);
  vi.stubGlobal("document", { documentElement: root });
  vi.stubGlobal("location", { pathname: path });
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: matching.some((part) => query.includes(part)), addEventListener() {}, removeEventListener() {} }));
  vi.resetModules();
  return { tab, page: await import("./view.svelte") };
}

const saved = () => asked.filter(({ method }) => method === "PUT").map(({ view }) => view);

test("a view is applied at once, and again after a reload", async () => {
  const { tab, page } = await open();
  expect(root.dataset).toMatchObject({ size: "100", spacing: "normal", theme: "light" });
  page.changeView({ size: 150, theme: "dark" });
  expect(root.dataset).toMatchObject({ size: "150", theme: "dark" });
  await open({ tab });
  expect(root.dataset).toMatchObject({ size: "150", theme: "dark" });
  await vi.runAllTimersAsync();
  expect(asked).toEqual([]);
});

test("colours that are forced replace the theme, but not the choice", async () => {
  const { tab, page } = await open({ matching: ["forced"] });
  page.changeView({ theme: "contrast" });
  expect(root.dataset["theme"]).toBe("light");
  await open({ tab });
  expect(root.dataset["theme"]).toBe("contrast");
});

test("the account's view comes from the server, and changes go there", async () => {
  server = { view: { ...USUAL, theme: "cream", at: 500 } };
  const { page } = await open();
  await page.known("ada@school.example");
  expect(root.dataset["theme"]).toBe("cream");
  page.changeView({ size: 125 });
  page.changeView({ size: 150 });
  await vi.runAllTimersAsync();
  expect(saved()).toEqual([{ ...USUAL, theme: "cream", size: 150, at: 1_000 }]);
});

test("what could not be saved is sent with the next change, or by the next page", async () => {
  const { tab, page } = await open();
  await page.known("ada@school.example");
  server = undefined;
  page.changeView({ theme: "dark" });
  await vi.runAllTimersAsync();
  expect(saved()).toHaveLength(1);
  server = { view: null };
  page.changeView({ size: 125 });
  await vi.runAllTimersAsync();
  expect(saved().at(-1)).toMatchObject({ theme: "dark", size: 125 });
  server = undefined;
  page.changeView({ size: 200 });
  await vi.runAllTimersAsync();
  server = { view: null };
  const next = await open({ tab });
  await next.page.known("ada@school.example");
  await vi.runAllTimersAsync();
  expect(server).toMatchObject({ view: { size: 200 } });
});

test("a page that is left sends what waits", async () => {
  const { page } = await open();
  await page.known("ada@school.example");
  page.changeView({ theme: "dark" });
  page.saveNow();
  expect(saved()).toHaveLength(1);
  page.saveNow();
  expect(saved()).toHaveLength(1);
});

test("an answer that comes after another has signed in changes nothing", async () => {
  server = { view: { ...USUAL, theme: "dark", at: 500 } };
  const { page } = await open();
  const first = page.known("ada@school.example");
  page.unknown();
  await first;
  expect(root.dataset["theme"]).toBe("light");
});

test("the next student at a shared computer gets neither the account's nor the attempt's view", async () => {
  const { page, tab } = await open();
  page.takeSeat("s1");
  page.changeView({ theme: "dark" });
  page.leaveSeat();
  expect(root.dataset["theme"]).toBe("dark");
  const report = await open({ tab, path: "/report/s1" });
  expect(root.dataset["theme"]).toBe("dark");
  const next = await open({ tab: report.tab });
  expect(root.dataset["theme"]).toBe("light");
  expect(next.page.lastView()).toMatchObject({ theme: "dark" });
  await next.page.known("bo@school.example");
  expect(root.dataset["theme"]).toBe("light");
  // The same attempt, in a tab that knows nothing of it.
  const crashed = await open();
  expect(root.dataset["theme"]).toBe("light");
  crashed.page.takeSeat("s1");
  expect(root.dataset["theme"]).toBe("dark");
});

test("a browser without storage has a view for as long as the page", async () => {
  vi.stubGlobal("localStorage", undefined);
  const { page } = await open({ tab: undefined as never });
  vi.stubGlobal("sessionStorage", undefined);
  page.changeView({ theme: "cream" });
  expect(root.dataset["theme"]).toBe("cream");
});

test("large text has one column", async () => {
  const { page } = await open();
  expect([page.isNarrow(), root.dataset["columns"]]).toEqual([false, "2"]);
  vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  page.changeView({ size: 200 });
  expect([page.isNarrow(), root.dataset["columns"]]).toEqual([true, "1"]);
});

test("the first grades have large text and options until somebody has chosen a view", async () => {
  const { tab, page } = await open();
  page.ofGrade(2);
  expect(root.dataset).toMatchObject({ size: "125", grade: "2" });
  // One choice keeps what the others were.
  page.changeView({ theme: "cream" });
  expect(root.dataset).toMatchObject({ size: "125", theme: "cream" });
  page.changeView({ size: 100 });
  expect(root.dataset).toMatchObject({ size: "100" });
  const again = await open({ tab });
  again.page.ofGrade(2);
  expect(root.dataset).toMatchObject({ size: "100", theme: "cream" });
  const older = await open();
  older.page.ofGrade(4);
  expect(root.dataset).toMatchObject({ size: "100" });
});

test("dark and contrast of the device are the first choice, and a view that was chosen wins", async () => {
  const { tab, page } = await open({ matching: ["color-scheme: dark"] });
  expect([root.dataset["theme"], page.view().theme]).toEqual(["dark", "dark"]);
  page.changeView({ theme: "light" });
  expect(root.dataset["theme"]).toBe("light");
  await open({ tab, matching: ["color-scheme: dark"] });
  expect(root.dataset["theme"]).toBe("light");
  await open({ matching: ["color-scheme: dark", "contrast: more"] });
  expect(root.dataset["theme"]).toBe("contrast");
  const lit = await open({ matching: ["color-scheme: dark"] });
  server = { view: { ...USUAL, theme: "cream", at: 500 } };
  await lit.page.known("ada@school.example");
  expect(root.dataset["theme"]).toBe("cream");
  lit.page.changeView(lit.page.viewAsUsual());
  expect(root.dataset["theme"]).toBe("dark");
});
