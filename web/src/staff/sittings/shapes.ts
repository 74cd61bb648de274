// What the server says of sittings, as `/api/docs/` describes it.

import type { MarkScale } from "../../marks/scale";
import type { LateRule, SittingRoom, StartRule, TemplateSummary } from "../../api/schema";

/** Templates to choose from: those that the caller manages. */
export const TEMPLATE_CHOICES = "/api/manager/test-templates";
export const SITTINGS = "/api/admin/sittings";
export const ACCOMMODATIONS = "/api/admin/accommodations";

export type { CandidateState, StartRule, LateRule, ValueSource, Sitting, EndsMoved, Accommodation, RosterReport } from "../../api/schema";
export type { SittingRoom as Room, SittingCandidate as Candidate, ExplainedTerms as Explained } from "../../api/schema";
export type { AccommodationViews as Register, ConcernedCandidate as Concern } from "../../api/schema";

export type TemplateChoice = Pick<TemplateSummary, "id" | "name" | "grades" | "mode" | "durationMinutes">;

/** The fields of a room that are sent. With an id, a room keeps its code under another name. */
export type RoomFields = Pick<SittingRoom, "name" | "proctors"> & Partial<Pick<SittingRoom, "id" | "startsAt" | "endsAt" | "factor" | "extraMinutes">>;

/** The fields of a sitting that are sent; null takes a time away. */
export interface SittingFields {
  name?: string;
  templateId?: string;
  startsAt?: string;
  start?: StartRule;
  perRoom?: boolean;
  doorsAt?: string | null;
  entryUntil?: string | null;
  endsAt?: string | null;
  late?: LateRule;
  results?: string;
  publish?: boolean;
  /** How marks are made; null for none. */
  markScale?: MarkScale | null;
  rooms?: RoomFields[];
}

/** The fields of a candidate that are sent; null takes a value of their own away. */
export type CandidateFields = { [name in "email" | "externalId" | "name" | "room" | "seat" | "startsAt" | "endsAt" | "note"]?: string | null } & {
  factor?: number | null;
  extraMinutes?: number | null;
};
