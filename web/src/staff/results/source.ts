// Of what results are shown, and the addresses of the page and of the API that have them.

import type { SittingState } from "../agenda";
import { isDay } from "../times";
import type { Sources, SourceKind } from "./answer";
import { folded, wordsOf } from "../search";
import type { ResultsOf } from "../halls";

/** One line of the chooser. */
export interface ResultsSource {
  kind: SourceKind;
  id: string;
  /** Empty for a grade, which has a number alone. */
  name: string;
  grades: number[];
  startsAt: string | undefined;
  state: SittingState | undefined;
  submitted: number;
}

export type SourceQuery = Record<string, string>;

/** The query that the page and the API share. */
export function sourceQuery(of: ResultsOf): SourceQuery {
  if (of.kind === "sitting") return { sittingId: of.sittingId };
  return of.kind === "template" ? { templateId: of.templateId } : { grade: String(of.grade) };
}

export function pageOf({ kind, id }: ResultsSource): string {
  const name = { sitting: "sittingId", template: "templateId", grade: "grade" }[kind];
  return `/staff/results?${new URLSearchParams({ [name]: id })}`;
}

export function fileOf(query: SourceQuery, form: "csv" | "xlsx"): string {
  return `/api/manager/results.${form}?${new URLSearchParams(query)}`;
}

/** The sources of one kind whose name has every word, in the order of the server: what runs first, then what ended last. */
export function sourcesOf(sources: Sources, kind: SourceKind, search: string): ResultsSource[] {
  const words = wordsOf(search);
  const list = all(sources, kind);
  return list.filter(({ name, id }) => words.every((word) => folded(name === "" ? id : name).includes(word)));
}

function all(sources: Sources, kind: SourceKind): ResultsSource[] {
  const none = { startsAt: undefined, state: undefined };
  if (kind === "template") return sources.templates.map((template) => ({ ...none, ...template, kind }));
  if (kind === "grade") return sources.grades.map(({ grade, submitted }) => ({ ...none, kind, id: String(grade), name: "", grades: [grade], submitted }));
  return sources.sittings.map((sitting) => ({ ...sitting, kind, grades: [] }));
}

/** A range of days, which the server reads by the clocks of the school; what is no day bounds nothing. */
export function dayBounds(from: string, to: string): SourceQuery {
  return { ...(isDay(from) ? { from } : {}), ...(isDay(to) ? { to } : {}) };
}
