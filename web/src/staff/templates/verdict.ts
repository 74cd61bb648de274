// The fairness check in one sentence, before it is put into words: a trap and where, or that there is none, or what the paper measures best.

import type { Fairness } from "./fairness";

export type Verdict =
  | { kind: "empty" }
  | { kind: "trap"; percent: number; step: number; drop: number; from: number; to: number }
  | { kind: "fair" }
  | { kind: "standard"; score: number; low: number; high: number };

export function verdictOf({ trap, best, edges }: Fairness): Verdict {
  if (best === undefined) return { kind: "empty" };
  if (trap !== undefined) {
    const { edge, drop, from, to } = trap;
    return { kind: "trap", percent: edge.percent, step: edge.above - edge.below, drop: Math.round(drop), from, to };
  }
  if (edges.length > 0) return { kind: "fair" };
  return { kind: "standard", score: Math.round(best.mean), low: best.low, high: best.high };
}
