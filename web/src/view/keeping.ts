// Whose view it is. A tab keeps the view of the student who sits before it, and the device the last ones of several, each
// with its owner: an account, or an attempt of somebody who is not signed in. So a view comes back after a reload, after a
// crash and with the account, but is not forced on the next student at a shared computer, who may take it over with one press.

import { isSameView, USUAL, viewIn, type View } from "./settings";

export interface KeptView {
  /** The owner: an account or an attempt; empty while the student has neither begun a test nor said who they are. */
  of: string;
  /** When it was last changed, by the calendar of the device; 0 if it never was. */
  at: number;
  view: View;
  /** Its attempt is over, so whoever begins the next one may be somebody else. */
  isOver?: true;
}

/** How many views a device keeps. */
const DEVICE_MAX = 8;
const ACCOUNT = "account:";
const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

export const NOBODYS: KeptView = { of: "", at: 0, view: USUAL };

/** The owner of an account's view. The address itself would stay on shared computers; a hash of it tells accounts apart as well. */
export function accountOf(email: string): string {
  let hash = FNV_BASIS;
  for (const character of email.toLowerCase()) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), FNV_PRIME) >>> 0;
  return `${ACCOUNT}${hash.toString(36)}`;
}

export const attemptOf = (sessionId: string) => `attempt:${sessionId}`;

export const isAccounts = ({ of }: KeptView) => of.startsWith(ACCOUNT);

/** A view as it was stored, or undefined if it is none. */
export function keptIn(stored: unknown): KeptView | undefined {
  const found = typeof stored === "object" && stored !== null ? (stored as Record<string, unknown>) : undefined;
  if (typeof found?.["of"] !== "string" || typeof found["at"] !== "number" || !Number.isFinite(found["at"])) return undefined;
  return { of: found["of"], at: found["at"], view: viewIn(found["view"]), ...(found["isOver"] === true ? { isOver: true as const } : {}) };
}

/**
 * What a page shows before anybody has said who sits before it. In a new tab it is the last view of an account, if that is the
 * last of the device: the sign-in too is there in every tab. `isReport` is a page that shows what is over.
 */
export function firstOf(tab: KeptView | undefined, device: KeptView[], isReport: boolean): KeptView {
  if (tab !== undefined) return tab.isOver && !isReport ? NOBODYS : tab;
  const last = device[0];
  return last !== undefined && isAccounts(last) ? last : NOBODYS;
}

/** The account of this owner is signed in. What somebody has chosen before they said who they are is theirs, unless they have chosen before. */
export function signedIn(now: KeptView, owner: string, device: KeptView[]): KeptView {
  if (now.of === owner) return now;
  const own = device.find(({ of }) => of === owner);
  if (own !== undefined) return own;
  return now.of === "" && now.at > 0 ? { ...now, of: owner } : { ...NOBODYS, of: owner };
}

/** Nobody is signed in. */
export function signedOut(now: KeptView): KeptView {
  return isAccounts(now) ? NOBODYS : now;
}

/** This attempt is being taken here: by the account that is signed in, or else by whoever has its secret. */
export function seated(now: KeptView, owner: string, device: KeptView[]): KeptView {
  if (isAccounts(now) || now.of === owner) return now;
  if (now.of === "" && now.at > 0) return { ...now, of: owner };
  return device.find(({ of }) => of === owner) ?? { ...NOBODYS, of: owner };
}

/** The attempt is over. An account stays whose it is. */
export function left(now: KeptView): KeptView {
  return isAccounts(now) ? now : { ...now, isOver: true };
}

/** The last change wins. Without one, the server has nothing. */
export function newest(now: KeptView, server: KeptView | undefined): KeptView {
  return server !== undefined && server.at > now.at ? server : now;
}

/** The views of the device with this one, the last first. One that nobody has ever changed is not worth a place. */
export function withKept(device: KeptView[], now: KeptView): KeptView[] {
  if (now.at === 0) return device;
  return [now, ...device.filter(({ of }) => of !== now.of)].slice(0, DEVICE_MAX);
}

/** The last view of somebody without an account, for whoever has the usual one and may be the same person. */
export function offeredView(now: KeptView, device: KeptView[], usual = USUAL): View | undefined {
  const last = device.find((kept) => !isAccounts(kept) && kept.of !== now.of)?.view;
  return now.at === 0 && last !== undefined && !isSameView(last, usual) ? last : undefined;
}
