// What the server says of sittings, as `/api/docs/` describes it.

import type { SittingState } from "../agenda";
import type { Unchanged } from "../desk/frames";

/** Templates to choose from: those that the caller manages. */
export const TEMPLATE_CHOICES = "/api/manager/test-templates";
export const SITTINGS = "/api/admin/sittings";
export const ACCOMMODATIONS = "/api/admin/accommodations";

export type CandidateState = "expected" | "waiting" | "ready" | "active" | "paused" | "submitted" | "absent";
export type StartRule = "clock" | "proctor" | "own";
export type LateRule = "cut" | "full";
export type ValueSource = "template" | "sitting" | "room" | "accommodation" | "candidate";

export interface Room {
  id: string;
  name: string;
  code: string;
  proctors: string[];
  startsAt: string | null;
  endsAt: string | null;
  factor: number | null;
  extraMinutes: number | null;
  begunAt: string | null;
  candidates: number;
  /** Of minutes and pauses for everyone there, until now. */
  grantedMs: number;
}

export interface Sitting {
  id: string;
  name: string;
  templateId: string;
  template: string;
  minutes: number;
  startsAt: string;
  start: StartRule;
  perRoom: boolean;
  doorsAt: string;
  entryUntil: string | null;
  endsAt: string | null;
  late: LateRule;
  /** `now`, `held` or a time. */
  results: string;
  code: string;
  openedAt: string | null;
  begunAt: string | null;
  releasedAt: string | null;
  endedAt: string | null;
  eventId: number | null;
  publish: boolean;
  webhookUrl: string | null;
  state: SittingState;
  released: boolean;
  counts: Record<CandidateState | "total", number>;
  rooms: Room[];
  version: number;
  /** Of minutes and pauses for the whole sitting, until now. */
  grantedMs: number;
  createdBy: string;
  createdAt: string;
}

/** The fields of a room that are sent. With an id, a room keeps its code under another name. */
export type RoomFields = Partial<Pick<Room, "id" | "startsAt" | "endsAt" | "factor" | "extraMinutes">> & Pick<Room, "name" | "proctors">;

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
  rooms?: RoomFields[];
}

export interface Candidate {
  id: string;
  email?: string;
  externalId?: string;
  name: string;
  room: string | null;
  seat: string | null;
  /** What holds, wherever it comes from. */
  factor: number;
  extraMinutes: number;
  /** Their own. */
  startsAt: string | null;
  endsAt: string | null;
  note: string | null;
  state: CandidateState;
  sessionId: string | null;
  hasAccessCode: boolean;
  /** Of minutes and pauses, for them alone and for everyone, until now. */
  grantedMs: number;
}

/** What a change of times did to those who have entered. */
export interface EndsMoved {
  count: number;
  unchangedCount: number;
  unchanged: Unchanged[];
}

/** The fields of a candidate that are sent; null takes a value of their own away. */
export type CandidateFields = { [name in "email" | "externalId" | "name" | "room" | "seat" | "startsAt" | "endsAt" | "note"]?: string | null } & {
  factor?: number | null;
  extraMinutes?: number | null;
};

export interface Sourced<T> {
  value: T;
  source: ValueSource;
}

/** Each value that holds for a candidate, and where it comes from. */
export interface Explained {
  candidateId: string;
  start: Sourced<string>;
  begin: Sourced<string> | null;
  minutes: Sourced<number>;
  factor: Sourced<number>;
  extra: Sourced<number>;
  end: Sourced<string> | null;
  extendedMinutes: number;
  pausedMilliseconds: number;
  enteredAt: string | null;
  base: string | null;
  deadline: Sourced<string> | null;
}

export interface Accommodation {
  email: string;
  factor: number | null;
  extraMinutes: number | null;
  flags: string[];
  note: string | null;
  validUntil: string | null;
}

/** All of them, and the school's time zone, in which a day ends. */
export interface Register {
  accommodations: Accommodation[];
  timeZone: string;
}

/** A candidate of an open sitting whose copy differs from the register. */
export interface Concern {
  sittingId: string;
  sitting: string;
  candidateId: string;
  name: string;
  state: CandidateState;
  before: { factor: number; extraMinutes: number; deadline: string | null };
  after: { factor: number; extraMinutes: number; deadline: string | null };
  applied: boolean;
}

export interface TemplateChoice {
  id: string;
  name: string;
  grades: number[];
  mode: "standard" | "adaptive";
  durationMinutes: number;
}

export interface RosterReport {
  added: number;
  updated: number;
  removed: number;
  /** Each begins with `Row <n>:`. */
  errors: string[];
  /** Names that were put together from several columns; the first of them. */
  joinedNames?: { row: number; name: string }[];
  /** Headings of columns that were passed over. */
  ignoredColumns?: string[];
  newRooms?: string[];
  /** How many rows the sheet hides, which are read like others. */
  hiddenRows?: number;
  /** The encoding of a text that does not say its own. */
  readAs?: string;
}
