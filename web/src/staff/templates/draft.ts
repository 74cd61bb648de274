// What is typed into the form of a template: where it comes from, what is wrong with it, and what of it is sent.

import { ADAPTIVE, type AllowedCalculator } from "../../exam/question";
import { isScaleWrong, scaleDraft, sentScale, type ScaleDraft, type SentScale } from "../marks/draft";
import { isSameScale } from "../marks/presets";
import { accessDraftOf, accessFaults, accessFields, openAccess, proposedAccess, type AccessDraft } from "./access/rules";
import { areTopicsAlone, choiceFields, choiceOf, topicsFault, usualChoice, type DrawChoice } from "./choice";
import { countsIn, listFault, type NumberEntry } from "./entries";
import { BANDS, listCounts, listKeys, targetsOf, total, type Band, type DifficultyCounts, type ListKey, type TemplateMode, type FullTemplate, type TemplateFields } from "./shapes";

export interface TemplateDraft {
  name: string;
  grades: number[];
  mode: TemplateMode;
  minutes: NumberEntry;
  calculator: AllowedCalculator;
  lists: Record<ListKey, NumberEntry[]>;
  choice: DrawChoice;
  marks: ScaleDraft;
  access: AccessDraft;
}

export type TemplateField = "name" | "grades" | "mode" | "minutes" | "calculator" | "standard" | "session1" | "bands" | "topics" | "approved" | "sources" | "order" | "types" | "forms" | "parallel" | "shuffle" | "inOrder" | "marks" | "access";

/** A band whose total differs from that of most others: by how many questions it has too many, or too few if negative. */
export interface Odd {
  band: Band;
  by: number;
}

export const TEST_MINUTES_MAX = 600;
export const TEMPLATE_NAME_MAX = 200;

/** The mix that the server gives students who have chosen no template. */
const USUAL: Record<ListKey, number[]> = {
  standard: [4, 3, 3, 4, 6],
  session1: [4, 3, 3, 4, 6],
  "90-100": [0, 1, 3, 6, 10],
  "80-90": [1, 2, 4, 6, 7],
  "70-80": [2, 3, 5, 5, 5],
  "60-70": [3, 4, 5, 5, 3],
  "below-60": [6, 5, 5, 3, 1],
};
/** What the server gives such a test that has as many questions. */
const MINUTES: Record<TemplateMode, number> = { standard: 30, adaptive: ADAPTIVE.minutes };
const KEYS: ListKey[] = [...listKeys("standard"), ...listKeys("adaptive")];
/** The names that the server has for the fields. */
const FIELDS: Record<string, TemplateField> = {
  name: "name",
  grades: "grades",
  mode: "mode",
  durationMinutes: "minutes",
  calculator: "calculator",
  standardTargets: "standard",
  session1Targets: "session1",
  session2TargetsByBand: "bands",
  topicTargets: "topics",
  approvedOnly: "approved",
  sources: "sources",
  order: "order",
  types: "types",
  forms: "forms",
  parallelForms: "parallel",
  shuffleOptions: "shuffle",
  inOrder: "inOrder",
  markScale: "marks",
  access: "access",
  showAnswers: "access",
  practice: "access",
};
/** What need not be said of a new template. */
const USUAL_FIELDS: Partial<Record<string, unknown>> = {
  standardTargets: null,
  topicTargets: {},
  approvedOnly: false,
  sources: [],
  order: "mixed",
  types: "multiple-choice",
  forms: 1,
  parallelForms: false,
  shuffleOptions: false,
  inOrder: false,
  markScale: "school",
  ...accessFields(openAccess()),
  practice: null,
};
/** What an adaptive template keeps unread, and does not show. */
const OF_STANDARD = ["standardTargets", "topicTargets", "forms", "parallelForms"];

export function newTemplateDraft(grades: number[] = []): TemplateDraft {
  return { name: "", grades, mode: "standard", minutes: MINUTES.standard, calculator: "none", lists: listsOf((key) => USUAL[key]), choice: usualChoice(), marks: scaleDraft("school"), access: proposedAccess() };
}

/** Another kind of test, with its usual minutes unless somebody has chosen others. */
export function withMode(draft: TemplateDraft, mode: TemplateMode): TemplateDraft {
  return { ...draft, mode, minutes: draft.minutes === MINUTES[draft.mode] ? MINUTES[mode] : draft.minutes };
}

/** Lists that the template does not have begin with the usual mix, for who changes its mode. */
export function templateDraftOf(template: FullTemplate): TemplateDraft {
  const stored = (key: ListKey) => {
    if (key === "standard") return template.standardTargets;
    return key === "session1" ? template.session1Targets : template.session2TargetsByBand?.[key];
  };
  const lists = listsOf((key) => {
    const targets = stored(key);
    return targets === undefined ? USUAL[key] : listCounts(targets);
  });
  const { name, grades, mode, durationMinutes: minutes, calculator } = template;
  const marks = scaleDraft(template.markScale === undefined ? "school" : template.markScale);
  return { name, grades: [...grades], mode, minutes, calculator, lists, choice: choiceOf(template), marks, access: accessDraftOf(template) };
}

function listsOf(of: (key: ListKey) => number[]): Record<ListKey, NumberEntry[]> {
  return Object.fromEntries(KEYS.map((key) => [key, [...of(key)]])) as Record<ListKey, NumberEntry[]>;
}

/** What is wrong with each field, by its kind. */
export function templateFaults(draft: TemplateDraft): Partial<Record<TemplateField, "missing" | "range" | "number" | "many" | "unequal" | "lists" | "scale" | "rules">> {
  const faults: ReturnType<typeof templateFaults> = {};
  if (draft.name.trim() === "") faults.name = "missing";
  if (draft.grades.length === 0) faults.grades = "missing";
  const { minutes } = draft;
  if (typeof minutes !== "number" || !Number.isInteger(minutes) || minutes < 1 || minutes > TEST_MINUTES_MAX) faults.minutes = "range";
  for (const key of countedLists(draft)) {
    const field = fieldOf(key);
    const fault = listFault(draft.lists[key]);
    if (fault !== undefined) faults[field] ??= fault;
  }
  if (draft.mode === "adaptive" && oddBands(draft).length > 0) faults.bands ??= "unequal";
  const fault = draft.mode === "standard" ? topicsFault(draft.choice, countsIn(draft.lists.standard)) : undefined;
  if (fault !== undefined) faults.topics = fault;
  // Somebody has chosen forms, and then the other kind of test.
  if (draft.mode === "adaptive" && draft.choice.forms > 1) faults.forms = "lists";
  if (isScaleWrong(draft.marks)) faults.marks = "scale";
  if (Object.keys(accessFaults(draft.access)).length > 0) faults.access = "rules";
  return faults;
}

/** The lists whose numbers by difficulty hold. */
export function countedLists({ mode, choice }: TemplateDraft): ListKey[] {
  return areTopicsAlone(mode, choice) ? [] : listKeys(mode);
}

export function fieldOf(key: ListKey): TemplateField {
  return key === "standard" || key === "session1" ? key : "bands";
}

/** The bands whose totals differ from the one that most have; of two that are as frequent, from the better band's. */
export function oddBands(draft: TemplateDraft): Odd[] {
  const totals = BANDS.map((band) => total(countsIn(draft.lists[band])));
  const frequency = (wanted: number) => totals.filter((one) => one === wanted).length;
  const usual = totals.reduce((best, one) => (frequency(one) > frequency(best) ? one : best));
  return BANDS.map((band, index) => ({ band, by: (totals[index] as number) - usual })).filter(({ by }) => by !== 0);
}

/** What a new template is made from. */
export function templateFields(draft: TemplateDraft): TemplateFields {
  const isUsual = ([name, value]: [string, unknown]) => JSON.stringify(value) === JSON.stringify(USUAL_FIELDS[name]);
  return Object.fromEntries(Object.entries(allFields(draft)).filter((field) => !isUsual(field))) as unknown as TemplateFields;
}

/** With what has its usual value. */
function allFields(draft: TemplateDraft): TemplateFields {
  const { mode, grades, minutes, calculator, choice, marks } = draft;
  const targets = (key: ListKey) => targetsOf(countsIn(draft.lists[key]));
  const common = { name: draft.name.trim(), grades: [...grades], mode, durationMinutes: minutes ?? NaN, calculator, ...choiceFields(choice, mode), markScale: sentScale(marks), ...accessFields(draft.access) };
  if (mode === "standard") return { ...common, standardTargets: areTopicsAlone(mode, choice) ? null : targets("standard") };
  const byBand = Object.fromEntries(BANDS.map((band) => [band, targets(band)])) as Record<Band, ReturnType<typeof targets>>;
  return { ...common, session1Targets: targets("session1"), session2TargetsByBand: byBand };
}

/** The fields that differ from the template, so that what somebody else has changed meanwhile stays. */
export function templateChanges(draft: TemplateDraft, template: FullTemplate): Partial<TemplateFields> {
  const before = allFields(templateDraftOf(template)) as unknown as Record<string, unknown>;
  const has = template as unknown as Record<string, unknown>;
  const isKnown = (name: string) => has[name] !== undefined || (name in USUAL_FIELDS && !(OF_STANDARD.includes(name) && draft.mode !== template.mode));
  const isEqual = (name: string, value: unknown) =>
    name === "markScale" ? isSameScale(before[name] as SentScale, value as SentScale) : JSON.stringify(before[name]) === JSON.stringify(value);
  return Object.fromEntries(Object.entries(allFields(draft)).filter(([name, value]) => !(isEqual(name, value) && isKnown(name))));
}

/** What takes these changes back. Lists of a mode that the template did not have need not go. */
export function inverseOf(changes: Partial<TemplateFields>, template: FullTemplate): Partial<TemplateFields> {
  const has = template as unknown as Record<string, unknown>;
  const names = Object.keys(changes).filter((name) => !(OF_STANDARD.includes(name) && template.mode === "adaptive"));
  // Null is a value of its own: a template without marks.
  const valueOf = (name: string) => (has[name] === undefined ? USUAL_FIELDS[name] : has[name]);
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]).filter(([, value]) => value !== undefined));
}

/** The field that the server's sentence is about. */
export function fieldIn(error: string): TemplateField | undefined {
  if (error === "All bands must have the same total") return "bands";
  const name = /^Invalid (\w+)$/.exec(error)?.[1];
  return name === undefined ? undefined : FIELDS[name];
}

/** How many questions of each difficulty are there for a list: a second one repeats no question of stage 1. */
export function availableFor(key: ListKey, stock: DifficultyCounts, draft: TemplateDraft): number[] {
  const first = key === "standard" || key === "session1" ? [] : countsIn(draft.lists.session1);
  return stock.map((count, index) => Math.max(0, count - (first[index] ?? 0)));
}

/** What the bank can give of what is asked for. */
export function foundOf(entries: readonly NumberEntry[], available: DifficultyCounts | undefined): number[] {
  return countsIn(entries).map((count, index) => Math.min(count, available?.[index] ?? count));
}
