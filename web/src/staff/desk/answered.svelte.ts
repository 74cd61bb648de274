// What this desk has answered once and is not asked again, also after the page is loaded anew. Kept by the tab, since another desk has
// its own answer.

import { SvelteSet } from "svelte/reactivity";

const PREFIX = "examhall-answered-";
/** Nothing older is asked. */
const KEPT_MAX = 50;

export class Answered {
  #keptAs: string;
  #answers: SvelteSet<string>;

  constructor(desk: string) {
    this.#keptAs = PREFIX + desk;
    this.#answers = new SvelteSet(read(this.#keptAs));
  }

  has(what: string): boolean {
    return this.#answers.has(what);
  }

  add(what: string): void {
    this.#answers.add(what);
    try {
      sessionStorage.setItem(this.#keptAs, JSON.stringify([...this.#answers].slice(-KEPT_MAX)));
    } catch {
      // It is asked again after a reload.
    }
  }
}

function read(keptAs: string): string[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keptAs) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}
