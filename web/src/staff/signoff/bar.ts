// The parts of the bar of a grade: wide as their shares, and never so narrow that one flag among a thousand questions is not seen.

import type { ReviewCounts } from "./cover";
import type { ReviewStatus } from "./shapes";

export interface BarPart {
  status: ReviewStatus;
  from: number;
  width: number;
}

export const BAR_WIDTH = 100;
const LEAST = 1.5;
const ORDER = ["approved", "pending", "flagged"] as const;

export function partsOf(counts: ReviewCounts): BarPart[] {
  const parts = ORDER.filter((status) => counts[status] > 0).map((status) => ({ status, width: Math.max(LEAST, (counts[status] / counts.total) * BAR_WIDTH) }));
  const sum = parts.reduce((total, { width }) => total + width, 0);
  let from = 0;
  return parts.map(({ status, width }) => {
    const part = { status, from, width: (width / sum) * BAR_WIDTH };
    from += part.width;
    return part;
  });
}
