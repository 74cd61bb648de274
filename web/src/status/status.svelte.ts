// What the server says to every page, asked again and again while the page is looked at. A server that does not answer
// changes nothing: what it said before is still true, as far as anybody knows.

import type { PageStatus } from "../api/schema";
import { askStatus } from "./asking";
import { nameOf, pauseMs } from "./said";

/** In this tab, until something else is said, or nothing. */
const CLOSED_AS = "examhall-status-closed";

let status = $state.raw<PageStatus>();
let closed = $state(read());
let timer: ReturnType<typeof setTimeout> | undefined;

/** What is said now, unless somebody has closed it. */
export function pageStatus(): PageStatus | undefined {
  return status === undefined || ["", closed].includes(nameOf(status)) ? undefined : status;
}

export function closeStatus(): void {
  keepClosed(status === undefined ? "" : nameOf(status));
}

function keepClosed(name: string): void {
  closed = name;
  try {
    sessionStorage.setItem(CLOSED_AS, closed);
  } catch {
    // It is then shown again on the next page.
  }
}

/** Asks from now on. */
export function followStatus(): void {
  document.addEventListener("visibilitychange", () => void look());
  void look();
}

/** Asks at once: somebody has changed it on this page. */
export async function lookAtStatus(): Promise<void> {
  const found = await askStatus();
  if (found === undefined) return;
  // The next maintenance may be told in the same words.
  if (closed !== "" && nameOf(found) === "") keepClosed("");
  if (JSON.stringify(found) !== JSON.stringify(status)) status = found;
}

async function look(): Promise<void> {
  clearTimeout(timer);
  if (document.hidden) return;
  await lookAtStatus();
  clearTimeout(timer);
  timer = setTimeout(() => void look(), pauseMs(Math.random()));
}

/** A browser without storage throws. */
function read(): string {
  try {
    return sessionStorage.getItem(CLOSED_AS) ?? "";
  } catch {
    return "";
  }
}
