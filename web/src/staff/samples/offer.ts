// When a school is offered the sample questions in its own language.

import type { PageLanguage, SampleCounts } from "../../api/schema";

export const SAMPLE_BANK = "/api/admin/questions/sample-bank";

/** Questions that stand in one language, for a school whose first language is another one. */
export interface SampleOffer {
  count: number;
  there: PageLanguage;
  wanted: PageLanguage;
}

/** Nothing until both are known, and nothing where every sample question is in the first language or the school's own by now. */
export function sampleOffer(counts: SampleCounts | undefined, first: PageLanguage | undefined): SampleOffer | undefined {
  if (counts === undefined || first === undefined) return undefined;
  const there = first === "vi" ? "en" : "vi";
  return counts[there] === 0 ? undefined : { count: counts[there], there, wanted: first };
}
