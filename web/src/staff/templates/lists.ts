// The lists of a template with the questions that were drawn for them, and how these differ from what was asked for.

import { listCounts, DIFFICULTIES, listKeys, total, type Band, type DifficultyCounts, type ListKey, type TemplateQuestion, type FullTemplate } from "./shapes";

export interface List {
  key: ListKey;
  questions: TemplateQuestion[];
  /** How many of each difficulty the settings ask for. */
  wanted: DifficultyCounts;
}

/** How far a list is from its settings in one difficulty. */
export interface Gap {
  list: ListKey;
  difficulty: number;
  wanted: number;
  drawn: number;
}

/** How far the paper is from what is asked of a topic. */
export interface TopicGap {
  topic: string;
  wanted: number;
  drawn: number;
}

export function listsOf(template: FullTemplate): List[] {
  return listKeys(template.mode).map((key) => ({ key, questions: questionsOf(template, key), wanted: wantedOf(template, key) }));
}

function questionsOf(template: FullTemplate, key: ListKey): TemplateQuestion[] {
  if (key === "standard") return template.standardQuestions ?? [];
  return (key === "session1" ? template.session1Questions : template.session2QuestionsByBand?.[key as Band]) ?? [];
}

function wantedOf(template: FullTemplate, key: ListKey): DifficultyCounts {
  if (key === "standard") return listCounts(template.standardTargets);
  return listCounts(key === "session1" ? template.session1Targets : template.session2TargetsByBand?.[key as Band]);
}

/** How many questions of each difficulty these are. */
export function mixOf(questions: { difficulty: number }[]): number[] {
  return DIFFICULTIES.map((wanted) => questions.filter(({ difficulty }) => difficulty === wanted).length);
}

/** Where the drawn questions are not those that the settings ask for: the bank had too few, or the settings were changed since. */
export function gapsOf(template: FullTemplate): Gap[] {
  // Numbers by topic can hold alone.
  const counted = template.mode === "standard" && template.standardTargets === undefined ? [] : listsOf(template);
  return counted.flatMap(({ key, questions, wanted }) => {
    const drawn = mixOf(questions);
    const gaps = DIFFICULTIES.map((difficulty, index): Gap => ({ list: key, difficulty, wanted: wanted[index] ?? 0, drawn: drawn[index] ?? 0 }));
    return gaps.filter((gap) => gap.wanted !== gap.drawn);
  });
}

/** The same by topic, if the settings ask for topics. */
export function topicGapsOf({ mode, topicTargets = {}, standardQuestions = [] }: FullTemplate): TopicGap[] {
  if (mode !== "standard" || Object.keys(topicTargets).length === 0) return [];
  const topics = new Set([...Object.keys(topicTargets), ...standardQuestions.map(({ topic }) => topic)]);
  const drawn = (topic: string) => standardQuestions.filter((question) => question.topic === topic).length;
  const gaps = [...topics].map((topic): TopicGap => ({ topic, wanted: topicTargets[topic] ?? 0, drawn: drawn(topic) }));
  return gaps.filter((gap) => gap.wanted !== gap.drawn);
}

/** How many questions one student answers: those of the longest way through the lists. */
export function lengthOf(template: FullTemplate, isCounted: (question: TemplateQuestion) => boolean = () => true): number {
  const [first, ...second] = listsOf(template).map(({ questions }) => questions.filter(isCounted).length);
  return (first ?? 0) + Math.max(0, ...second);
}

/** Questions of other grades can be drawn, so the grades of those that were drawn are no longer those of the settings. */
export function strangersOf(template: FullTemplate): number {
  const all = listsOf(template).flatMap(({ questions }) => questions);
  return new Set(all.filter(({ grade }) => !template.grades.includes(grade)).map(({ id }) => id)).size;
}

/** Whether the lists have other questions, apart from those that were exchanged here. */
export function hasOthers(before: FullTemplate, after: FullTemplate, exchanged: Record<string, string> = {}): boolean {
  const ids = (template: FullTemplate) => listsOf(template).map(({ key, questions }) => [key, questions.map(({ id }) => id)] as const);
  const expected = ids(before).map(([key, list]) => [key, list.map((id) => exchanged[`${key} ${id}`] ?? id)]);
  return JSON.stringify(expected) !== JSON.stringify(ids(after));
}

/** The lists as the fairness check reads them. */
export function paperMix(lists: { counts: DifficultyCounts }[]): { first: DifficultyCounts; second: DifficultyCounts[] } {
  const [first, ...second] = lists.map(({ counts }) => counts);
  return { first: first ?? [], second };
}

export function isEmpty(template: FullTemplate): boolean {
  return listsOf(template).some(({ questions }) => total(mixOf(questions)) === 0);
}
