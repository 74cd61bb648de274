// Links in courses that lead to an exam, and the ledger of the scores that were sent by them.

import type { CourseLinkView, ScoreDeliveryView } from "../../api/schema";
import { compareTexts } from "../order";

export type { CourseReport, CourseLinkView as CourseLink, ScoreDeliveryView as ScoreDelivery, ScorePage } from "../../api/schema";

export const LINKS = "/api/admin/lti/links";
export const SCORES = "/api/admin/lti/scores";
export type ScoreState = ScoreDeliveryView["status"];
/** In the order in which somebody looks for them. */
export const SCORE_STATES: ScoreState[] = ["failed", "pending", "delivered"];

/** By course and title. */
export function byCourse(one: CourseLinkView, other: CourseLinkView): number {
  return compareTexts(one.contextTitle, other.contextTitle) || compareTexts(one.title, other.title) || compareTexts(one.id, other.id);
}

/** Where the exam of a link is planned. */
export function targetPage({ target }: Pick<CourseLinkView, "target">): string {
  return `/staff/${target.kind === "sitting" ? "sittings" : "templates"}/${target.id}`;
}

/** Such as "420 / 600"; "–" as long as only the end is told. */
export function scoreShown({ scoreGiven, scoreMaximum }: Pick<ScoreDeliveryView, "scoreGiven" | "scoreMaximum">, locale: string): string {
  if (typeof scoreGiven !== "number" || typeof scoreMaximum !== "number") return "–";
  return `${scoreGiven.toLocaleString(locale)} / ${scoreMaximum.toLocaleString(locale)}`;
}
