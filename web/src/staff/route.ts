// Finds the page of an address in the table of pages.

import { ROWS, type StaffRoute } from "./pages";

export function staffRouteOf(address: URL): StaffRoute {
  const parts = partsOf(address.pathname).map(decoded);
  for (const [page, { at, props }] of ROWS) {
    const named = at.map((pattern) => fitting(parts, partsOf(pattern))).find((fit) => fit !== undefined);
    if (named === undefined) continue;
    const shownWith = props === undefined ? {} : props(named, address.searchParams);
    return shownWith === undefined ? { page: "unknown" } : ({ page, ...shownWith } as StaffRoute);
  }
  return { page: "unknown" };
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

/** What can't be decoded names nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The parts that the pattern names, if the address is one of its. */
function fitting(parts: string[], pattern: string[]): Record<string, string> | undefined {
  const isNamed = (part: string) => part.startsWith(":");
  if (parts.length !== pattern.length || !pattern.every((part, index) => isNamed(part) || part === parts[index])) return undefined;
  return Object.fromEntries(pattern.flatMap((part, index) => (isNamed(part) ? [[part.slice(1), parts[index] ?? ""]] : [])));
}

/** Whether the staff pages show this address. The projector's page has no frame and is a document of its own. */
export function isStaffs(address: URL): boolean {
  return address.pathname === "/staff" || address.pathname.startsWith("/staff/");
}
