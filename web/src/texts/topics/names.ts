// What topics are called in the language of the page: those of the sample bank have names in Vietnamese, and every other one its own
// alone. The table is that of `domain/src/topic.rs` too, for what the server prints.

import type { Language } from "../choice.svelte";
import vi from "./vi.json";

const NAMES: Partial<Record<Language, Readonly<Record<string, string>>>> = { vi };

export function topicIn(topic: string, language: Language): string {
  const names = NAMES[language];
  return names !== undefined && Object.hasOwn(names, topic) ? (names[topic] ?? topic) : topic;
}
