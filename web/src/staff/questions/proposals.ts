// What the questions of a grade have for topic, subtopic and source: proposals for whoever writes another one.

import { seenForm } from "../../same";
import { distinctTopics, topicKey } from "../../texts/topics/names";
import { compareTexts } from "../order";
import type { BankQuestion } from "./bank";

export interface Proposals {
  topics: string[];
  subtopics: string[];
  sources: string[];
}

/** The subtopics are those of the topic; without one, of all. */
export function proposalsOf(questions: BankQuestion[], topic: string): Proposals {
  const wanted = topicKey(topic);
  const ofTopic = wanted === "" ? questions : questions.filter((question) => topicKey(question.topic) === wanted);
  return {
    topics: distinctTopics(questions.map(({ topic }) => topic)).sort(compareTexts),
    subtopics: once(ofTopic.map(({ subtopic }) => subtopic)),
    sources: once(questions.map(({ source }) => source)),
  };
}

/** Each once, however it is typed, in the order of the alphabet. */
function once(texts: string[]): string[] {
  const found = new Map<string, string>();
  for (const text of texts) if (seenForm(text) !== "") found.set(seenForm(text), found.get(seenForm(text)) ?? text);
  return [...found.values()].sort(compareTexts);
}
