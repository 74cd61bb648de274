// Which templates the list shows: by words of their names and authors, by grade and by mode.

import { folded, wordsOf } from "../search";
import type { TemplateSummary } from "./shapes";

export interface Search {
  text: string;
  grade: string;
  mode: string;
}

export function foundIn(templates: TemplateSummary[], { text, grade, mode }: Search): TemplateSummary[] {
  const words = wordsOf(text);
  return templates.filter((template) => {
    const name = folded(`${template.name} ${template.createdBy}`);
    return words.every((word) => name.includes(word)) && (grade === "" || template.grades.includes(Number(grade))) && (mode === "" || template.mode === mode);
  });
}

/** The grades of these templates, each once. */
export function gradesOf(templates: TemplateSummary[]): number[] {
  return [...new Set(templates.flatMap(({ grades }) => grades))].sort((one, other) => one - other);
}
