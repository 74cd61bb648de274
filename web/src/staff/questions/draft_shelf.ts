// What somebody has written and not saved, kept in the browser until it is saved or discarded: each draft under a name of its own, which
// says whose it is. Tabs share the shelf, and a draft that another tab has touched since is not overwritten but written beside it.

import { randomUuid } from "../uuid";
import type { BankQuestion } from "./bank";
import { questionDraftOf, type QuestionDraft } from "./draft";

/** What a form holds. */
export interface DraftContent {
  /** The question upon which an edit was begun; missing for a new question. */
  before?: BankQuestion;
  draft: QuestionDraft;
  comment: string;
  /** Whether a new question is for exams alone. */
  isSecure?: boolean;
  /** Whether anyone may read it with its answer. */
  isPractice?: boolean;
}

export interface KeptDraft extends DraftContent {
  draftId: string;
  /** When it was last written, in milliseconds since 1970. */
  at: number;
  /** Differs with each writing, so that a tab sees what another one has done. */
  revision: string;
}

/**
 * What became of a writing: `moved` if another tab has written or removed the draft since, so that it goes on under a name of its own,
 * and `lost` if the browser keeps nothing more: then it lasts as long as the page.
 */
export type Keeping = "kept" | "moved" | "lost";

const PREFIX = "examhall-question-draft";
/** The browser has room for a few megabytes, which drafts share with answers of tests; nobody has so many begun questions. */
export const DRAFTS_MAX = 100;

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

export class DraftShelf {
  #store: Store | undefined;
  #prefix: string;
  /** What the browser does not keep. */
  #here = new Map<string, KeptDraft>();

  constructor(store: Store | undefined, owner: string) {
    this.#store = store;
    this.#prefix = `${PREFIX} ${encodeURIComponent(owner.toLowerCase())} `;
  }

  /** Whether this name in the browser's store is that of a draft of the owner. */
  has(name: string): boolean {
    return name.startsWith(this.#prefix);
  }

  /** All drafts of the owner, the last written first. */
  all(): KeptDraft[] {
    const stored = this.#names().flatMap((name) => this.#stored(name.slice(this.#prefix.length)) ?? []);
    return [...stored, ...this.#here.values()].sort((one, other) => other.at - one.at);
  }

  named(draftId: string): KeptDraft | undefined {
    return this.#here.get(draftId) ?? this.#stored(draftId);
  }

  /** The edit of this question that was written last. */
  editOf(questionId: string): KeptDraft | undefined {
    return this.all().find(({ before }) => before?.id === questionId);
  }

  write(draftId: string, content: DraftContent, at: number): { kept: KeptDraft; isKept: boolean } {
    const kept = { ...content, draftId, at, revision: randomUuid() };
    const isKept = this.#set(kept);
    if (isKept) this.#here.delete(draftId);
    else this.#here.set(draftId, kept);
    return { kept, isKept };
  }

  drop(draftId: string): void {
    this.#here.delete(draftId);
    try {
      this.#store?.removeItem(this.#prefix + draftId);
    } catch {
      // A browser without storage has nothing to delete.
    }
  }

  #set(kept: KeptDraft): boolean {
    const name = this.#prefix + kept.draftId;
    try {
      if (this.#store === undefined || (this.#store.getItem(name) === null && this.#names().length >= DRAFTS_MAX)) return false;
      this.#store.setItem(name, JSON.stringify(kept));
      return true;
    } catch {
      // An older version would come back after a reload in place of what has been typed.
      this.#remove(name);
      return false;
    }
  }

  #remove(name: string): void {
    try {
      this.#store?.removeItem(name);
    } catch {
      // Nothing can be done about it, and nothing depends on it.
    }
  }

  #names(): string[] {
    try {
      const { length = 0 } = this.#store ?? {};
      return Array.from({ length }, (_, index) => this.#store?.key(index) ?? "").filter((name) => this.has(name));
    } catch {
      return [];
    }
  }

  /** What can't be read is none. A draft that was begun before there were numbers has options. */
  #stored(draftId: string): KeptDraft | undefined {
    try {
      const found = JSON.parse(this.#store?.getItem(this.#prefix + draftId) ?? "null") as Partial<KeptDraft> | null;
      const isWhole = found?.draftId === draftId && typeof found.at === "number" && Array.isArray(found.draft?.options);
      if (!isWhole) return undefined;
      const kept = found as KeptDraft;
      return { ...kept, draft: questionDraftOf(kept.draft) };
    } catch {
      return undefined;
    }
  }
}

/** A draft that is open in a form. */
export class OpenDraft {
  draftId: string;
  /** Of the last writing that this form has seen; undefined if it has written nothing yet. */
  #revision: string | undefined;

  constructor(private shelf: DraftShelf, begun?: KeptDraft) {
    this.draftId = begun?.draftId ?? randomUuid();
    this.#revision = begun?.revision;
  }

  keep(content: DraftContent, at: number): Keeping {
    const isTaken = this.#revision !== undefined && this.shelf.named(this.draftId)?.revision !== this.#revision;
    if (isTaken) this.draftId = randomUuid();
    const { kept, isKept } = this.shelf.write(this.draftId, content, at);
    this.#revision = kept.revision;
    return !isKept ? "lost" : isTaken ? "moved" : "kept";
  }

  /** Saved or discarded. What another tab has written since stays. */
  drop(): void {
    if (this.#revision !== undefined && this.shelf.named(this.draftId)?.revision === this.#revision) this.shelf.drop(this.draftId);
    this.#revision = undefined;
  }
}
