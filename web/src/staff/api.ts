// The server's HTTP API as the staff pages use it: every answer is done, refused or unreachable, and none is thrown.

import type { BodyOf, ParamsOf, PathWith, ValueOf } from "../api/paths";
import { note } from "./serverClock";
import { staffTexts } from "./texts/texts.svelte";

/** `version` is that of what was read or made, if the server says one. */
export type Answer<T> = { kind: "done"; value: T; version?: number } | Refused | { kind: "unreachable" };
export interface Refused {
  kind: "refused";
  status: number;
  /** The server's own sentence, in English; empty if it said none. */
  error: string;
  /** All that it said, such as the rows of a file that are wrong. */
  body: unknown;
}

export type Method = "POST" | "PUT" | "PATCH" | "DELETE";
type Verb<M extends Method> = Lowercase<M>;
export type Query = Record<string, string | number | boolean | undefined>;
type Sending<Params> = IfOptional<Params, { params?: Params }, { params: Params }> & {
  /** Changes this version alone: it becomes `If-Match`. */
  version?: number | undefined;
  /** For what the server itself takes long to put together. */
  patienceMs?: number;
};

/** A request is given up after this time. Uploads get more, since a school's line may be slow. */
const PATIENCE_MS = 20_000;
const UPLOAD_PATIENCE_MS = 120_000;
/** The header `Date` has whole seconds, cut off. */
const DATE_STEP_MS = 1_000;

const SIGNED_OUT = 401;
/** What the server calls it that it only reads for a while. */
const READ_ONLY = "read_only";

/**
 * Waits until whoever was signed in is so again, and says whether they are. Who wants to do something is asked to sign in; what
 * is only read is named by `reading`, and waits until they do.
 */
export type WaitForSignIn = (reading?: string) => Promise<boolean>;
let waitForSignIn: WaitForSignIn = () => Promise.resolve(false);

export function onSignedOut(wait: WaitForSignIn): void {
  waitForSignIn = wait;
}

/** Asks; and if the sign-in has ended, once more when the same person has signed in again: nothing has to be done twice. */
export async function whenSignedIn<T, A extends Answer<T>>(ask: () => Promise<A>, reading?: string): Promise<A> {
  const answer = await ask();
  const isSignedOut = answer.kind === "refused" && answer.status === SIGNED_OUT;
  return isSignedOut && (await waitForSignIn(reading)) ? ask() : answer;
}

type IfOptional<T, Then, Else> = Record<never, never> extends T ? Then : Else;
type Reading = [patienceMs?: number, isForAct?: boolean];
type ReadingOf<Params> = IfOptional<Params, [params?: Params, ...reading: Reading], [params: Params, ...reading: Reading]>;
type LastOf<Params> = IfOptional<Params, [sending?: Sending<Params>], [sending: Sending<Params>]>;
type SendingOf<Body, Params> = undefined extends Body
  ? IfOptional<Params, [body?: Body, sending?: Sending<Params>], [body: Body, sending: Sending<Params>]>
  : [body: Body, ...LastOf<Params>];

/** With `patienceMs` for what the server itself takes long to put together, and `isForAct` for what is read to change it. */
export function get<P extends PathWith<"get">>(
  path: P,
  ...[params, patienceMs, isForAct = false]: ReadingOf<ParamsOf<P, "get">>
): Promise<Answer<ValueOf<P, "get">>> {
  const address = addressOf(path, params);
  return ask(address, { cache: "no-store" }, patienceMs, isForAct ? undefined : address);
}

export function send<M extends Method, P extends PathWith<Verb<M>>>(
  method: M,
  path: P,
  ...[body, sending]: SendingOf<BodyOf<P, Verb<M>>, ParamsOf<P, Verb<M>>>
): Promise<Answer<ValueOf<P, Verb<M>>>> {
  const address = addressOf(path, sending?.params);
  const headers = condition(sending);
  if (body === undefined) return ask(address, { method, headers }, sending?.patienceMs);
  return ask(address, { method, headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) }, sending?.patienceMs);
}

/** Sends a file or a text as it is. */
export function upload<M extends Method, P extends PathWith<Verb<M>>>(
  method: M,
  path: P,
  body: Blob | string,
  contentType: string,
  ...[sending]: LastOf<ParamsOf<P, Verb<M>>>
): Promise<Answer<ValueOf<P, Verb<M>>>> {
  const headers = { ...condition(sending), "Content-Type": contentType };
  return ask(addressOf(path, sending?.params), { method, headers, body }, UPLOAD_PATIENCE_MS);
}

function condition({ version }: { version?: number | undefined } = {}): Record<string, string> {
  return version === undefined ? {} : { "If-Match": `"${version}"` };
}

function ask<T>(address: string, request: RequestInit, patienceMs = PATIENCE_MS, reading?: string): Promise<Answer<T>> {
  return whenSignedIn<T, Answer<T>>(() => askOnce(address, request, patienceMs), reading);
}

async function askOnce<T>(address: string, request: RequestInit, patienceMs: number): Promise<Answer<T>> {
  const sentAt = performance.now();
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), patienceMs);
  const headers = { Accept: "application/json", ...(request.headers as Record<string, string> | undefined) };
  try {
    const response = await fetch(address, { ...request, headers, signal: patience.signal });
    noteDate(response, sentAt);
    const text = await response.text();
    const body = parsed(text);
    if (!response.ok) return refused(response, body);
    // A portal that wants a sign-in answers 200 with a page of its own.
    if (body === undefined && text !== "") return { kind: "unreachable" };
    const version = /^(?:W\/)?"(\d+)"$/.exec(response.headers.get("ETag") ?? "")?.[1];
    return { kind: "done", value: body as T, ...(version === undefined ? {} : { version: Number(version) }) };
  } catch {
    return { kind: "unreachable" };
  } finally {
    clearTimeout(timer);
  }
}

/** The address with its braces filled in, and what is left of the parameters after it. */
export function addressOf(path: string, params: object = {}): string {
  const left = new Map(Object.entries(params as Query).filter(([, value]) => value !== undefined && value !== ""));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name);
    left.delete(name);
    return encodeURIComponent(String(value));
  });
  return left.size === 0 ? filled : `${filled}?${new URLSearchParams([...left].map(([name, value]) => [name, String(value)]))}`;
}

function noteDate(response: Response, sentAt: number): void {
  const date = Date.parse(response.headers.get("Date") ?? "");
  const roundTripMs = performance.now() - sentAt;
  if (!Number.isNaN(date)) note(new Date(date + DATE_STEP_MS / 2).toISOString(), roundTripMs, roundTripMs + DATE_STEP_MS);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refused(response: Response, body: unknown): Answer<never> {
  const said = (body as { error?: unknown } | undefined)?.error;
  // Without a sentence of the server's own, somebody on the way has answered in its place.
  if (typeof said !== "string" && response.status >= 500) return { kind: "unreachable" };
  return { kind: "refused", status: response.status, error: typeof said === "string" ? said : "", body };
}

/** What failed, in the reader's language, with what to do; the server's own sentence stands after it. */
export function failure(answer: Answer<unknown>): string {
  if (answer.kind === "done") return "";
  const texts = staffTexts();
  if (answer.kind === "unreachable") return texts.failedUnreachable;
  if ((answer.body as { code?: unknown } | undefined)?.code === READ_ONLY) return texts.failedReadOnly;
  const sentence = texts.failed[answer.status as keyof typeof texts.failed] ?? (answer.status >= 500 ? texts.failedServer : texts.failedOther);
  return answer.error === "" ? sentence : `${sentence} (${answer.error})`;
}
