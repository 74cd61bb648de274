// The findings of a result in three sentences, to the student or to the parents.

import type { ReportTexts } from "../../texts/report/en";
import type { ReportFindings } from "./findings";

export interface ReportReader {
  /** Undefined for the student's own report; for the parents their child's name, or "" if it is not known. */
  childsName?: string;
  locale: string;
  /** The name of a difficulty. */
  levelOf: (difficulty: number) => string;
  /** The name of a topic. */
  topicOf: (topic: string) => string;
}

/** What was reached, what went well and what to practise. The last is missing where nobody may see which answers were right. */
export function sentencesOf({ reached, well, practise }: ReportFindings, words: ReportTexts, reader: ReportReader): string[] {
  if (reached.total === 0) return [];
  const sentences = [reachedIn(reached, words, reader), wellIn(well, words, reader)];
  return practise === undefined ? sentences : [...sentences, practiseIn(practise, words, reader)];
}

function reachedIn({ correct, total, open }: ReportFindings["reached"], words: ReportTexts, { childsName }: ReportReader): string {
  const who = childsName === undefined ? words.you : childsName === "" ? words.child : words.named(childsName);
  if (correct === total) return words.reachedAll(who, total);
  if (open === total) return words.reachedNothing(who, total);
  return correct === 0 ? words.reachedNone(total - open) : words.reachedSome(who, correct, total, open);
}

function wellIn(well: ReportFindings["well"], words: ReportTexts, { childsName, locale, levelOf, topicOf }: ReportReader): string {
  const who = childsName === undefined ? words.youInside : childsName === "" ? words.childInside : words.namedInside(childsName);
  switch (well.kind) {
    case "topic":
      return words.wellTopic(topicOf(well.name), well.correct, well.total);
    case "difficulty":
      return words.wellDifficulty(levelOf(well.difficulty), well.correct, well.total);
    case "solved":
      return words.wellSolved(who, well.correct, new Intl.ListFormat(locale, { type: "conjunction" }).format(well.topics.map(topicOf)));
    case "tried":
      return words.wellTried(who, well.answered);
    case "untried":
      return words.wellUntried;
  }
}

function practiseIn(practise: NonNullable<ReportFindings["practise"]>, words: ReportTexts, { topicOf }: ReportReader): string {
  switch (practise.kind) {
    case "topic": {
      const sentence = words.practiseTopic(topicOf(practise.name), practise.correct, practise.total);
      return practise.isHint ? `${sentence} ${words.isHint}` : sentence;
    }
    case "wrong":
      return words.practiseWrong(practise.count);
    case "nothing":
      return words.practiseNothing;
  }
}
