import "../testing/page";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { calendarAddress, calendarFailure, codeOf, feedOf, readCalendar, readAll, wrongFields, write } from "./client";

const ROOT = "https://exam.school.example/wp-json/tribe/events/v1";
let asked: { url: string; request: RequestInit | undefined }[] = [];
let answers: (() => Response)[] = [];

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) => () => new Response(JSON.stringify(body), { status, headers });

beforeEach(() => {
  asked = [];
  vi.stubGlobal("location", { origin: "https://10.0.0.5", href: "https://10.0.0.5/staff" });
  vi.stubGlobal("fetch", async (url: URL | string, request?: RequestInit) => {
    if (String(url) === "/staff") return new Response("", { headers: { "X-TEC-API-ROOT": `${ROOT}/` } });
    asked.push({ url: String(url), request });
    const next = answers.shift();
    if (next === undefined) throw new TypeError("no network");
    return next();
  });
});
afterEach(() => vi.unstubAllGlobals());

test("addresses are those of the school's choice, at the origin of the page", async () => {
  answers = [json({ id: 5 })];
  expect(await readCalendar("/events/5", { search: "a b", status: "" })).toEqual({ kind: "done", value: { id: 5 } });
  expect(asked[0]?.url).toBe("https://10.0.0.5/wp-json/tribe/events/v1/events/5?search=a+b");
  expect(calendarAddress("https://a.example/api/school/events/v1", "/tags", {}, "https://b.example").href).toBe("https://b.example/api/school/events/v1/tags");
});

test("a change is JSON, and says where a test is open already", async () => {
  answers = [json({ id: 5 }, 201, { "X-Exam-Open-Already": "https://exam.school.example/t/1" })];
  expect(await write("POST", "/events", { title: "x" })).toEqual({ kind: "done", value: { id: 5 }, openAlready: "https://exam.school.example/t/1" });
  expect(asked[0]?.request).toMatchObject({ method: "POST", body: '{"title":"x"}' });
});

test("refusals have a code, and the fields that are wrong", async () => {
  const data = { status: 400, params: { end_date: "Invalid parameter." } };
  answers = [json({ code: "rest_invalid_param", message: "Invalid parameter(s): end_date", data }, 400)];
  const answer = await write("POST", "/events/5", {});
  expect([codeOf(answer), wrongFields(answer)]).toEqual(["rest_invalid_param", ["end_date"]]);
  expect(wrongFields({ kind: "refused", status: 400, error: "", body: { data: { params: ["title"] } } })).toEqual(["title"]);
  expect(wrongFields({ kind: "unreachable" })).toEqual([]);
  expect(calendarFailure({ kind: "refused", status: 400, error: "", body: { code: "term_exists" } })).toMatch(/name/);
  expect(calendarFailure({ kind: "done", value: 1 })).toBe("");
});

test("what is no JSON, and what does not come, is unreachable", async () => {
  answers = [() => new Response("<html>", { status: 502 })];
  expect(await readCalendar("/tags")).toEqual({ kind: "unreachable" });
  expect(await readCalendar("/tags")).toEqual({ kind: "unreachable" });
});

test("lists are read to their end", async () => {
  answers = [json({ tags: [{ id: 1 }], total_pages: 2 }), json({ tags: [{ id: 2 }], total_pages: 2 })];
  expect(await readAll("tags", { hide_empty: false })).toEqual({ kind: "done", value: { items: [{ id: 1 }, { id: 2 }], isWhole: true } });
  expect(asked.map(({ url }) => new URL(url).search)).toEqual(["?hide_empty=false&per_page=50&page=1", "?hide_empty=false&per_page=50&page=2"]);
});

test("calendar programs get the address of all events or of a category", () => {
  expect(feedOf(ROOT, "", "webcal")).toBe("webcal://exam.school.example/wp-json/tribe/events/v1/events?ical=1");
  expect(feedOf(ROOT, "grade-5", "http")).toBe(`${ROOT}/events?ical=1&categories=grade-5`);
});
