// What a new school does before its first sitting, in the usual order.

import { reviewedGrades, type GradeProgress } from "./waiting";

export type StepName = "people" | "questions" | "template" | "sitting";

export interface FirstStep {
  name: StepName;
  href: string;
  isDone: boolean;
}

/** What there is before the first sitting. */
export interface Groundwork {
  hasPeople: boolean;
  progress: GradeProgress[];
  hasTemplate: boolean;
}

/** The last one is never done here, since these steps are shown only while there is no sitting. */
export function firstSteps({ hasPeople, progress, hasTemplate }: Groundwork): FirstStep[] {
  return [
    { name: "people", href: "/staff/people/add", isDone: hasPeople },
    { name: "questions", href: "/staff/questions", isDone: reviewedGrades(progress).length > 0 },
    { name: "template", href: "/staff/templates/new", isDone: hasTemplate },
    { name: "sitting", href: "/staff/sittings/new", isDone: false },
  ];
}
