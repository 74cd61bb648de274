// The address of the page as a reactive value, and the ways to another one without loading a document.

import type { StaffRoute } from "./pages";
import { isStaffs, staffRouteOf } from "./route";

let address = $state.raw(new URL(location.href));
let isNavigated = false;
const shown = $derived(staffRouteOf(address));

/** Whether the form of the page holds what is not saved. A page has one such form at most. */
let isUnsaved: (() => boolean) | undefined;
/** How somebody wants to leave, while they are asked about what is not saved. */
let wanted = $state.raw<() => void>();

/** The address as it is now, with its query. */
export function here(): URL {
  return address;
}

/** The page of the address. */
export function route(): StaffRoute {
  return shown;
}

/** Whether the page has changed without a document being loaded. */
export function hasNavigated(): boolean {
  return isNavigated;
}

/** Asks before another page is shown while this form holds what is not saved, as long as the component that calls this is shown. */
export function holdUnsaved(isHeld: () => boolean): void {
  $effect(() => {
    isUnsaved = isHeld;
    return () => void ((isUnsaved = undefined), stay());
  });
}

/** Whether the form of the page holds what is not saved. */
export function hasUnsaved(): boolean {
  return isUnsaved?.() === true;
}

/** Whether somebody is asked whether they leave without saving. */
export function isLeaving(): boolean {
  return wanted !== undefined;
}

export function stay(): void {
  wanted = undefined;
}

/** What is not saved is lost. */
export function leaveUnsaved(): void {
  const leave = wanted;
  stay();
  leave?.();
}

/** Leaves the page at once, or once somebody has said that what is not saved may be lost. */
export function leaveBy(leave: () => void): void {
  if (hasUnsaved()) wanted = leave;
  else leave();
}

/** Goes to another address of the staff pages. With `replace`, the way back skips the present one. */
export function go(path: string, { replace = false }: { replace?: boolean } = {}): void {
  const next = new URL(path, location.href);
  if (!isStaffs(next)) return void location.assign(next);
  // The present address is replaced where it is refined, and where what it shows has been removed: nothing is left to save.
  if (replace) open(next, "replaceState");
  else leaveBy(() => open(next, "pushState"));
}

function open(next: URL, how: "pushState" | "replaceState"): void {
  history[how](null, "", next);
  show(next);
}

function show(next: URL): void {
  isNavigated ||= next.pathname !== address.pathname;
  address = next;
}

/** Follows links to staff pages, unless they ask for another tab or a file. Returns how to stop. */
export function followLinks(): () => void {
  const listening = new AbortController();
  addEventListener("popstate", turned, listening);
  document.addEventListener("click", followed, listening);
  return () => listening.abort();
}

/** "Back" has left the address already, which comes back until it is known whether somebody leaves. */
function turned(): void {
  const next = new URL(location.href);
  const isSamePage = next.pathname === address.pathname && next.search === address.search;
  if (isSamePage || !hasUnsaved()) return show(next);
  history.pushState(null, "", address);
  wanted = () => open(next, "pushState");
}

function followed(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  if (link === null || link.target !== "" || link.hasAttribute("download")) return;
  const next = new URL(link.href, location.href);
  const isWithinPage = next.hash !== "" && next.pathname === location.pathname && next.search === location.search;
  if (next.origin !== location.origin || !isStaffs(next) || isWithinPage) return;
  event.preventDefault();
  if (next.href !== location.href) go(next.href);
}
