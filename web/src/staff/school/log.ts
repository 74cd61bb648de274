// The log of edits of questions: which of them are shown, and how they are written into a file.

import type { Edit } from "../../api/schema";
import { dateOf } from "../moments";
import { compareTexts } from "../order";
import { folded, wordsOf } from "../search";
import { csvTable } from "../spreadsheet";

export const LOG = "/api/admin/review/log";

export type { Change as LoggedChange, Edit as LoggedEdit } from "../../api/schema";

/** An empty text is no filter. */
export interface LogFilters {
  who: string;
  /** Such as 2026-06-01, in the time zone of this device. */
  day: string;
  text: string;
}

/** How somebody who has edited is called. */
export function editorOf({ editedByName, editedBy }: Edit): string {
  return editedByName === "" ? editedBy : editedByName;
}

/** What is searched of each edit, since a letter that is typed must not fold thousands of questions again. */
const searched = new WeakMap<Edit, string>();

function searchedOf(edit: Edit): string {
  const changed = () => edit.changes.flatMap(({ field, before, after }) => [field, before, after]);
  const known = searched.get(edit) ?? folded([edit.questionId, edit.comment, ...changed()].join(" "));
  searched.set(edit, known);
  return known;
}

/** The edits that fit, in their order. */
export function filteredEdits(edits: Edit[], { who, day, text }: LogFilters): Edit[] {
  const words = wordsOf(text);
  return edits.filter((edit) => {
    if (who !== "" && edit.editedBy !== who) return false;
    if (day !== "" && dayOfEdit(edit.editedAt) !== day) return false;
    return words.every((word) => searchedOf(edit).includes(word));
  });
}

/** The day of a moment, as fields of days have it. */
export function dayOfEdit(iso: string): string {
  return dateOf(Date.parse(iso));
}

/** Everybody who has edited, by address, with the name of their latest edit. */
export function editorsOf(edits: Edit[]): { email: string; name: string }[] {
  const names = new Map<string, string>();
  for (const edit of edits) if (!names.has(edit.editedBy)) names.set(edit.editedBy, editorOf(edit));
  return [...names].map(([email, name]) => ({ email, name })).sort((one, other) => compareTexts(one.name, other.name));
}

/** A line for each field that was changed, under these headings. Times are those of ISO 8601, for programs as for people. */
export function csvOf(edits: Edit[], headings: string[]): string {
  const lines = edits.flatMap(({ editedAt, editedByName, editedBy, grade, questionId, changes, comment }) =>
    changes.map(({ field, before, after }) => [editedAt, editedByName, editedBy, String(grade), questionId, field, before, after, comment]),
  );
  return csvTable([headings, ...lines]);
}
