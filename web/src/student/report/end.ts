// What the page after a test says of it: only what is certain.

import type { ExamView } from "../../exam/view";
import type { StoredSession } from "../api";

export interface EndFacts {
  /** How many questions have an answer; null if it is not certain. */
  answered: number | null;
  /** Of how many questions. */
  total: number | null;
  /** When the server said that the test is stored, by its own clock. */
  storedAt: number | null;
  /** When the test ended; known only with the result. */
  endedAt: number | null;
}

/** What the page of the running test knows at its end. Of a test in parts it does not know how many questions there were. */
export function endFacts(view: Pick<ExamView, "phase" | "answered" | "storedAt" | "stages" | "questionIds"> | undefined): EndFacts {
  if (view?.phase !== "submitted") return { answered: null, total: null, storedAt: null, endedAt: null };
  return { answered: view.answered, total: view.stages === 1 ? view.questionIds.length : null, storedAt: view.storedAt, endedAt: null };
}

/** The same with the stored result, once that may be seen. */
export function withResult(facts: EndFacts, session: Pick<StoredSession, "completedAt" | "result"> | undefined): EndFacts {
  if (session === undefined) return facts;
  const { answers, totalQuestions } = session.result;
  const answered = answers.filter(({ selected }) => selected !== "").length;
  const endedAt = Date.parse(session.completedAt);
  return { ...facts, answered, total: totalQuestions, endedAt: Number.isNaN(endedAt) ? null : endedAt };
}
