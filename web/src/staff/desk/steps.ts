// The steps of an exam day in their order, and which of them waits for somebody: each is a view of the desk.

import type { RosterCounts } from "./roster";

export type DayStep = "prepare" | "attendance" | "begin" | "watch" | "incidents" | "dismiss";
/** `now` is to be done, `open` may be looked at, `done` has nothing left in it. */
export type Light = "later" | "now" | "open" | "done";

export interface StepState {
  step: DayStep;
  light: Light;
  /** What is left in it, if that can be counted. */
  left?: number;
}

export interface ExamDay {
  /** A grade or a template has no roster, so nobody to expect and nothing to begin. */
  isSitting: boolean;
  counts: RosterCounts;
  /** Nobody has to be told: it begins by the clock, or by each candidate. */
  beginsByItself: boolean;
  hasBegun: boolean;
  /** Whether anybody may enter yet. */
  doorsOpen: boolean;
  /** Who has entered and could not begin now. */
  unready: number;
  attention: number;
  incidents: number;
  /** Handed in, and known to be stored. */
  stored: number;
  /** Whose device had no connection when their test ended. */
  unheard?: number;
}

export function daySteps(day: ExamDay): StepState[] {
  const { counts } = day;
  const toCome = counts.here + (day.isSitting ? counts.expected : 0);
  const isOver = counts.submitted > 0 && counts.here === 0;
  const watch: StepState = { step: "watch", light: isOver ? "done" : counts.active + counts.paused > 0 ? "now" : "later", left: day.attention };
  const left = Math.max(counts.here + counts.submitted - day.stored, day.unheard ?? 0);
  const dismiss: StepState = {
    step: "dismiss",
    light: counts.submitted === 0 ? "later" : left === 0 && (isOver || toCome === 0) ? "done" : "now",
    left,
  };
  if (!day.isSitting) return [watch, dismiss];
  return [
    { step: "prepare", light: day.hasBegun ? "done" : counts.total > 0 && day.unready === 0 && counts.expected === 0 ? "done" : "now", left: day.unready },
    { step: "attendance", light: counts.unmarked === 0 && counts.total > 0 ? "done" : day.doorsOpen || day.hasBegun ? "now" : "open", left: counts.unmarked },
    { step: "begin", light: day.hasBegun ? "done" : day.beginsByItself || !day.doorsOpen ? "open" : "now" },
    watch,
    { step: "incidents", light: "open", left: day.incidents },
    dismiss,
  ];
}

/** The view to open a desk with: the step that is on. `isDue` says that the planned time has come. */
export function firstStep(steps: StepState[], isDue = false): DayStep {
  const light = (wanted: DayStep) => steps.find(({ step }) => step === wanted)?.light;
  if (light("watch") === "now") return "watch";
  if (light("dismiss") === "now" || light("dismiss") === "done") return "dismiss";
  // Somebody is always missing, and nobody waits for them when it is time.
  if (light("begin") === "now" && (isDue || light("prepare") !== "now")) return "begin";
  return light("prepare") === "now" ? "prepare" : "watch";
}
