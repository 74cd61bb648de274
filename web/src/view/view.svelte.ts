// The view of the student before this page: applied to the document, kept on the device and with the account. The rules are
// in `keeping.ts`.

import { putFormulasInWords } from "../math/wording.svelte";
import { loadView, saveView } from "./account";
import { accountOf, attemptOf, firstOf, isAccounts, keptIn, left, newest, NOBODYS } from "./keeping";
import { offeredView, seated, signedIn, signedOut, withKept, type KeptView } from "./keeping";
import { highHeadQuery, narrowQuery, NO_GRADE, usualView, type View } from "./settings";

const KEPT_AS = "examhall-view";
const DEVICE_KEPT_AS = "examhall-views";
/** Several choices in a row are one change for the server. */
const SAVE_AFTER_MS = 1_000;

/**
 * What the device asks for. The reader's own colours replace those of the pages, whatever the theme; dark and contrast are
 * the first choice of who has made none.
 */
const [forcedColours, dark, contrast] = ["forced-colors: active", "prefers-color-scheme: dark", "prefers-contrast: more"].map(watched) as [MediaQueryList, MediaQueryList, MediaQueryList];

const first = firstOf(keptIn(read(() => sessionStorage, KEPT_AS)), deviceViews(), location.pathname.startsWith("/report/"));
let kept = $state.raw<KeptView>(first);
/** That of the test that is here. */
let grade = NO_GRADE;
let usual = $state.raw(usualNow());
let isNarrowNow = $state(false);
let offer = $state.raw(offeredView(first, deviceViews(), usual));
let widths = [matchMedia(narrowQuery(view())), matchMedia(highHeadQuery(view()))] as const;
let isUnsaved = false;
let saving: ReturnType<typeof setTimeout> | undefined;

apply();

export function view(): View {
  return kept.at === 0 ? usual : kept.view;
}

/** The view of who has chosen none. */
export function viewAsUsual(): View {
  return usual;
}

/** A test of this grade is here. */
export function ofGrade(of = NO_GRADE): void {
  grade = of;
  renew();
}

function watched(query: string): MediaQueryList {
  const list = matchMedia(`(${query})`);
  list.addEventListener("change", renew);
  return list;
}

function usualNow(): View {
  return usualView(grade, dark.matches, contrast.matches);
}

/** What nobody has chosen may be another now. */
function renew(): void {
  usual = usualNow();
  offer = offeredView(kept, deviceViews(), usual);
  apply();
}

/** Whether the page has one column, with text of this size. */
export function isNarrow(): boolean {
  return isNarrowNow;
}

/** The view that was last used here, for somebody who has not chosen one. */
export function lastView(): View | undefined {
  return offer;
}

export function changeView(changes: Partial<View>): void {
  take({ ...kept, at: Date.now(), view: { ...view(), ...changes } });
  write(() => localStorage, DEVICE_KEPT_AS, withKept(deviceViews(), kept));
  if (isAccounts(kept)) saveSoon();
}

/** Somebody is signed in. Their view comes from the server, beside all that the page loads. */
export async function known(email: string): Promise<void> {
  const owner = accountOf(email);
  const before = kept;
  take(signedIn(kept, owner, deviceViews()));
  const isAdopted = before.of === "" && before.at > 0 && kept.at === before.at;
  const stored = await loadView();
  if (stored === undefined || kept.of !== owner) return;
  const server = keptIn({ ...stored, of: owner });
  // Somebody else may have chosen it before they left. What the account has is theirs.
  take(isAdopted && server !== undefined ? server : newest(kept, server));
  write(() => localStorage, DEVICE_KEPT_AS, withKept(deviceViews(), kept));
  if (kept.at > (server?.at ?? 0)) saveSoon();
}

/** Nobody is signed in. */
export function unknown(): void {
  take(signedOut(kept));
}

/** A test begins, or goes on. */
export function takeSeat(sessionId: string): void {
  take(seated(kept, attemptOf(sessionId), deviceViews()));
  write(() => localStorage, DEVICE_KEPT_AS, withKept(deviceViews(), kept));
}

/** The test is over. */
export function leaveSeat(): void {
  take(left(kept));
}

function take(next: KeptView): void {
  kept = next;
  write(() => sessionStorage, KEPT_AS, kept === NOBODYS ? undefined : kept);
  renew();
}

function apply(): void {
  const { size, spacing, theme, words } = view();
  putFormulasInWords(words);
  Object.assign(document.documentElement.dataset, { size: String(size), spacing, theme: forcedColours.matches ? "light" : theme, grade: String(grade) });
  for (const width of widths) width.removeEventListener("change", measure);
  widths = [matchMedia(narrowQuery(view())), matchMedia(highHeadQuery(view()))];
  for (const width of widths) width.addEventListener("change", measure);
  measure();
}

function measure(): void {
  const [columns, head] = widths;
  isNarrowNow = columns.matches;
  Object.assign(document.documentElement.dataset, { columns: columns.matches ? "1" : "2", head: head.matches ? "high" : "low" });
}

/** What can't be saved is sent with the next change, or by the next page. */
function saveSoon(): void {
  isUnsaved = true;
  clearTimeout(saving);
  saving = setTimeout(() => void save(), SAVE_AFTER_MS);
}

/** Sends at once what has not been sent, as the page is being left. */
export function saveNow(): void {
  clearTimeout(saving);
  if (isUnsaved) void save();
}

async function save(): Promise<void> {
  const sent = kept;
  if (!isAccounts(sent)) return;
  isUnsaved = false;
  if (!(await saveView({ ...sent.view, at: sent.at })) && sent === kept) isUnsaved = true;
}

function deviceViews(): KeptView[] {
  const found = read(() => localStorage, DEVICE_KEPT_AS);
  return Array.isArray(found) ? found.flatMap((one) => keptIn(one) ?? []) : [];
}

/** A browser without storage throws. */
function read(storage: () => Storage, name: string): unknown {
  try {
    return JSON.parse(storage().getItem(name) ?? "null");
  } catch {
    return undefined;
  }
}

function write(storage: () => Storage, name: string, value: unknown): void {
  try {
    if (value === undefined) storage().removeItem(name);
    else storage().setItem(name, JSON.stringify(value));
  } catch {
    // The view then lasts only as long as the page.
  }
}
