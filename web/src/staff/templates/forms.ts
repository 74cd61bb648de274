// The forms of a template: the list itself as form A, and the others with the same questions, or parallel ones, in another order.

import type { FullTemplate, TemplateQuestion } from "./shapes";

/** One place of a form. */
export interface FormPlace {
  /** Counted from 1. */
  place: number;
  id: string;
  question: TemplateQuestion | undefined;
  /** The order in which the options stand; undefined as in the master copy. */
  order: string | undefined;
  /** The right option as in the master copy, or the right number. */
  right: string;
  /** Its place in form A; undefined for a parallel question. */
  inMaster: number | undefined;
}

export interface PaperForm {
  letter: string;
  places: FormPlace[];
}

/** What the address says for all forms together. */
export const ALL_FORMS = "all";

/** None if everybody gets the same paper. */
export function formsOf({ mode, formLists = [], formQuestions = [], standardQuestions = [] }: FullTemplate): PaperForm[] {
  if (mode !== "standard" || formLists.length < 2) return [];
  const known = new Map([...standardQuestions, ...formQuestions].map((question) => [question.id, question]));
  const places = new Map(standardQuestions.map(({ id }, index) => [id, index + 1]));
  return formLists.map(({ form, questions, optionOrder = {}, correct }) => ({
    letter: form,
    places: questions.map((id, index) => {
      const question = known.get(id);
      return { place: index + 1, id, question, order: optionOrder[id], right: correct[id] ?? question?.answer ?? "", inMaster: places.get(id) };
    }),
  }));
}

/** The list as it is, for a template without forms. */
export function plainPlaces(questions: TemplateQuestion[]): FormPlace[] {
  return questions.map((question, index) => ({ place: index + 1, id: question.id, question, order: undefined, right: question.answer, inMaster: index + 1 }));
}

/** The forms that are shown: the one that the address names, all of them, or the first. */
export function shownForms(forms: PaperForm[], named: string): PaperForm[] {
  if (named === ALL_FORMS) return forms;
  const shown = forms.find(({ letter }) => letter === named) ?? forms[0];
  return shown === undefined ? [] : [shown];
}

/** How many questions stand in more than one form. */
export function repeatedQuestions(forms: PaperForm[]): number {
  const times = new Map<string, number>();
  for (const { id } of forms.flatMap(({ places }) => places)) times.set(id, (times.get(id) ?? 0) + 1);
  return [...times.values()].filter((count) => count > 1).length;
}

/** The letters of forms that are the same paper: too few questions, or questions whose options keep their order, leave no other. */
export function alikeForms(forms: PaperForm[]): string[][] {
  const letters = new Map<string, string[]>();
  for (const { letter, places } of forms) {
    const paper = JSON.stringify(places.map(({ id, order = "" }) => [id, order]));
    letters.set(paper, [...(letters.get(paper) ?? []), letter]);
  }
  return [...letters.values()].filter((group) => group.length > 1);
}

/** The keys of all forms beside one another, by position. Forms are equally long, and a shorter one would leave its last rows empty. */
export function keyRows(forms: PaperForm[]): (FormPlace | undefined)[][] {
  const length = Math.max(0, ...forms.map(({ places }) => places.length));
  return Array.from({ length }, (_, index) => forms.map(({ places }) => places[index]));
}
