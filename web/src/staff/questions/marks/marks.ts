// The marks of questions: kept for exams, for practice or for none. They are no part of a question's text, and are read and
// written apart from it.

import type { MarkedQuestions, SecureQuestions } from "../../../api/schema";
import { get, send, type Answer } from "../../api";

/** What a question is marked as; the first that fits, since what is kept for exams is never for practice. */
export type MarkKind = "secure" | "practice" | "notPractice" | "none";

/** What the form of a question holds. `practice` is undefined where nobody has chosen. */
export interface MarkDraft {
  isSecure: boolean;
  practice: boolean | undefined;
}

export const MARK_KINDS: readonly MarkKind[] = ["secure", "practice", "notPractice", "none"];
/** Of a question that nobody has written yet: its answer is nobody's practice. */
export const NEW_MARKS: MarkDraft = { isSecure: false, practice: false };
/** As many as the server takes at once. */
const IDS_MAX = 500;

/** The marks of a grade, by the ids of its questions. */
export class MarkSheet {
  #secure: ReadonlySet<string>;
  #practice: ReadonlyMap<string, boolean>;

  constructor({ secure, practice = [], noPractice = [] }: Pick<SecureQuestions, "secure"> & Partial<SecureQuestions>) {
    this.#secure = new Set(secure);
    this.#practice = new Map([...practice.map((id) => [id, true] as const), ...noPractice.map((id) => [id, false] as const)]);
  }

  of(id: string): MarkDraft {
    return { isSecure: this.#secure.has(id), practice: this.#practice.get(id) };
  }

  kindOf(id: string): MarkKind {
    const { isSecure, practice } = this.of(id);
    if (isSecure) return "secure";
    return practice === undefined ? "none" : practice ? "practice" : "notPractice";
  }
}

export async function readMarks(grade: number): Promise<MarkSheet | undefined> {
  const answer = await get("/api/admin/questions/secure", { grade });
  return answer.kind === "done" ? new MarkSheet(answer.value) : undefined;
}

/** What of the marks is sent to change them so; undefined if nothing is other. */
export function markChanges(before: MarkDraft, after: MarkDraft): Pick<MarkedQuestions, "secure" | "practice"> | undefined {
  const secure = after.isSecure === before.isSecure ? {} : { secure: after.isSecure };
  const practice = after.practice === before.practice ? {} : { practice: after.practice ?? null };
  const changes = { ...secure, ...practice };
  return Object.keys(changes).length === 0 ? undefined : changes;
}

/** What takes marks back, where they were other before. */
export function marksBefore(sheet: MarkSheet, ids: string[], marks: { secure: boolean } | { practice: boolean }): { ids: string[]; marks: Pick<MarkedQuestions, "secure" | "practice"> }[] {
  const before = ids.map((id) => ({ id, ...sheet.of(id) }));
  const groups =
    "secure" in marks
      ? [{ ids: before.filter(({ isSecure }) => isSecure !== marks.secure), marks: { secure: !marks.secure } }]
      : [true, false, undefined]
          .filter((practice) => practice !== marks.practice)
          .map((was) => ({ ids: before.filter(({ practice }) => practice === was), marks: { practice: was ?? null } }));
  return groups.filter(({ ids }) => ids.length > 0).map(({ ids, marks }) => ({ ids: ids.map(({ id }) => id), marks }));
}

/** Marks all of these. A part that fails can be sent again: what is marked twice is marked once. */
export async function sendMarks(ids: string[], marks: Pick<MarkedQuestions, "secure" | "practice">): Promise<Answer<unknown>> {
  let answer: Answer<unknown> = { kind: "done", value: undefined };
  for (let from = 0; from < ids.length && answer.kind === "done"; from += IDS_MAX) {
    answer = await send("POST", "/api/admin/questions/marks", { ids: ids.slice(from, from + IDS_MAX), ...marks });
  }
  return answer;
}
