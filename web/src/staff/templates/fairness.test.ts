import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ABILITIES, bandAt, fairnessOf, pointsOf, rightChance, scoreOf, stageSteps, type PaperMix } from "./fairness";

/** Python takes seconds on a machine that is busy. */
const PATIENCE_MS = 60_000;
const ORACLE = join(import.meta.dirname, "../../../../tests/oracle/fairness.py");
/** What the server gives students who have not chosen a template. */
const FIRST = [4, 3, 3, 4, 6];
const USUAL = [
  [0, 1, 3, 6, 10],
  [1, 2, 4, 6, 7],
  [2, 3, 5, 5, 5],
  [3, 4, 5, 5, 3],
  [6, 5, 5, 3, 1],
];
const EASY = [10, 0, 0, 0, 0];
const SHORT = [[0, 0, 0, 0, 0], [0, 0, 1, 2, 0], [1, 1, 0, 0, 0], [3, 0, 0, 0, 0], [0, 2, 0, 0, 1]];
const SAME = USUAL.map(() => [4, 4, 4, 4, 4]);

const PAPERS: Record<string, PaperMix> = {
  "a standard paper": { first: FIRST, second: [] },
  "the usual adaptive paper": { first: FIRST, second: USUAL },
  "an adaptive paper whose lists are alike": { first: FIRST, second: SAME },
  "a paper made to have the trap": { first: EASY, second: [[0, 0, 0, 0, 10], EASY, EASY, EASY, EASY] },
  "lists of which some questions could not be found": { first: [0, 0, 2, 0, 5], second: SHORT },
  "an empty paper": { first: [0, 0, 0, 0, 0], second: [] },
};

interface Told {
  lines: unknown[];
  edges: unknown[];
  trap: Record<string, number> | null;
  best: number | null;
}

/** All numbers within, with the place of each. */
function numbers(value: unknown, place = ""): [string, number][] {
  if (typeof value === "number") return [[place, value]];
  return Object.entries(value as object).flatMap(([name, inner]) => numbers(inner, `${place}.${name}`));
}

test("a second implementation finds the same", () => {
  const told = JSON.parse(execFileSync("python3", [ORACLE], { input: JSON.stringify(Object.values(PAPERS)), encoding: "utf8" })) as Told[];
  Object.entries(PAPERS).forEach(([name, paper], index) => {
    const { lines, edges, trap, best } = fairnessOf(paper);
    const ours = {
      lines: lines.map(({ ability, mean, low, high, bands }) => ({ ability, mean, low, high, bands })),
      edges,
      ...(trap === undefined ? {} : { trap: { percent: trap.edge.percent, ability: trap.ability, drop: trap.drop, from: trap.from, to: trap.to } }),
    };
    const { lines: theirLines, edges: theirEdges, trap: theirTrap, best: theirBest } = told[index] as Told;
    const theirs = new Map(numbers({ lines: theirLines, edges: theirEdges, ...(theirTrap === null ? {} : { trap: theirTrap }) }));
    const all = numbers(ours);
    expect(all.length, name).toBe(theirs.size);
    const apart = all.filter(([place, value]) => !(Math.abs(value - (theirs.get(place) ?? NaN)) <= 1e-9));
    expect(apart, name).toEqual([]);
    expect(best?.ability ?? null, name).toBe(theirBest);
  });
}, PATIENCE_MS);

test("a template made to have the trap is caught at its edge", () => {
  const { trap, edges } = fairnessOf(PAPERS["a paper made to have the trap"] as PaperMix);
  expect(edges.map(({ below, above, percent }) => [below, above, percent])).toEqual([[5, 6, 60], [6, 7, 70], [7, 8, 80], [8, 9, 90]]);
  expect(trap?.edge.percent).toBe(90);
  expect(trap?.drop).toBeGreaterThan(100);
  expect(trap?.from).toBeLessThanOrEqual(trap?.ability ?? NaN);
  expect(trap?.to).toBeGreaterThanOrEqual(trap?.ability ?? NaN);
});

test("the usual bands have the trap, of ten to forty points", () => {
  const { trap } = fairnessOf(PAPERS["the usual adaptive paper"] as PaperMix);
  expect(trap?.drop).toBeGreaterThan(10);
  expect(trap?.drop).toBeLessThan(40);
});

test("lists that are alike have no trap, and a standard paper has no edges", () => {
  const alike = fairnessOf(PAPERS["an adaptive paper whose lists are alike"] as PaperMix);
  expect(alike.edges.length).toBe(4);
  expect(alike.trap).toBeUndefined();
  expect(fairnessOf(PAPERS["a standard paper"] as PaperMix)).toMatchObject({ edges: [], trap: undefined });
  expect(fairnessOf(PAPERS["an empty paper"] as PaperMix)).toMatchObject({ trap: undefined, best: undefined });
});

test("probabilities add up, and means rise with ability", () => {
  for (const [name, paper] of Object.entries(PAPERS)) {
    const { lines } = fairnessOf(paper);
    expect(lines.length).toBe(ABILITIES.length);
    for (const { ability, bands, low, high } of lines) {
      expect(pointsOf(paper.first, ability).reduce((sum, chance) => sum + chance, 0), name).toBeCloseTo(1, 12);
      if (bands.length > 0) expect(bands.reduce((sum, share) => sum + share, 0), name).toBeCloseTo(1, 12);
      expect(low).toBeLessThanOrEqual(high);
    }
  }
  const { lines } = fairnessOf(PAPERS["a standard paper"] as PaperMix);
  expect(lines.every(({ mean }, index) => index === 0 || mean > (lines[index - 1]?.mean ?? NaN))).toBe(true);
});

test("within a band one more point never lowers the expected score", () => {
  const steps = stageSteps(PAPERS["the usual adaptive paper"] as PaperMix, 0.5);
  expect(steps.length).toBe(66);
  steps.slice(1).forEach((step, index) => {
    const before = steps[index];
    if (before?.band === step.band) expect(step.expected).toBeGreaterThanOrEqual(before.expected - 1e-9);
  });
});

test("points, bands and scores are those of the server", () => {
  expect(rightChance(0, 3)).toBe(0.625);
  expect([bandAt(90, 100), bandAt(52, 65), bandAt(51, 65), bandAt(60, 100), bandAt(0, 0)]).toEqual([0, 1, 2, 3, 4]);
  expect([scoreOf(0, 0), scoreOf(0, 65), scoreOf(65, 65), scoreOf(1, 65), scoreOf(1, 16)]).toEqual([200, 200, 800, 209, 238]);
});
