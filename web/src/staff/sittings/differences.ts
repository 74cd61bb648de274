// What somebody else has changed of a sitting since this page read it, and what takes a change back.

import { isSameScale } from "../marks/presets";
import { roomFields } from "./postpone";
import type { Candidate, CandidateFields, Explained, Sitting, SittingFields } from "./shapes";
import { doorsFollow, sittingTimes } from "./timeline";

/** The fields that people change, apart from rooms. */
export const PLAIN_FIELDS = ["name", "templateId", "startsAt", "doorsAt", "entryUntil", "endsAt", "start", "perRoom", "late", "results", "publish"] as const;
export type PlainField = (typeof PLAIN_FIELDS)[number];
export type ChangedField = PlainField | "markScale" | "rooms";

export interface SittingDifference {
  field: ChangedField;
  before: Sitting;
  after: Sitting;
}

/** The fields that differ. Counts, states and who is on the roster are no plan. */
export function differences(before: Sitting, after: Sitting): SittingDifference[] {
  const changed: ChangedField[] = PLAIN_FIELDS.filter((field) => before[field] !== after[field]);
  const rooms = (sitting: Sitting) => JSON.stringify(sitting.rooms.map(roomFields));
  if (!isSameScale(before.markScale, after.markScale)) changed.push("markScale");
  if (rooms(before) !== rooms(after)) changed.push("rooms");
  return changed.map((field) => ({ field, before, after }));
}

/** The fields that a change would set and that somebody else has set meanwhile. */
export function overlap(changes: SittingFields, theirs: SittingDifference[]): ChangedField[] {
  return theirs.map(({ field }) => field).filter((field) => field in changes);
}

const CANDIDATE_FIELDS = ["email", "externalId", "name", "room", "seat", "factor", "extraMinutes", "startsAt", "endsAt", "note"] as const;

/** Whether these fields of a candidate are as they were seen. Who has come, and what slips were printed, is no plan. */
export function isAsSeen(seen: Candidate, present: Candidate | undefined, fields: readonly (keyof CandidateFields)[] = CANDIDATE_FIELDS): boolean {
  return present !== undefined && fields.every((field) => (seen[field] ?? null) === (present[field] ?? null));
}

/** The change that takes another one back, given what was there before. */
export function inverse(before: Sitting, changes: SittingFields): SittingFields {
  const back: SittingFields = {};
  for (const field of Object.keys(changes) as (keyof SittingFields)[]) {
    if (field === "rooms") back.rooms = before.rooms.map(roomFields);
    else if (field === "markScale") back.markScale = before.markScale ?? null;
    else if (field === "doorsAt") back.doorsAt = doorsFollow(sittingTimes(before)) ? null : before.doorsAt;
    else Object.assign(back, { [field]: before[field] });
  }
  return back;
}

/** The same for a candidate. What holds for them may come from elsewhere, and only what is their own goes back. */
export function inverseOfCandidate(before: Candidate, explained: Explained, changes: CandidateFields): CandidateFields {
  const own = <T>({ value, source }: { value: T; source: string }) => (source === "candidate" ? value : null);
  const back: CandidateFields = {};
  for (const field of Object.keys(changes) as (keyof CandidateFields)[]) {
    if (field === "factor") back.factor = own(explained.factor);
    else if (field === "extraMinutes") back.extraMinutes = own(explained.extra);
    else Object.assign(back, { [field]: before[field] ?? null });
  }
  return back;
}
