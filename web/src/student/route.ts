// Reads addresses: which page each one is, and which test it asks for.

import type { AskedTypes, Mode, StartRequest } from "../exam/protocol";

/** `isNamed` if the link says whose test it is; `isContinued` if the test was begun on another device. */
export type TestRoute = { page: "test"; test: string; start: StartRequest; grade?: number; templateId?: string; isNamed?: boolean; isContinued?: boolean };
/** By its code, or by its id if the student comes from another page. */
export type SittingRoute = { page: "sitting"; test: string } & ({ code: string } | { sittingId: string });
export type Route = TestRoute | SittingRoute | { page: "start" | "continue" | "sittings" | "signIns" | "unknown" } | { page: "report"; sessionId: string; isForParents?: boolean } | { page: "sheets"; sittingId: string; room?: string };

/** The limits of a standard test (docs/live-protocol.md). Links that ask for more or less get the nearest value. */
const QUESTIONS = { fewest: 10, most: 40 };
const MINUTES = { fewest: 15, most: 70 };
export const USUAL_MINUTES = 30;
/** The parameters by which a link says who the student is, for the teacher and the learning management system. */
const STUDENT = ["studentId", "name"];
/** `event` is the calendar event that announced the test; its sessions can be found by it. */
const ANNOTATIONS = [...STUDENT, "event"];
const GRADES = 10;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function routeOf(address: URL): Route {
  const [first = "", second = "", ...more] = address.pathname.split("/").filter((part) => part !== "");
  if (first === "") return { page: "start" };
  if (first === "continue" && second === "") return continued(address.searchParams);
  if (first === "sittings" && second === "") return { page: "sittings" };
  if (second === "" || more.length > 0) return { page: "unknown" };
  if (first === "auth" && second === "sign-ins") return { page: "signIns" };
  if (first === "s") return sittingOf(second);
  if (first === "test") return testOf(second, address.searchParams);
  if (first === "t") return ofTemplate(second, address.searchParams);
  if (first === "report" && second === "class") return classOf(address.searchParams);
  if (first === "report") return { page: "report", sessionId: second, ...(address.searchParams.get("for") === "parents" ? { isForParents: true } : {}) };
  return { page: "unknown" };
}

function ofTemplate(templateId: string, query: URLSearchParams): TestRoute {
  return named({ page: "test", test: `template:${templateId}`, templateId, start: { templateId, ...extras(query) } });
}

/** The sheets for the parents of a class: everyone who sat an exam, or those of one room. */
function classOf(query: URLSearchParams): Route {
  const sittingId = query.get("sittingId") ?? "";
  const room = query.get("room") ?? "";
  return ID.test(sittingId) ? { page: "sheets", sittingId: sittingId.toLowerCase(), ...(room === "" ? {} : { room }) } : { page: "unknown" };
}

/** One code is one test, however it was typed. */
function sittingOf(name: string): SittingRoute {
  const called = ID.test(name) ? { sittingId: name.toLowerCase() } : { code: name.toUpperCase() };
  return { page: "sitting", test: `sitting:${called.sittingId ?? called.code}`, ...called } as SittingRoute;
}

function continued(query: URLSearchParams): Route {
  const [templateId, grade] = [query.get("template"), query.get("grade")];
  if (!templateId && grade === null) return { page: "continue" };
  const route = templateId ? ofTemplate(templateId, query) : testOf(grade ?? "", query);
  // Another name than that of a test begun here, which may belong to another student.
  return route.page === "test" ? { ...route, test: `continued:${route.test}`, isContinued: true } : route;
}

/** The address that continues a test on another device. For a test by grade, the server knows everything else. */
export function continuedAt({ templateId, grade, mode }: { templateId?: string; grade?: number; mode?: Mode }): string {
  const query = new URLSearchParams();
  if (templateId !== undefined) query.set("template", templateId);
  if (grade !== undefined) query.set("grade", String(grade));
  if (mode === "adaptive") query.set("mode", mode);
  const asked = query.toString();
  return asked === "" ? "/continue" : `/continue?${asked}`;
}

/** The address that continues an attempt on this device. */
export function movedAt({ sessionId, token }: { sessionId: string; token: string }, { templateId, grade, mode }: { templateId?: string | null; grade?: number; mode?: Mode }): string {
  const where = templateId ? { templateId } : { ...(grade === undefined ? {} : { grade }), ...(mode === undefined ? {} : { mode }) };
  return `${continuedAt(where)}#${sessionId}.${token}`;
}

/** The address at which this device goes on with an attempt at a sitting. */
export function sittingAt(sittingId: string, continuation: string): string {
  return `/s/${sittingId}#${continuation}`;
}

/** The address of the sheet for the parents, beside the report. */
export const parentsAt = (sessionId: string) => `/report/${sessionId}?for=parents`;

/** The link that continues this test on another device. Its secret stands behind `#`, so that no server and no log sees it. */
export function linkOf(address: URL, continuation: string): string {
  const route = routeOf(address);
  const where = route.page === "test" && route.templateId !== undefined ? { templateId: route.templateId } : {};
  return `${address.origin}${continuedAt(where)}#${continuation}`;
}

/** The secret in such a link, if there is one: the session and its token. */
export function continuationOf(hash: string): string | undefined {
  return /^#([\w-]+\.[\w-]+)$/.exec(hash)?.[1];
}

function testOf(text: string, query: URLSearchParams): Route {
  const grade = Number(text);
  if (!/^[1-9]\d*$/.test(text) || grade < 1 || grade > GRADES) return { page: "unknown" };
  if (query.get("mode") === "adaptive") return named({ page: "test", test: `grade:${grade}:adaptive`, grade, start: { grade, mode: "adaptive", ...typesIn(query), ...extras(query) } });
  const questionCount = within(query.get("questions"), QUESTIONS);
  const durationMinutes = within(query.get("minutes"), MINUTES) ?? USUAL_MINUTES;
  const length = questionCount === undefined ? { durationMinutes } : { questionCount, durationMinutes };
  return named({ page: "test", test: `grade:${grade}:standard`, grade, start: { grade, mode: "standard", ...length, ...typesIn(query), ...extras(query) } });
}

/** Numbers are asked for only where the link says so. */
function typesIn(query: URLSearchParams): { types?: AskedTypes } {
  const asked = query.get("types");
  return asked === "number" || asked === "all" ? { types: asked } : {};
}

/** The number of questions of a test that asks for none: the server's own rule, two for three minutes. */
export function usualCount(durationMinutes = USUAL_MINUTES): number {
  return Math.min(QUESTIONS.most, Math.max(QUESTIONS.fewest, Math.round((durationMinutes * 2) / 3)));
}

/** Gives the link of each student, and of each event, a test of its own on this device. */
function named(route: TestRoute): TestRoute {
  const annotations = route.start.annotations ?? {};
  const said = new URLSearchParams(annotations).toString();
  if (said === "") return route;
  const annotated = { ...route, test: `${route.test}?${said}` };
  return STUDENT.some((name) => name in annotations) ? { ...annotated, isNamed: true } : annotated;
}

/** The number that the link asks for, within the limits; undefined if it asks for none. */
function within(text: string | null, { fewest, most }: typeof QUESTIONS): number | undefined {
  const asked = Number(text || NaN);
  return Number.isInteger(asked) ? Math.min(most, Math.max(fewest, asked)) : undefined;
}

function extras(query: URLSearchParams): Pick<StartRequest, "annotations" | "webhookUrl"> {
  const annotations: Record<string, string> = {};
  for (const name of ANNOTATIONS) {
    const value = query.get(name)?.trim();
    if (value) annotations[name] = value.slice(0, 200);
  }
  const webhookUrl = query.get("webhookUrl");
  return { annotations, ...(webhookUrl ? { webhookUrl } : {}) };
}
