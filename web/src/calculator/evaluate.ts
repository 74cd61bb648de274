// Computes an expression of the calculator's keys. The library has only the operations that it needs, and its own way of
// adding functions is closed; the functions of the keys come with each expression.

import { addDependencies, create, divideDependencies, evaluateDependencies } from "mathjs/number";
import { multiplyDependencies, powDependencies, subtractDependencies, unaryMinusDependencies } from "mathjs/number";
import type { Result } from "./entry";

export type Angle = "degrees" | "radians";

/** What is left of a sum of decimals that is zero, as a part of what was added. */
const LEFT_OVER = 1e-14;
/** A sine or cosine below this is zero. */
const TINY = 1e-15;
const FACTORIAL_MAX = 170;
const LARGEST = 1e100;

const sums = { ...addDependencies, ...subtractDependencies, ...unaryMinusDependencies };
const math = create({ ...evaluateDependencies, ...sums, ...multiplyDependencies, ...divideDependencies, ...powDependencies });
const refuse = () => {
  throw new Error("closed");
};
const cleared = (sum: number, ...of: number[]) => (Math.abs(sum) < LEFT_OVER * Math.max(...of.map(Math.abs)) ? 0 : sum);
const add = (one: number, other: number) => cleared(one + other, one, other);
const subtract = (one: number, other: number) => cleared(one - other, one, other);
math.import({ add, subtract }, { override: true });
const { evaluate } = math;
math.import({ import: refuse, evaluate: refuse, parse: refuse }, { override: true });

export function evaluated(expression: string, answer: number, angle: Angle): Result {
  try {
    const value: unknown = evaluate(expression, new Map(Object.entries(namesOf(angle, answer))));
    if (typeof value !== "number" || Number.isNaN(value)) return { fault: "undefined" };
    if (!Number.isFinite(value)) return { fault: expression.includes("/") || expression.includes("^(-") ? "zero" : "large" };
    return Math.abs(value) > LARGEST ? { fault: "large" } : { value };
  } catch {
    return { fault: "unfinished" };
  }
}

function namesOf(angle: Angle, answer: number): Record<string, number | ((value: number) => number)> {
  const unit = angle === "degrees" ? Math.PI / 180 : 1;
  const flat = (value: number) => (Math.abs(value) < TINY ? 0 : value);
  const sin = (value: number) => flat(Math.sin(value * unit));
  const cos = (value: number) => flat(Math.cos(value * unit));
  return {
    sin,
    cos,
    tan: (value) => (cos(value) === 0 ? NaN : sin(value) / cos(value)),
    asin: (value) => Math.asin(value) / unit,
    acos: (value) => Math.acos(value) / unit,
    atan: (value) => Math.atan(value) / unit,
    sqrt: Math.sqrt,
    log: (value) => logarithm(value, Math.log10),
    ln: (value) => logarithm(value, Math.log),
    factorial,
    pi: Math.PI,
    e: Math.E,
    answer,
  };
}

function logarithm(value: number, of: (value: number) => number): number {
  return value > 0 ? of(value) : NaN;
}

function factorial(value: number): number {
  if (!Number.isInteger(value) || value < 0) return NaN;
  if (value > FACTORIAL_MAX) return Infinity;
  let product = 1;
  for (let factor = 2; factor <= value; factor += 1) product *= factor;
  return product;
}
