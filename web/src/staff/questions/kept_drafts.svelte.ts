// The drafts of whoever is signed in, as the pages show them: they change with what is written here and in other tabs.

import { createSubscriber } from "svelte/reactivity";
import { me } from "../me.svelte";
import { DraftShelf, OpenDraft, type DraftContent, type KeptDraft, type Keeping } from "./draft_shelf";

let renew = () => {};
const subscribe = createSubscriber((update) => {
  renew = update;
  addEventListener("storage", update);
  return () => {
    renew = () => {};
    removeEventListener("storage", update);
  };
});

/** Drafts that this page has written and that are neither saved nor discarded. */
const written = new Set<string>();
let shelf: DraftShelf | undefined;

/** A page is shown to one person alone, also when their sign-in ends. */
function own(): DraftShelf {
  const email = me()?.email;
  if (email !== undefined) shelf ??= new DraftShelf(storage(), email);
  return shelf ?? new DraftShelf(undefined, "");
}

/** A browser that stores nothing throws. */
function storage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

export function keptDrafts(): KeptDraft[] {
  subscribe();
  return own().all();
}

export function draftNamed(draftId: string): KeptDraft | undefined {
  return own().named(draftId);
}

export function editOf(questionId: string): KeptDraft | undefined {
  subscribe();
  return own().editOf(questionId);
}

export function openDraft(begun?: KeptDraft): OpenDraft {
  return new OpenDraft(own(), begun);
}

export function keepOpen(open: OpenDraft, content: DraftContent): Keeping {
  written.delete(open.draftId);
  const keeping = open.keep(content, Date.now());
  written.add(open.draftId);
  renew();
  return keeping;
}

export function dropOpen(open: OpenDraft): void {
  written.delete(open.draftId);
  open.drop();
  renew();
}

/** Discards a draft that no form of this page has open. */
export function dropKept(draftId: string): void {
  written.delete(draftId);
  own().drop(draftId);
  renew();
}

/** Puts back what was discarded. */
export function keepAgain(kept: KeptDraft): void {
  own().write(kept.draftId, kept, kept.at);
  renew();
}

/** Whether something was written on this page that is not saved yet. */
export function hasDrafts(): boolean {
  return written.size > 0;
}
