// Corrections for tests, in which only what a test is about has to be said.

import type { Correction } from "../correction";

export function correction(changes: Partial<Correction> = {}): Correction {
  return {
    id: "c-1",
    version: 1,
    questionId: "g5-001",
    kind: "key",
    options: ["C"],
    scope: { sittingId: "s-1" },
    nobodyLoses: true,
    comment: "",
    by: "head@school.example",
    own: true,
    at: "2026-11-23T12:00:00Z",
    revertedBy: null,
    revertedAt: null,
    progress: { done: 30, total: 30, finished: true },
    ...changes,
  };
}
