// Edits that were begun and not saved, by question, as long as the page is open: nothing that was typed is lost by looking elsewhere.

import type { BankQuestion } from "./bank";
import type { QuestionDraft } from "./draft";

export interface KeptDraft {
  /** The question upon which the edit was begun. */
  before: BankQuestion;
  draft: QuestionDraft;
  comment: string;
}

const kept = new Map<string, KeptDraft>();

export function keptDraft(id: string): KeptDraft | undefined {
  return kept.get(id);
}

export function keepDraft(id: string, draft: KeptDraft): void {
  kept.set(id, draft);
}

export function dropDraft(id: string): void {
  kept.delete(id);
}

export function hasDrafts(): boolean {
  return kept.size > 0;
}
