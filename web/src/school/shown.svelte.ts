// The school as this page shows it: what the last visit has kept at once, and then what the server says now. A server that says
// nothing changes nothing, and the first question never waits for it.

import { LANGUAGES, offer } from "../texts/choice.svelte";
import { accentOf, type Accent } from "./colours";
import { schoolOf, type School } from "./school";

const KEPT_AS = "examhall-school";
/** The address of the crest that this browser has loaded before. */
const CREST_KEPT_AS = "examhall-crest";
/** What the page itself needs is asked for within this time, also over a slow line. */
const ASK_AFTER_MS = 500;
const CREST_AFTER_MS = 2_000;
const KNOWN = Object.keys(LANGUAGES);

let shown = $state.raw<School | undefined>();
let crest = $state("");
let isHeld = false;
/** What has come while the page was held. */
let waiting: (() => void)[] = [];

/** The school, or undefined while nobody has named it. */
export function school(): School | undefined {
  return shown;
}

/** The address of the crest, once nothing else is in its way; empty without one. */
export function crestAddress(): string {
  return crest;
}

/** Shows the school that the last visit has kept, and asks for it anew. To be called before the page is drawn. */
export function openSchool(): void {
  const found = schoolOf(parsed(read(KEPT_AS)), KNOWN);
  if (found !== undefined) show(found);
  const ask = () => setTimeout(() => void look(), ASK_AFTER_MS);
  if (document.readyState === "complete") ask();
  else addEventListener("load", ask, { once: true });
}

/** From now on nothing of the school changes: while a test runs, nothing may move. Returns how to let it change again. */
export function holdSchool(): () => void {
  isHeld = true;
  return () => {
    isHeld = false;
    for (const change of waiting.splice(0)) change();
  };
}

/** The crest is here, so that the next page shows it at once. */
export function crestCame(): void {
  keep(CREST_KEPT_AS, crest);
}

/** The crest could not be loaded. */
export function crestFailed(): void {
  keep(CREST_KEPT_AS, "");
  unheld(() => (crest = ""));
}

async function look(): Promise<void> {
  const answer = await fetch("/api/school", { headers: { Accept: "application/json" }, priority: "low" }).catch(() => undefined);
  if (answer?.ok !== true) return;
  const said: unknown = await answer.json().catch(() => undefined);
  // A portal in the server's place says something else.
  if (typeof said !== "object" || said === null || !("name" in said)) return;
  const found = schoolOf(said, KNOWN);
  keep(KEPT_AS, found === undefined ? "" : JSON.stringify(found));
  unheld(() => show(found));
}

function unheld(change: () => void): void {
  if (isHeld) waiting.push(change);
  else change();
}

function show(found: School | undefined): void {
  if (JSON.stringify(found) === JSON.stringify(shown)) return;
  if (found !== undefined || shown !== undefined) offer(found?.languages ?? KNOWN);
  shown = found;
  paint(found === undefined ? undefined : accentOf(found.colour));
  const address = found?.crest ?? "";
  if (address === "" || address === read(CREST_KEPT_AS)) crest = address;
  else setTimeout(() => unheld(() => (crest = shown?.crest ?? "")), CREST_AFTER_MS);
}

/** `accent.css` decides where these colours are used. */
function paint(accent: Accent | undefined): void {
  const { style, classList } = document.documentElement;
  classList.toggle("school-colours", accent !== undefined);
  for (const [name, value] of [["accent", accent?.accent], ["accent-deep", accent?.deep], ["accent-soft", accent?.soft]] as const) style.setProperty(`--school-${name}`, value ?? null);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A browser without storage throws. */
function read(name: string): string {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

function keep(name: string, text: string): void {
  try {
    if (text === "") localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // The next page then asks again.
  }
}
