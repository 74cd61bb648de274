// Links in courses that lead to an exam, and the ledger of the scores that were sent by them.

import type { CourseLinkView, ScoreDeliveryView, SittingCandidate, UnjoinedPerson } from "../../api/schema";
import { compareTexts } from "../order";

export type { CourseReport, CourseLinkView as CourseLink, GrantView as Grant, ScoreDeliveryView as ScoreDelivery, ScorePage, UngradedView as Ungraded, UnjoinedPerson } from "../../api/schema";

export const LINKS = "/api/admin/lti/links";
export const SCORES = "/api/admin/lti/scores";
export type ScoreState = ScoreDeliveryView["status"];
/** In the order in which somebody looks for them. */
export const SCORE_STATES: ScoreState[] = ["failed", "pending", "delivered"];

/** What of a row of a roster says who it is. */
export type RosterRow = Pick<SittingCandidate, "id" | "name" | "email" | "externalId">;

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

/** What somebody of a platform is called here. */
export function nameOfPerson({ name, subject }: Pick<UnjoinedPerson, "name" | "subject">): string {
  return name ?? subject;
}

/** A row as it is chosen: two people may have one name. */
export function rowShown({ name, email, externalId }: Omit<RosterRow, "id">): string {
  return [name, email, externalId].filter((part) => part !== undefined && part !== null && part !== "").join(" · ");
}

/** The row that somebody probably is, to be looked at: the only one with their address, or else the only one with their name. */
export function suggestedRow(person: Pick<UnjoinedPerson, "name" | "email">, rows: RosterRow[]): RosterRow | undefined {
  const only = (found: RosterRow[]) => (found.length === 1 ? found[0] : undefined);
  const same = (one: string | null | undefined, other: string | null | undefined) =>
    typeof one === "string" && typeof other === "string" && one.trim().toLocaleLowerCase() === other.trim().toLocaleLowerCase();
  return only(rows.filter(({ email }) => same(email, person.email))) ?? only(rows.filter(({ name }) => same(name, person.name)));
}

/** What a link writes to lead to an exam. */
export function customParameter({ kind, id }: CourseLinkView["target"]): string {
  return `${kind}=${id}`;
}
