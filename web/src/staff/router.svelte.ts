// The address of the page as a reactive value, and the ways to another one without loading a document.

import { isStaffs, routeOf, type StaffRoute } from "./route";

let address = $state.raw(new URL(location.href));
let isNavigated = false;
const shown = $derived(routeOf(address));

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

/** Goes to another address of the staff pages. With `replace`, the way back skips the present one. */
export function go(path: string, { replace = false }: { replace?: boolean } = {}): void {
  const next = new URL(path, location.href);
  if (!isStaffs(next)) return void location.assign(next);
  history[replace ? "replaceState" : "pushState"](null, "", next);
  show(next);
}

function show(next: URL): void {
  isNavigated ||= next.pathname !== address.pathname;
  address = next;
}

/** Follows links to staff pages, unless they ask for another tab or a file. Returns how to stop. */
export function followLinks(): () => void {
  const listening = new AbortController();
  addEventListener("popstate", () => show(new URL(location.href)), listening);
  document.addEventListener("click", followed, listening);
  return () => listening.abort();
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
