// The names of topics in the language of the page.

import { language } from "../choice.svelte";
import { topicIn } from "./names";

export function topicName(topic: string): string {
  return topicIn(topic, language());
}
