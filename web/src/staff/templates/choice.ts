// What of the bank a template draws from: so many questions of each topic, approved ones alone, some sources, or questions that
// ask for a number; and the order and the forms of what is drawn. Who leaves all of it as it is gets questions by their
// difficulty alone, the same for everybody.

import { compareTexts } from "../order";
import { isOfTypes, type BankEntry } from "./bank";
import { countsIn, isCount, QUESTIONS_MAX, type NumberEntry } from "./entries";
import { largestFlow } from "./flow";
import { mixOf } from "./lists";
import { DRAWN_TYPES, PAPER_ORDERS, total, type DifficultyCounts, type DrawnTypes, type FullTemplate, type PaperOrder, type TemplateFields, type TemplateMode, type TopicTargets } from "./shapes";

export interface DrawChoice {
  /** By topic; of a standard template alone. */
  topics: Record<string, NumberEntry>;
  /** Whether the numbers by difficulty hold beside those by topic. */
  isByDifficulty: boolean;
  isApprovedOnly: boolean;
  /** None for all of them. */
  sources: string[];
  order: PaperOrder;
  types: DrawnTypes;
  /** How many there are; of a standard template alone, like the next. */
  forms: number;
  /** Whether the other forms have other questions where the bank has some. */
  areParallel: boolean;
  /** Whether each student sees the options in an order of their own. */
  areShuffled: boolean;
  /** Whether students open the questions that they have seen, and the next one, and no other. */
  isInOrder: boolean;
}

export type TopicsFault = "number" | "range" | "many" | "unequal";

type ChoiceFields = Pick<TemplateFields, "topicTargets" | "approvedOnly" | "sources" | "order" | "types" | "forms" | "parallelForms" | "shuffleOptions" | "inOrder">;

export const TOPICS_MAX = 60;
export const SOURCES_MAX = 40;

export function usualChoice(): DrawChoice {
  return { topics: {}, isByDifficulty: true, isApprovedOnly: false, sources: [], order: "mixed", types: "multiple-choice", forms: 1, areParallel: false, areShuffled: false, isInOrder: false };
}

export function choiceOf(template: FullTemplate): DrawChoice {
  const { topicTargets = {}, standardTargets, approvedOnly = false, sources = [], order = "mixed", types = "multiple-choice" } = template;
  const isAlone = Object.keys(topicTargets).length > 0 && standardTargets === undefined;
  const drawn = { topics: { ...topicTargets }, isByDifficulty: !isAlone, isApprovedOnly: approvedOnly, sources: [...sources], order, types };
  const { mode, forms = 1, parallelForms = false, shuffleOptions = false, inOrder = false } = template;
  // What an adaptive template may keep of forms is not read, and is no fault of it.
  return { ...drawn, ...(mode === "standard" ? { forms, areParallel: parallelForms } : { forms: 1, areParallel: false }), areShuffled: shuffleOptions, isInOrder: inOrder };
}

/** How many questions of each topic are asked for, one at least, in an order that does not depend on who typed. */
export function topicTargetsIn({ topics }: DrawChoice): TopicTargets {
  const asked = Object.entries(topics).map(([topic, entry]) => [topic, countsIn([entry])[0] ?? 0] as const);
  return Object.fromEntries(asked.filter(([, count]) => count > 0).sort(([one], [other]) => (one < other ? -1 : 1)));
}

export function topicTotal(choice: DrawChoice): number {
  return total(Object.values(topicTargetsIn(choice)));
}

/** Whether the numbers by topic hold without those by difficulty. */
export function areTopicsAlone(mode: TemplateMode, choice: DrawChoice): boolean {
  return mode === "standard" && !choice.isByDifficulty && topicTotal(choice) > 0;
}

/** What is wrong with the numbers by topic, beside these by difficulty. */
export function topicsFault(choice: DrawChoice, counts: DifficultyCounts): TopicsFault | undefined {
  const [entries, asked] = [Object.values(choice.topics), topicTotal(choice)];
  if (!entries.every(isCount)) return "number";
  if (asked > QUESTIONS_MAX) return "range";
  if (Object.keys(topicTargetsIn(choice)).length > TOPICS_MAX) return "many";
  return asked > 0 && choice.isByDifficulty && asked !== total(counts) ? "unequal" : undefined;
}

/** With nothing left out, so that what has gone back to its usual value can be told from what stays. */
export function choiceFields(choice: DrawChoice, mode: TemplateMode): ChoiceFields {
  const { isApprovedOnly, sources, order, types, areShuffled, isInOrder } = choice;
  const common = { approvedOnly: isApprovedOnly, sources: [...sources].sort(), order, types, shuffleOptions: areShuffled, inOrder: isInOrder };
  return mode === "standard" ? { topicTargets: topicTargetsIn(choice), ...common, forms: choice.forms, parallelForms: choice.areParallel } : common;
}

/** Whether nothing of the kind is chosen. */
export function isUsualChoice(choice: DrawChoice, mode: TemplateMode): boolean {
  const isOfStandard = mode === "standard" && (topicTotal(choice) > 0 || choice.areParallel);
  const hasForms = choice.forms > 1 || choice.areShuffled;
  return !isOfStandard && !hasForms && !choice.isInOrder && !choice.isApprovedOnly && choice.sources.length === 0 && choice.order === PAPER_ORDERS[0] && choice.types === DRAWN_TYPES[0];
}

/** Another number for this topic. An empty field is as if nobody had ever typed into it. */
export function withTopic(choice: DrawChoice, topic: string, entry: NumberEntry): DrawChoice {
  const { [topic]: _, ...others } = choice.topics;
  return { ...choice, topics: entry === null || entry === undefined ? others : { ...others, [topic]: entry } };
}

/** Some more or fewer questions of this topic. */
export function steppedTopic(choice: DrawChoice, topic: string, by: number): DrawChoice {
  const next = Math.max(0, Math.min(QUESTIONS_MAX, (countsIn([choice.topics[topic]])[0] ?? 0) + by));
  return withTopic(choice, topic, next === 0 ? undefined : next);
}

/** In order, so that whoever takes a choice back has changed nothing. */
export function withSource(choice: DrawChoice, source: string, isChosen: boolean): DrawChoice {
  const others = choice.sources.filter((one) => one !== source);
  return { ...choice, sources: isChosen ? [...others, source].sort(compareTexts) : others };
}

/** The questions that a paper can get when it is drawn. Those that are pinned stay in it, whatever is chosen. */
export function drawable(
  entries: BankEntry[],
  { isApprovedOnly, sources, types }: Pick<DrawChoice, "isApprovedOnly" | "sources" | "types">,
  pinned: ReadonlySet<string> = new Set(),
): BankEntry[] {
  const isOfSources = ({ question }: BankEntry) => sources.length === 0 || sources.includes(question.source);
  const isChosen = (entry: BankEntry) => (!isApprovedOnly || entry.status === "approved") && isOfSources(entry) && isOfTypes(entry.question, types);
  return entries.filter((entry) => pinned.has(entry.question.id) || isChosen(entry));
}

/** How many questions that ask for a number could be drawn, of the topics that are asked for, if their type did not leave them out. */
export function numbersLeftOut(entries: BankEntry[], choice: DrawChoice, mode: TemplateMode, pinned: ReadonlySet<string> = new Set()): number {
  if (choice.types !== "multiple-choice") return 0;
  const topics = mode === "standard" ? Object.keys(topicTargetsIn(choice)) : [];
  const numbers = drawable(entries, { ...choice, types: "number" });
  return numbers.filter(({ question }) => !pinned.has(question.id) && (topics.length === 0 || topics.includes(question.topic))).length;
}

/** How many questions of each difficulty each topic has. */
export function topicStock(entries: BankEntry[]): Map<string, number[]> {
  const byTopic = new Map<string, { difficulty: number }[]>();
  for (const { question } of entries) {
    const others = byTopic.get(question.topic);
    if (others === undefined) byTopic.set(question.topic, [question]);
    else others.push(question);
  }
  return new Map([...byTopic].map(([topic, questions]) => [topic, mixOf(questions)]));
}

/** What the bank can give when topics and difficulties hold together, by difficulty. */
export function foundTogether(choice: DrawChoice, counts: DifficultyCounts, stock: ReadonlyMap<string, DifficultyCounts>): number[] {
  const asked = Object.entries(topicTargetsIn(choice));
  const cells = asked.map(([topic]) => stock.get(topic) ?? counts.map(() => 0));
  const flow = largestFlow(asked.map(([, count]) => count), counts, cells);
  return counts.map((_, difficulty) => total(flow.map((row) => row[difficulty] ?? 0)));
}

/**
 * How many places of the other forms get a question that another form has too, since the bank has too few of their difficulty:
 * at least so many, since a parallel question is of the same topic as well. What is pinned is in all forms, and needs none.
 */
export function missingParallels(
  counts: DifficultyCounts,
  stock: DifficultyCounts,
  pinned: DifficultyCounts,
  { forms, areParallel }: Pick<DrawChoice, "forms" | "areParallel">,
): number {
  if (!areParallel || forms < 2) return 0;
  const missing = counts.map((count, index) => {
    const [found = 0, fixed = 0] = [stock[index], pinned[index]];
    return Math.max(0, (Math.min(count, found) - fixed) * forms - (found - fixed));
  });
  return total(missing);
}
