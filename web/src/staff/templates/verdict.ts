// The fairness check in one sentence, before it is put into words: a trap and where, or that there is none, or what the paper measures best.

import { bandAt, rightChance, type Fairness, type Trap } from "./fairness";
import { BANDS, type Band } from "./shapes";

/** An edge that costs points: the lists on both sides of it, and which share of medium questions those get right whom it concerns. */
export interface TrapEdge {
  percent: number;
  drop: number;
  upper: Band;
  lower: Band;
  from: number;
  to: number;
}

export type Verdict =
  | { kind: "empty" }
  | { kind: "trap"; percent: number; step: number; drop: number; edges: TrapEdge[] }
  | { kind: "slight"; drop: number }
  | { kind: "fair" }
  | { kind: "standard"; score: number; low: number; high: number };

/** A smaller drop is less than what chance does to every student, so that nobody need level the lists for it. */
export const SLIGHT_DROP = 5;
const MEDIUM = 3;

export function verdictOf({ trap, traps, best, edges }: Fairness): Verdict {
  if (best === undefined) return { kind: "empty" };
  if (trap !== undefined) {
    const { edge, drop } = trap;
    if (Math.round(drop) < SLIGHT_DROP) return { kind: "slight", drop: Math.round(drop) };
    const grave = traps.filter((one) => Math.round(one.drop) >= SLIGHT_DROP);
    return { kind: "trap", percent: edge.percent, step: edge.above - edge.below, drop: Math.round(drop), edges: grave.map(edgeOf) };
  }
  if (edges.length > 0) return { kind: "fair" };
  return { kind: "standard", score: Math.round(best.mean), low: best.low, high: best.high };
}

function edgeOf({ edge, drop, from, to }: Trap): TrapEdge {
  const bandOf = (points: number) => BANDS[bandAt(points, edge.max)] as Band;
  const mediumOf = (ability: number) => Math.round(rightChance(ability, MEDIUM) * 100);
  return { percent: edge.percent, drop: Math.round(drop), upper: bandOf(edge.above), lower: bandOf(edge.below), from: mediumOf(from), to: mediumOf(to) };
}
