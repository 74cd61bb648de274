// The list of sittings: which of them a filter leaves, and the days under which they stand.

import type { SittingState } from "../agenda";
import { compareTexts } from "../order";
import { folded, wordsOf } from "../search";
import { dateOf, dayStart } from "../moments";
import type { Sitting, TemplateChoice } from "./shapes";

export interface SittingFilter {
  /** A state, `held` for those whose results wait to be released, or empty for all. */
  state: SittingState | "held" | "";
  grade: string;
  text: string;
  past: boolean;
}

export interface SittingDay {
  /** `yyyy-mm-dd` here. */
  date: string;
  /** Its first moment. */
  ms: number;
  sittings: Sitting[];
}

/** Whether a sitting is over and its results wait for somebody to release them. */
export function isHeld(sitting: Sitting): boolean {
  return sitting.state === "ended" && !sitting.released && sitting.counts.submitted > 0;
}

/** The sittings that a filter leaves. Those of past days are left out unless they are asked for, or wait for a release. */
export function filteredSittings(sittings: Sitting[], filter: SittingFilter, templates: Map<string, TemplateChoice>, now: number): Sitting[] {
  const words = wordsOf(filter.text);
  const today = dayStart(now);
  return sittings.filter((sitting) => {
    const isPast = sitting.state === "ended" && Date.parse(sitting.startsAt) < today;
    if (isPast && !filter.past && filter.state !== "ended" && !isHeld(sitting)) return false;
    if (filter.state === "held" ? !isHeld(sitting) : filter.state !== "" && sitting.state !== filter.state) return false;
    if (filter.grade !== "" && !templates.get(sitting.templateId)?.grades.includes(Number(filter.grade))) return false;
    const text = folded([sitting.name, sitting.template, sitting.code, ...sitting.rooms.map(({ name }) => name)].join(" "));
    return words.every((word) => text.includes(word));
  });
}

/** The days from today on in their order, and after them those before today, the last one first. */
export function sittingsByDay(sittings: Sitting[], now: number): SittingDay[] {
  const days = new Map<string, SittingDay>();
  for (const sitting of sittings) {
    const ms = Date.parse(sitting.startsAt);
    const date = dateOf(ms);
    const day = days.get(date) ?? { date, ms: dayStart(ms), sittings: [] };
    days.set(date, day);
    day.sittings.push(sitting);
  }
  for (const day of days.values()) day.sittings.sort((one, other) => Date.parse(one.startsAt) - Date.parse(other.startsAt) || compareTexts(one.name, other.name));
  const today = dayStart(now);
  const sorted = [...days.values()].sort((one, other) => one.ms - other.ms);
  return [...sorted.filter(({ ms }) => ms >= today), ...sorted.filter(({ ms }) => ms < today).reverse()];
}

/** The grades of the templates, in order. */
export function templateGrades(templates: Iterable<TemplateChoice>): number[] {
  return [...new Set([...templates].flatMap(({ grades }) => grades))].sort((one, other) => one - other);
}
