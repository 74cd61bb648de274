// How fair a paper is: what students of every ability would score on it, and whether one more point in stage 1 can cost points.
// Everything is reckoned exactly, without chance, from how many questions of each difficulty the lists have.

import type { DifficultyCounts } from "./shapes";

/** Five numbers by difficulty for the first list, and for each band, from the best to the lowest, if the paper is adaptive. */
export interface PaperMix {
  first: DifficultyCounts;
  second: readonly DifficultyCounts[];
}

export interface AbilityLine {
  ability: number;
  mean: number;
  /** The middle 80 % of the scores. */
  low: number;
  high: number;
  /** The share of students who get each band; empty for a standard paper. */
  bands: number[];
}

/** Two totals of stage 1 of which one leads to another list than the other. */
export interface Edge {
  below: number;
  above: number;
  max: number;
  /** The lower bound of the upper band in per cent. */
  percent: number;
  /** For each ability: how many stand at one of the two totals, and what both lead to. */
  lines: { ability: number; chance: number; below: number; above: number }[];
}

export interface Trap {
  edge: Edge;
  /** The ability that loses most, and how many points of the expected score. */
  ability: number;
  drop: number;
  /** From which ability to which one some are caught. */
  from: number;
  to: number;
}

export interface Fairness {
  lines: AbilityLine[];
  edges: Edge[];
  /** One for each edge that costs points, in the order of the edges. */
  traps: Trap[];
  /** The worst of them. */
  trap: Trap | undefined;
  /** The ability that the paper tells best from its neighbours; undefined for an empty paper. */
  best: AbilityLine | undefined;
}

/** What the totals of stage 1 lead to. */
export interface StageStep {
  points: number;
  band: number;
  expected: number;
}

const ABILITY_MAX = 4;
const ABILITY_STEP = 0.25;
/** In logits: an ability of 0 is that for which a question of difficulty 3 is neither easy nor hard. */
export const ABILITIES: readonly number[] = Array.from({ length: (2 * ABILITY_MAX) / ABILITY_STEP + 1 }, (_, index) => index * ABILITY_STEP - ABILITY_MAX);
/** One of four options, for those who know nothing. */
const GUESSED = 0.25;
const MIDDLE_DIFFICULTY = 3;
const SCORE_MIN = 200;
const SCORE_MAX = 800;
/** The lower bounds of all bands but the last, in tenths of the points. */
const BOUNDS = [9, 8, 7, 6];
const LOW = 0.1;
const HIGH = 0.9;
/** Points of a second list that is not there. */
const NOTHING_MORE = new Float64Array([1]);
/** Sums of probabilities are never exact. */
const EPSILON = 1e-12;
/** A smaller drop is no whole point of the score. */
export const DROP_MIN = 0.5;
/** Fewer than one in a hundred at an edge are no reason to change a paper. */
export const CHANCE_MIN = 0.01;

/** The probability of a right answer: a logistic curve (Rasch) above what guessing gives. */
export function rightChance(ability: number, difficulty: number): number {
  return GUESSED + (1 - GUESSED) / (1 + Math.exp(-(ability - (difficulty - MIDDLE_DIFFICULTY))));
}

/** The probability of each total of points, from 0 to all. Each question is added to what those before it give. */
export function pointsOf(counts: DifficultyCounts, ability: number): Float64Array {
  const chances = new Float64Array(maxOf(counts) + 1);
  chances[0] = 1;
  let reached = 0;
  counts.forEach((count, index) => {
    const points = index + 1;
    const right = rightChance(ability, points);
    for (let question = 0; question < count; question += 1) {
      for (let total = reached; total >= 0; total -= 1) {
        const before = chances[total] as number;
        chances[total + points] = (chances[total + points] as number) + before * right;
        chances[total] = before * (1 - right);
      }
      reached += points;
    }
  });
  return chances;
}

export function maxOf(counts: DifficultyCounts): number {
  return counts.reduce((sum, count, index) => sum + count * (index + 1), 0);
}

/** The place of the band, compared in integers as the server does. */
export function bandAt(earned: number, max: number): number {
  const found = BOUNDS.findIndex((tenths) => max > 0 && 10 * earned >= tenths * max);
  return found < 0 ? BOUNDS.length : found;
}

export function scoreOf(earned: number, max: number): number {
  if (max === 0) return SCORE_MIN;
  return Math.min(SCORE_MAX, Math.max(SCORE_MIN, Math.floor((1200 * earned + max) / (2 * max)) + SCORE_MIN));
}

/** The totals that some answers give: five questions of difficulty 5 give no 7 points. */
function totalsOf(counts: DifficultyCounts): number[] {
  const reached = new Set([0]);
  counts.forEach((count, index) => {
    for (let question = 0; question < count; question += 1) for (const total of [...reached]) reached.add(total + index + 1);
  });
  return [...reached].sort((one, other) => one - other);
}

/** What each total of stage 1 leads to for an ability. */
export function stageSteps(paper: PaperMix, ability: number, totals = totalsOf(paper.first)): StageStep[] {
  const max = maxOf(paper.first);
  const after = paper.second.map((counts) => pointsOf(counts, ability));
  return totals.map((points) => {
    const band = bandAt(points, max);
    const all = max + maxOf(paper.second[band] ?? []);
    const expected = (after[band] ?? NOTHING_MORE).reduce((sum, chance, more) => sum + chance * scoreOf(points + more, all), 0);
    return { points, band, expected };
  });
}

function lineOf({ first, second }: PaperMix, ability: number): AbilityLine & { variance: number } {
  const max = maxOf(first);
  const stage1 = pointsOf(first, ability);
  const after = second.map((counts) => pointsOf(counts, ability));
  const bands = second.map(() => 0);
  const chances = new Float64Array(SCORE_MAX + 1);
  stage1.forEach((chance, points) => {
    const band = bandAt(points, max);
    if (second.length > 0) bands[band] = (bands[band] ?? 0) + chance;
    const all = max + maxOf(second[band] ?? []);
    (after[band] ?? NOTHING_MORE).forEach((then, more) => {
      const score = scoreOf(points + more, all);
      chances[score] = (chances[score] as number) + chance * then;
    });
  });
  const mean = chances.reduce((sum, chance, score) => sum + chance * score, 0);
  const variance = chances.reduce((sum, chance, score) => sum + chance * (score - mean) ** 2, 0);
  return { ability, mean, low: quantile(chances, LOW), high: quantile(chances, HIGH), bands, variance };
}

/** The lowest score that this share of students does not exceed. */
function quantile(chances: Float64Array, share: number): number {
  let sum = 0;
  for (let score = SCORE_MIN; score <= SCORE_MAX; score += 1) {
    sum += chances[score] as number;
    if (sum >= share - EPSILON) return score;
  }
  return SCORE_MAX;
}

function edgesOf(paper: PaperMix): Edge[] {
  if (paper.second.length === 0) return [];
  const max = maxOf(paper.first);
  const totals = totalsOf(paper.first);
  const pairs = totals.slice(1).map((above, index) => [totals[index] as number, above] as const);
  const chances = ABILITIES.map((ability) => pointsOf(paper.first, ability));
  return pairs
    .filter(([below, above]) => bandAt(below, max) !== bandAt(above, max))
    .map(([below, above]) => {
      const lines = ABILITIES.map((ability, index) => {
        const [before, after] = stageSteps(paper, ability, [below, above]);
        const stage1 = chances[index] as Float64Array;
        return { ability, chance: (stage1[below] as number) + (stage1[above] as number), below: before?.expected ?? NaN, above: after?.expected ?? NaN };
      });
      return { below, above, max, percent: (BOUNDS[bandAt(above, max)] as number) * 10, lines };
    });
}

/** The ability that loses most at the edge, among those whom it concerns. */
function trapAt(edge: Edge): Trap | undefined {
  const caught = edge.lines.filter(({ chance, below, above }) => chance >= CHANCE_MIN && below - above >= DROP_MIN);
  const [from, to] = [caught[0]?.ability ?? 0, caught.at(-1)?.ability ?? 0];
  return worstOf(caught.map(({ ability, below, above }) => ({ edge, ability, drop: below - above, from, to })));
}

function worstOf(traps: Trap[]): Trap | undefined {
  return traps.reduce<Trap | undefined>((worst, trap) => (worst === undefined || trap.drop > worst.drop ? trap : worst), undefined);
}

/** The edges at which one more point costs points of the score. */
export function trapsOf(paper: PaperMix): Trap[] {
  return trapsAt(edgesOf(paper));
}

function trapsAt(edges: Edge[]): Trap[] {
  return edges.flatMap((edge) => trapAt(edge) ?? []);
}

/** How well an ability is told from its neighbours: the slope of the mean, measured in standard deviations. */
function bestOf(lines: (AbilityLine & { variance: number })[]): AbilityLine | undefined {
  let [best, most] = [undefined as AbilityLine | undefined, 0];
  for (let index = 1; index < lines.length - 1; index += 1) {
    const [before, line, after] = [lines[index - 1], lines[index], lines[index + 1]];
    if (before === undefined || line === undefined || after === undefined || line.variance === 0) continue;
    const precision = (after.mean - before.mean) ** 2 / line.variance;
    if (precision > most + EPSILON) [best, most] = [line, precision];
  }
  return best;
}

export function fairnessOf(paper: PaperMix): Fairness {
  const lines = ABILITIES.map((ability) => lineOf(paper, ability));
  const edges = edgesOf(paper);
  const traps = trapsAt(edges);
  return { lines, edges, traps, trap: worstOf(traps), best: bestOf(lines) };
}
