// The scales that are offered ready-made, and what a scale looks like that a school makes itself.

import type { MarkScale } from "../../marks/scale";
import type { Language } from "../../texts/choice.svelte";

export const PRESETS = ["ten", "sixBest", "sixWorst", "letters", "passed"] as const;
export type ScalePreset = (typeof PRESETS)[number];

/** The words of the one scale that is kept in the language in which it was chosen. */
const PASSED: Record<Language, [string, string]> = { en: ["Passed", "Not passed"], vi: ["Đạt", "Chưa đạt"] };
const LETTERS: [string, number][] = [["A", 90], ["B", 80], ["C", 70], ["D", 60], ["F", 0]];

/** Marks follow the share of right answers: everybody can check that by counting. */
export function presetScale(preset: ScalePreset, language: Language): MarkScale {
  const numbers = { type: "numbers", basis: "percent", rounding: "nearest" } as const;
  const [passed, failed] = PASSED[language];
  switch (preset) {
    case "ten":
      return { ...numbers, worst: 0, best: 10, step: 0.5, pass: 5 };
    case "sixBest":
      return { ...numbers, worst: 1, best: 6, step: 0.5, pass: 4 };
    case "sixWorst":
      return { ...numbers, worst: 6, best: 1, step: 1, pass: 4 };
    case "letters":
      return { type: "labels", basis: "percent", labels: LETTERS.map(([label, from]) => ({ label, from })), pass: "D" };
    case "passed":
      return { type: "labels", basis: "percent", labels: [{ label: passed, from: 50 }, { label: failed, from: 0 }], pass: passed };
  }
}

/** Which of them a scale is; undefined for a school's own. */
export function presetOf(scale: MarkScale): ScalePreset | undefined {
  const languages = Object.keys(PASSED) as Language[];
  return PRESETS.find((preset) => languages.some((language) => isSameScale(presetScale(preset, language), scale)));
}

/** Whether two scales give the same marks. A pass mark may be missing or null. */
export function isSameScale(one: MarkScale | "school" | null | undefined, other: MarkScale | "school" | null | undefined): boolean {
  return canonical(one) === canonical(other);
}

function canonical(scale: MarkScale | "school" | null | undefined): string {
  if (scale == null || typeof scale === "string") return JSON.stringify(scale ?? null);
  const { basis, pass = null } = scale;
  if (scale.type === "labels") return JSON.stringify([basis, pass, scale.labels.map(({ label, from }) => [label, from])]);
  return JSON.stringify([basis, pass, scale.worst, scale.best, scale.step, scale.rounding]);
}
