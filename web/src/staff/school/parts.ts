// The parts of the page of the school, and the address of each.

/** Those of the address /staff/school; the first one is shown without a word for it. */
export const SCHOOL_TABS = ["settings", "tokens", "webhooks", "health", "log"] as const;
/** Those with an address of their own. */
const SCHOOL_PAGES = ["platforms", "audit"] as const;
export const SCHOOL_PARTS = [...SCHOOL_TABS, ...SCHOOL_PAGES] as const;
export type SchoolPart = (typeof SCHOOL_PARTS)[number];

/** Filters of one part mean nothing in another, so none is kept. */
export function partAddress(part: SchoolPart): string {
  if (SCHOOL_PAGES.some((page) => page === part)) return `/staff/school/${part}`;
  return part === SCHOOL_TABS[0] ? "/staff/school" : `/staff/school?tab=${part}`;
}
