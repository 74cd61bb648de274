// What a new school does until its first exam, in the usual order.

import type { SittingState } from "../agenda";
import { reviewedGrades, type GradeProgress } from "./waiting";

export type StepName = "school" | "people" | "questions" | "template" | "sitting";

export interface FirstStep {
  name: StepName;
  href: string;
  isDone: boolean;
}

/** What there is already. */
export interface Groundwork {
  hasName: boolean;
  hasPeople: boolean;
  progress: GradeProgress[];
  hasTemplate: boolean;
  hasSitting: boolean;
}

/** Whether the steps stand before the day: once doors have opened, what runs comes first. */
export function isFirstTime(sittings: { state: SittingState }[]): boolean {
  return sittings.every(({ state }) => state === "draft");
}

/** Nothing when all is done. */
export function firstSteps({ hasName, hasPeople, progress, hasTemplate, hasSitting }: Groundwork): FirstStep[] {
  const steps: FirstStep[] = [
    { name: "school", href: "/staff/school", isDone: hasName },
    { name: "people", href: "/staff/people/add", isDone: hasPeople },
    { name: "questions", href: "/staff/questions", isDone: reviewedGrades(progress).length > 0 },
    { name: "template", href: "/staff/templates/new", isDone: hasTemplate },
    { name: "sitting", href: "/staff/sittings/new", isDone: hasSitting },
  ];
  return steps.every(({ isDone }) => isDone) ? [] : steps;
}
