// Starts a test, or continues one that another device has begun. A start carries a key that is stored first: if its answer
// is lost, the same key finds the same test, and never a second one.

import { Exam } from "./exam";
import type { AttemptRecord, AttemptStore, Platform, StoredAttempt } from "./ports";
import type { EndReason, StartRequest, Standing, WaitingFrame } from "./protocol";
import { isRefusal, sentenceOf, standingOf, waitingOf } from "./reply";

/** The protocol takes 16 to 64 characters. */
const KEY_CHARACTERS = 32;
/** The keys of starts that were not answered, for browsers that store nothing or can't be read. */
const unanswered = new Map<string, string>();
/** What the server says before an exam opens. */
export const NOT_OPEN = "The exam has not opened yet";
/** What it says to whoever may not begin a test of a template, or not now. */
const BARS = ["Not for this account", "Not open yet", "Closed", "Code required", "Wrong code", "No attempts left"] as const;
/** The last one is the page's own: the code was not looked at, since too many are tried. */
export type StartBar = (typeof BARS)[number] | "Too many codes";
/** A code that is slowed is answered this much later. */
const CODE_MS = 25_000;
const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";

export type StartOutcome =
  /** `title` and `student` are what the server says of a test that goes on, if it does. */
  | { kind: "exam"; exam: Exam; title?: string; student?: string }
  /** The test of an earlier visit, which has been submitted meanwhile. */
  | { kind: "ended"; sessionId: string; endedBy: EndReason | null }
  /** It is over, and the browser did not say whether it keeps anything of it that never arrived. */
  | { kind: "endUnread"; sessionId: string }
  /** Another tab has begun it since this page was opened. It must not be taken over before the student was asked. */
  | { kind: "underWay" }
  | { kind: "signInNeeded" | "unknown" | "notOpen" | "unreachable" }
  | { kind: "tooMany"; seconds: number }
  | { kind: "barred"; bar: StartBar }
  | { kind: "invalid"; sentence: string };

/**
 * Starts the test, or continues the one that an unanswered start may have begun: until that is known, its key is used
 * again, whatever the student has typed since. `owner` is the e-mail of the student, if one is signed in.
 */
export async function startTest(test: string, start: StartRequest, platform: Platform, owner?: string): Promise<StartOutcome> {
  const found = await platform.attempts.find(test).catch(() => []);
  if (found.some((record) => record.test === test && record.sessionId !== undefined)) return { kind: "underWay" };
  const before = await platform.attempts.claim(test).catch(() => undefined);
  // It was begun meanwhile, or by a page that was closed before the database had it.
  if (before?.record.sessionId !== undefined) return { kind: "underWay" };
  const startKey = before?.record.startKey ?? unanswered.get(test) ?? randomKey(platform);
  unanswered.set(test, startKey);
  // Once it has served, the code is not kept on a device that others use.
  const { accessCode, ...begun } = start;
  const record: AttemptRecord = { test, startKey, start, ...(owner === undefined ? {} : { owner }) };
  await platform.attempts.write(test, { record, isWhole: true }).catch(() => false);
  const askedAt = platform.timing.now();
  const answer = await platform.network.request("POST", "/api/live", undefined, { ...start, key: startKey }, accessCode === undefined ? 0 : CODE_MS).catch(() => undefined);
  const standing = standingOf(answer);
  if (standing !== undefined) unanswered.delete(test);
  if (standing !== undefined) return examOrEnd({ record: { ...record, start: begun }, commands: [], drawings: {} }, standing, platform, platform.timing.now() - askedAt);
  const sentence = sentenceOf(answer);
  if (answer === undefined || sentence === undefined || answer.status >= 500) return { kind: "unreachable" };
  if (answer.status === 401) return { kind: "signInNeeded" };
  // The page sends again by itself what was one too many; a code is looked at by its student first.
  if (answer.status === 429) return accessCode === undefined ? { kind: "tooMany", seconds: answer.retryAfter ?? 1 } : { kind: "barred", bar: "Too many codes" };
  const isNotOpen = answer.status === 403 && sentence === NOT_OPEN;
  const bar = answer.status === 403 ? BARS.find((one) => one === sentence) : undefined;
  if (answer.status !== 400 && answer.status !== 404 && !isNotOpen && bar === undefined) return { kind: "unreachable" };
  // Only now is it certain that no test has begun.
  unanswered.delete(test);
  await platform.attempts.forget(test).catch(() => {});
  if (isNotOpen) return { kind: "notOpen" };
  if (bar !== undefined) return { kind: "barred", bar };
  return answer.status === 404 ? { kind: "unknown" } : { kind: "invalid", sentence };
}

/**
 * Asks where a test stands that another device has begun. `continuation` is the secret in the link that device shows. `test`
 * is the attempt's name on this device, which comes to the test with the line that it may have already; without a name it
 * only learns which test it is.
 */
export async function lookUp(continuation: string, platform: Platform, test?: string): Promise<Standing | WaitingFrame | "unknown" | "unreachable"> {
  const [sessionId = "", token = ""] = continuation.split(".", 2);
  // A claim would end the test in another tab, before it is known whether it can go on in this one.
  const found = test === undefined ? [] : await platform.attempts.find(test).catch(() => []);
  const known = found.find((record) => record.test === test && record.sessionId === sessionId);
  const query = test === undefined ? "" : `?line=${known?.line ?? 0}`;
  const answer = await platform.network.request("GET", `/api/live/${encodeURIComponent(sessionId)}${query}`, token).catch(() => undefined);
  return standingOf(answer) ?? waitingOf(answer) ?? (isRefusal(answer) ? "unknown" : "unreachable");
}

/** Continues such a test on this device, unless it is of a sitting: that has a page of its own. */
export async function continueTest(test: string, continuation: string, platform: Platform): Promise<StartOutcome | { kind: "sitting"; sittingId: string }> {
  const askedAt = platform.timing.now();
  const standing = await lookUp(continuation, platform, test);
  if (typeof standing === "string") return { kind: standing };
  if (standing.sittingId !== undefined) return { kind: "sitting", sittingId: standing.sittingId };
  const roundTripMs = platform.timing.now() - askedAt;
  const claimed = await claimOf(platform.attempts, test);
  const { sessionId, token } = standing;
  // The link was opened here before, so what is unsaved here belongs to this test.
  const known = claimed?.kept?.record.sessionId === sessionId ? claimed.kept.record : undefined;
  const { name, title } = standing;
  const start = name ? { annotations: { name } } : {};
  const record = known ?? { test, startKey: randomKey(platform), start, sessionId, token };
  const outcome = examOrEnd(await keptOf(claimed, record, platform.attempts), standing, platform, roundTripMs);
  return outcome.kind === "exam" ? { ...outcome, ...(title ? { title } : {}), ...(name ? { student: name } : {}) } : outcome;
}

/** What this device keeps of an attempt; undefined if it can't be read, which does not mean that nothing is kept. */
export async function claimOf(attempts: AttemptStore, test: string): Promise<{ kept: StoredAttempt | undefined } | undefined> {
  const claim = () => attempts.claim(test).then((kept) => ({ kept }));
  return claim().catch(claim).catch(() => undefined);
}

/**
 * What this device goes on from in the session of this record. If it was not here before, it is written down; where it is not
 * known what is here, nothing may be written over it.
 */
export async function keptOf(claimed: { kept: StoredAttempt | undefined } | undefined, record: AttemptRecord, attempts: AttemptStore): Promise<StoredAttempt> {
  if (claimed === undefined) return { record, commands: [], drawings: {}, isBlind: true };
  const { kept } = claimed;
  if (kept !== undefined && kept.record.sessionId === record.sessionId) return { ...kept, record };
  await attempts.write(record.test, { record, isWhole: true }).catch(() => false);
  return { record, commands: [], drawings: {} };
}

/** The exam that goes on from this standing, unless it is over and nothing is left to tell the student. */
export function examOrEnd(kept: StoredAttempt, standing: Standing, platform: Platform, roundTripMs: number): Extract<StartOutcome, { kind: "exam" | "ended" | "endUnread" }> {
  const { sessionId, token } = standing;
  if (standing.state === "submitted" && kept.isBlind === true) return { kind: "endUnread", sessionId };
  if (standing.state === "submitted" && kept.commands.length === 0) {
    void platform.attempts.forget(kept.record.test).catch(() => {});
    return { kind: "ended", sessionId, endedBy: standing.reason ?? null };
  }
  kept.record = { ...kept.record, sessionId, token };
  return { kind: "exam", exam: new Exam(kept, platform, standing, roundTripMs) };
}

export function randomKey(platform: Platform): string {
  const character = () => ALPHABET.charAt(Math.floor(platform.timing.random() * ALPHABET.length));
  return Array.from({ length: KEY_CHARACTERS }, character).join("");
}
