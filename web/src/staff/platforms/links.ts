// Links in courses that lead to an exam, and the ledger of the scores that were sent by them.

import type { CourseLinkView, ScoreDeliveryView } from "../../api/schema";
import { compareTexts } from "../order";

export type { CourseReport, CourseLinkView as CourseLink, ScoreDeliveryView as ScoreDelivery } from "../../api/schema";

export const LINKS = "/api/admin/lti/links";
export const SCORES = "/api/admin/lti/scores";
export type ScoreState = ScoreDeliveryView["status"];
/** In the order in which somebody looks for them. */
export const SCORE_STATES: ScoreState[] = ["failed", "pending", "delivered"];
/** Those of a large sitting are counted, and the first of them shown. */
export const SCORES_SHOWN_MAX = 100;

/** By course and title. */
export function byCourse(one: CourseLinkView, other: CourseLinkView): number {
  return compareTexts(one.contextTitle, other.contextTitle) || compareTexts(one.title, other.title) || compareTexts(one.id, other.id);
}

/** How many scores have each state. */
export function countedScores(scores: Pick<ScoreDeliveryView, "status">[]): Record<ScoreState, number> {
  const counts: Record<ScoreState, number> = { failed: 0, pending: 0, delivered: 0 };
  for (const { status } of scores) counts[status] += 1;
  return counts;
}

/** What failed first, then what waits; the newest first. */
export function byUrgency(one: Pick<ScoreDeliveryView, "status" | "createdAt">, other: Pick<ScoreDeliveryView, "status" | "createdAt">): number {
  return SCORE_STATES.indexOf(one.status) - SCORE_STATES.indexOf(other.status) || other.createdAt.localeCompare(one.createdAt);
}

/** Such as "420 / 600"; "–" as long as only the end is told. */
export function scoreShown({ scoreGiven, scoreMaximum }: Pick<ScoreDeliveryView, "scoreGiven" | "scoreMaximum">, locale: string): string {
  if (typeof scoreGiven !== "number" || typeof scoreMaximum !== "number") return "–";
  return `${scoreGiven.toLocaleString(locale)} / ${scoreMaximum.toLocaleString(locale)}`;
}
