// Who is signed in, and what they may do. The server decides; the pages only do not offer what it would refuse. When the sign-in
// ends, the page stays that of whoever it was shown to, with all that they have typed, until they sign in again.

import type { MeView } from "../api/schema";
import { get, onSignedOut } from "./api";

export type { MeView as StaffUser } from "../api/schema";

/**
 * `unreachable` until the server has answered once; a later silence changes nothing. `another` person has signed in: nothing of
 * the one before may be shown to them.
 */
export type Acquaintance = "asking" | "unreachable" | "guest" | "known" | "another";

/** The tabs of a browser have one sign-in together, and tell each other when it changes. */
const TABS = "examhall-sign-in";
/** What they tell when somebody has signed out on purpose, in place of an address. */
const SIGNED_OUT = "signed out";

let known = $state.raw<MeView>();
/** The e-mail of whoever was signed in first, also after they have signed out: much of them lives on in the page. */
let owner: string | undefined;
let acquaintance = $state<Acquaintance>("asking");
let isOver = $state(false);
let isAsked = $state(false);
let tabs: BroadcastChannel | undefined;
/** Questions are counted, and an answer that was overtaken by a later one, or by a sign-out here, says nothing. */
let turn = 0;
let taken = 0;

type Resolve = (isBack: boolean) => void;
const acts = new Set<Resolve>();
const readings = new Map<string, Resolve>();

export function me(): MeView | undefined {
  return known;
}

/** Whether somebody was signed in here since the page was loaded. */
export function wasKnown(): boolean {
  return owner !== undefined;
}

export function acquainted(): Acquaintance {
  return acquaintance;
}

/** Whether the sign-in of whoever this page is shown to has ended. */
export function isSignInOver(): boolean {
  return isOver;
}

/** Whether they wanted to do something for which they have to sign in again. */
export function isSignInAsked(): boolean {
  return isAsked;
}

/** Asks the server who is signed in. */
export async function meet(): Promise<void> {
  const mine = (turn += 1);
  const answer = await get("/api/me", { guests: true });
  if (mine <= taken || acquaintance === "another") return;
  taken = mine;
  if (answer.kind === "done") take(answer.value);
  else if (acquaintance !== "known") acquaintance = "unreachable";
}

function take(found: MeView | undefined): void {
  const before = [known?.email, isOver].join();
  if (found !== undefined && found.email !== (owner ??= found.email)) acquaintance = "another";
  else if (known === undefined) {
    known = found;
    acquaintance = found === undefined ? "guest" : "known";
  } else if (found === undefined) isOver = true;
  else {
    if (JSON.stringify(found) !== JSON.stringify(known)) known = found;
    if (isOver) back(true);
    isOver = false;
  }
  if (acquaintance === "another" || before !== [known?.email, isOver].join()) tabs?.postMessage(found?.email ?? "");
}

/** They have signed out here themselves: nothing of them stays on the page. */
export function forget(): void {
  clear();
  tabs?.postMessage(SIGNED_OUT);
}

function clear(): void {
  taken = turn;
  [known, acquaintance, isOver] = [undefined, "guest", false];
  back(false);
}

/**
 * Hears when another tab learns that somebody else is signed in, or nobody. Once they have signed out there, nothing of
 * them stays here either, unless it `isKept`: that outlives it like a sign-in that has ended. Returns how to stop.
 */
export function followTabs(isKept: () => boolean): () => void {
  const channel = new BroadcastChannel(TABS);
  channel.onmessage = ({ data }: MessageEvent<string>) => {
    if (known === undefined || acquaintance === "another") return;
    if (data === SIGNED_OUT && !isKept()) clear();
    else if (data !== (isOver ? "" : known.email)) void meet();
  };
  tabs = channel;
  return () => {
    tabs = undefined;
    channel.close();
  };
}

/**
 * Waits for the sign-in of whoever was signed in. Of readings with the same name only the latest waits, so that a page that reads
 * again and again does not do so a hundred times when they are back.
 */
export async function signedInAgain(reading?: string): Promise<boolean> {
  if (known === undefined) return false;
  if (!isOver) {
    await meet();
    // Somebody else's page begins anew, and nothing of this one is done.
    if (acquaintance === "another") return new Promise(() => {});
    if (!isOver) return acquaintance === "known";
  }
  return new Promise((resolve) => {
    if (reading === undefined) {
      isAsked = true;
      acts.add(resolve);
    } else {
      readings.get(reading)?.(false);
      readings.set(reading, resolve);
    }
  });
}

/** What was to be done is not done; what is typed stays. */
export function signInLater(): void {
  isAsked = false;
  for (const resolve of acts) resolve(false);
  acts.clear();
}

function back(isBack: boolean): void {
  isAsked = false;
  for (const resolve of [...acts, ...readings.values()]) resolve(isBack);
  acts.clear();
  readings.clear();
}

onSignedOut(signedInAgain);

export function isAdmin(): boolean {
  return known?.role === "admin";
}

/** Whether they plan sittings, and see the results of people. */
export function isManager(): boolean {
  return known?.role === "admin" || known?.role === "manager";
}

/** Whether they manage this grade: its sittings, its templates and its results. */
export function manages(grade: number): boolean {
  return isAdmin() || (known?.role === "manager" && known.grades.includes(grade));
}

export function isStaff(): boolean {
  return known !== undefined && known.role !== "student";
}
