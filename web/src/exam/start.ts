// How a test begins: asked for with a key that is kept first, so that a lost answer never costs a second test.

import { Exam, type World } from "./exam";
import type { AttemptRecord, Kept } from "./ports";
import type { StartRequest, Standing } from "./protocol";
import { isRefusal, sentenceOf, standingOf } from "./reply";

/** Characters of a start's key. */
const KEY_CHARACTERS = 32;
/** Keys of starts without an answer, for where the browser keeps nothing or can't say. */
const unanswered = new Map<string, string>();
const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";

export type Begun =
  | { kind: "exam"; exam: Exam }
  /** What an earlier visit has left: it has been submitted meanwhile. */
  | { kind: "ended"; sessionId: string }
  /** Another tab has begun it since this page was opened: nothing is taken over before the student has been asked. */
  | { kind: "underWay" }
  | { kind: "signInNeeded" | "unknown" | "unreachable" }
  | { kind: "tooMany"; seconds: number }
  | { kind: "invalid"; sentence: string };

/**
 * Starts the test, or goes on with the one that an unanswered start has begun: while that is not known its key is used
 * again, whatever the student has typed since. `owner` is the e-mail of who is signed in.
 */
export async function begin(test: string, start: StartRequest, world: World, owner?: string): Promise<Begun> {
  const found = await world.keeper.find(test).catch(() => []);
  if (found.some((record) => record.test === test && record.sessionId !== undefined)) return { kind: "underWay" };
  const before = await world.keeper.claim(test).catch(() => undefined);
  // Begun meanwhile, or by a page that was left before it was written down.
  if (before?.record.sessionId !== undefined) return { kind: "underWay" };
  const startKey = before?.record.startKey ?? unanswered.get(test) ?? randomKey(world);
  unanswered.set(test, startKey);
  const record: AttemptRecord = { test, startKey, start, ...(owner === undefined ? {} : { owner }) };
  await world.keeper.write(test, { record, isWhole: true }).catch(() => false);
  const askedAt = world.surroundings.now();
  const answer = await world.network.request("POST", "/api/live", undefined, { ...start, key: startKey }).catch(() => undefined);
  const standing = standingOf(answer);
  if (standing !== undefined) unanswered.delete(test);
  if (standing !== undefined) return begun({ record, commands: [], drawings: {} }, standing, world, world.surroundings.now() - askedAt);
  const sentence = sentenceOf(answer);
  if (answer === undefined || sentence === undefined || answer.status >= 500) return { kind: "unreachable" };
  if (answer.status === 401) return { kind: "signInNeeded" };
  if (answer.status === 429) return { kind: "tooMany", seconds: answer.retryAfter ?? 1 };
  if (answer.status !== 400 && answer.status !== 404) return { kind: "unreachable" };
  // Only now it is certain that nothing has begun.
  unanswered.delete(test);
  await world.keeper.forget(test).catch(() => {});
  return answer.status === 404 ? { kind: "unknown" } : { kind: "invalid", sentence };
}

/** Where a test stands that another device has begun: `continuation` is what that device has shown. */
export async function lookUp(continuation: string, world: World): Promise<Standing | "unknown" | "unreachable"> {
  const [sessionId = "", token = ""] = continuation.split(".", 2);
  const answer = await world.network.request("GET", `/api/live/${encodeURIComponent(sessionId)}`, token).catch(() => undefined);
  return standingOf(answer) ?? (isRefusal(answer) ? "unknown" : "unreachable");
}

/** Goes on with such a test. */
export async function continueHere(test: string, continuation: string, world: World): Promise<Begun> {
  const askedAt = world.surroundings.now();
  const standing = await lookUp(continuation, world);
  if (typeof standing === "string") return { kind: standing };
  const roundTripMs = world.surroundings.now() - askedAt;
  const claim = () => world.keeper.claim(test).then((kept) => ({ kept }));
  const claimed = await claim().catch(claim).catch(() => undefined);
  const before = claimed?.kept;
  // The link was opened here before: what is unsaved here is this test's.
  if (before?.record.sessionId === standing.sessionId) return begun(before, standing, world, roundTripMs);
  const { sessionId, token } = standing;
  const record: AttemptRecord = { test, startKey: randomKey(world), start: {}, sessionId, token };
  if (claimed === undefined) return begun({ record, commands: [], drawings: {}, isBlind: true }, standing, world, roundTripMs);
  await world.keeper.write(test, { record, isWhole: true }).catch(() => false);
  return begun({ record, commands: [], drawings: {} }, standing, world, roundTripMs);
}

function begun(kept: Kept, standing: Standing, world: World, roundTripMs: number): Begun {
  const { sessionId, token } = standing;
  if (standing.state === "submitted" && kept.commands.length === 0) {
    void world.keeper.forget(kept.record.test).catch(() => {});
    return { kind: "ended", sessionId };
  }
  kept.record = { ...kept.record, sessionId, token };
  return { kind: "exam", exam: new Exam(kept, world, standing, roundTripMs) };
}

function randomKey(world: World): string {
  const character = () => ALPHABET.charAt(Math.floor(world.surroundings.random() * ALPHABET.length));
  return Array.from({ length: KEY_CHARACTERS }, character).join("");
}
