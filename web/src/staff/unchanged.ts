// Names those whom an order or a change has left as they were, by the reason; of many the first are named.

import type { Unchanged, UnchangedSession } from "../api/schema";

/** So many students are named in one message. */
const NAMED_MAX = 8;

export interface UnchangedTexts {
  whys: Partial<Record<Unchanged, string>>;
  nameless: string;
  andMore: (people: number) => string;
}

export function whoAndWhy({ unchanged, unchangedCount }: { unchanged: readonly UnchangedSession[]; unchangedCount: number }, { whys, nameless, andMore }: UnchangedTexts): string {
  const first = unchanged.slice(0, NAMED_MAX);
  const groups = Object.entries(whys).map(([reason, why]) => [first.filter((one) => one.reason === reason), why] as const);
  const sentences = groups.filter(([ones]) => ones.length > 0).map(([ones, why]) => `${ones.map(({ student }) => student || nameless).join(", ")}: ${why}`);
  const left = unchangedCount - first.length;
  return [...sentences, ...(left > 0 ? [andMore(left)] : [])].join(" ");
}
