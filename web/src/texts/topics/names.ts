// What topics are called in the language of the page: those of the sample bank have names in Vietnamese, and every other one its own
// alone. Also which spellings name the same topic. The table and the rule are those of `domain/src/topic.rs` too.

import { seenForm } from "../../same";
import type { Language } from "../choice.svelte";
import vi from "./vi.json";

const NAMES: Partial<Record<Language, Readonly<Record<string, string>>>> = { vi };

export function topicIn(topic: string, language: Language): string {
  const names = NAMES[language];
  return names !== undefined && Object.hasOwn(names, topic) ? (names[topic] ?? topic) : topic;
}

function caseless(text: string): string {
  return seenForm(text).toLowerCase();
}

/** The topics of the sample bank by what each is called in any language. */
const KNOWN: ReadonlyMap<string, string> = new Map(Object.entries(vi).flatMap(([topic, name]) => [topic, name].map((called) => [caseless(called), topic] as const)));
/** A list has few topics, and asks for them once for each of its questions. */
const keys = new Map<string, string>();

/** What is equal for all names of a topic: capitals, blanks and the language make no other one. */
export function topicKey(topic: string): string {
  const known = keys.get(topic);
  if (known !== undefined) return known;
  const key = caseless(KNOWN.get(caseless(topic)) ?? topic);
  if (keys.size < KEYS_MAX) keys.set(topic, key);
  return key;
}

/** More topics than a school has. */
const KEYS_MAX = 2_000;

/** Each topic once, by the name that is shown in both languages where one of them has it. */
export function distinctTopics(topics: Iterable<string>): string[] {
  const found = new Map<string, string>();
  for (const topic of topics) {
    const key = topicKey(topic);
    if (key !== "" && (!found.has(key) || Object.hasOwn(vi, topic))) found.set(key, topic);
  }
  return [...found.values()];
}

/** What a typed topic is stored as: the one of these that it names, or one of the sample bank, or itself. */
export function spelledTopic(typed: string, topics: readonly string[]): string {
  if (topics.includes(typed)) return typed;
  const key = topicKey(typed);
  return topics.find((topic) => topicKey(topic) === key) ?? KNOWN.get(key) ?? typed;
}
