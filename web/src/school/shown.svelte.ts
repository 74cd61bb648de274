// The school as this page shows it: what the last visit has kept at once, and then what the server says now. A server that says
// nothing changes nothing, and the first question never waits for it.

import { LANGUAGES, offer } from "../texts/choice.svelte";
import type { ShownSchool } from "./asked";

const KEPT_AS = "examhall-school";
/** The address of the crest that this browser has loaded before. */
const CREST_KEPT_AS = "examhall-crest";
/** What the page itself needs is asked for within this time, also over a slow line. */
const ASK_AFTER_MS = 500;
const CREST_AFTER_MS = 2_000;
const KNOWN = Object.keys(LANGUAGES);

let shown = $state.raw<ShownSchool | undefined>();
let crest = $state("");
let isHeld = false;
let offered = offer;
/** What has come while the page was held. */
const waiting: (() => void)[] = [];

/** The school, or undefined while nobody has named it. */
export function school(): ShownSchool | undefined {
  return shown;
}

/** The address of the crest, once nothing else is in its way; empty without one. */
export function crestAddress(): string {
  return crest;
}

/**
 * Shows the school that the last visit has kept, and asks for it anew. To be called before the page is drawn. `offers` is told the
 * school's languages: those that students may choose are not all that staff speak.
 */
export function openSchool(offers = offer): void {
  offered = offers;
  show(keptSchool());
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

/** Asks at once, past what the browser keeps: somebody has changed the school on this page. */
export function lookAgain(): void {
  void look("no-cache");
}

async function look(cache?: RequestCache): Promise<void> {
  const said = await import("./asked").then(({ askSchool }) => askSchool(KNOWN, cache)).catch(() => undefined);
  if (said === undefined) return;
  keep(KEPT_AS, said.school === undefined ? "" : JSON.stringify(said.school));
  unheld(() => show(said.school));
}

function unheld(change: () => void): void {
  if (isHeld) waiting.push(change);
  else change();
}

function show(found: ShownSchool | undefined): void {
  if (JSON.stringify(found) === JSON.stringify(shown)) return;
  offered(found?.languages);
  shown = found;
  paint(found?.accent);
  const address = found?.crest ?? "";
  if (address === "" || address === read(CREST_KEPT_AS)) crest = address;
  else setTimeout(() => unheld(() => (crest = shown?.crest ?? "")), CREST_AFTER_MS);
}

/** `accent.css` decides where these colours are used. */
function paint(accent: ShownSchool["accent"]): void {
  const { style, classList } = document.documentElement;
  classList.toggle("school-colours", accent !== undefined);
  style.setProperty("--school-accent", accent?.accent ?? null);
  style.setProperty("--school-accent-deep", accent?.deep ?? null);
  style.setProperty("--school-accent-soft", accent?.soft ?? null);
}

/** What this browser has kept, unless it is of another kind than this page writes. */
function keptSchool(): ShownSchool | undefined {
  try {
    const kept = JSON.parse(read(KEPT_AS)) as ShownSchool;
    return kept.name !== "" && Array.isArray(kept.languages) && "crest" in kept && "timeZone" in kept ? kept : undefined;
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
