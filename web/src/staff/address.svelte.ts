// A value that is kept in the query of the address, so that a filtered list can be bookmarked, sent, and found again with "Back".

import { go, here } from "./router.svelte";

export interface InAddress {
  value: string;
}

/** The value of this parameter. What equals `fallback` is left out of the address. */
export function inAddress(name: string, fallback = ""): InAddress {
  return {
    get value() {
      return here().searchParams.get(name) ?? fallback;
    },
    set value(value: string) {
      const next = new URL(here());
      if (value === fallback) next.searchParams.delete(name);
      else next.searchParams.set(name, value);
      if (next.href !== here().href) go(next.href, { replace: true });
    },
  };
}
