// The messages of the proctors' socket, and how they are read: nothing that a server might send can throw here.

import type { EventView, HallStanding, Outage, Standing, UnchangedSession } from "../../api/schema";
import type { Row } from "./row";

/** The fields of a row that have changed, by the row's number. Null for an optional field means that there is none. */
export type RowDifference = { n: number } & { [Field in keyof Row]?: Row[Field] | null };

/** What the server counts in the whole room, for a page that sees the progress of rows in view alone. */
export interface RoomCounts {
  withProgress: number;
  /** For each question how many are at it, and how many have answered it. */
  questions: [number, number][];
}

export type { EventView as RecordEvent, Outage, Standing as TimeStanding, UnchangedSession as Unchanged } from "../../api/schema";

/** What a server says of the room besides its rows. One of an earlier version says nothing. */
export interface Facts {
  /** Of what is watched. */
  standing?: Standing;
  /** Of each hall, where a whole sitting is watched. */
  halls?: HallStanding[];
  /** Of the whole sitting, where one of its halls is watched. */
  sitting?: Standing;
  /** Those of the last half hour. */
  outages?: Outage[];
}

export interface RosterFrame extends Facts {
  type: "roster";
  seq: number;
  serverTime: string;
  partial: boolean;
  sessions: Row[];
  complete: boolean;
}

export interface ChangesFrame extends Facts {
  type: "changes";
  seq: number;
  serverTime: string;
  partial: boolean;
  sessions: Row[];
  removed: string[];
  differences?: RowDifference[];
  counts?: RoomCounts;
}

export interface ProgressFrame {
  type: "progress";
  serverTime: string;
  differences: RowDifference[];
}

export type Frame =
  | RosterFrame
  | ChangesFrame
  | ProgressFrame
  | { type: "done"; id: string; count: number; unchangedCount?: number; unchanged?: UnchangedSession[]; code?: string }
  | { type: "history"; id: string; events: EventView[] }
  | { type: "code"; id: string; code: string; expiresAt: string }
  | { type: "error"; id?: string; code: string; error: string }
  | { type: "restarting" };

/** An order as the socket takes it, without its `id`. `*` is everyone in the room, and with orders about time whoever comes later too. */
export type Order =
  | { type: "extend"; sessionId: string; minutes: number }
  | { type: "pause"; sessionId: string; text?: string }
  | { type: "unpause" | "finish" | "undo"; sessionId: string }
  | { type: "notice"; sessionId: string; text: string }
  | { type: "code"; sessionId: string }
  | { type: "only_this_device"; sessionId: string }
  | { type: "reopen"; sessionId: string; minutes?: number; force?: boolean }
  | { type: "history"; sessionId: string }
  | { type: "history"; candidateId: string }
  | { type: "begin" }
  | { type: "present" | "absent" | "admit"; candidateId: string }
  | { type: "incident"; candidateId?: string; kind: string; text: string };

export const EVERYONE = "*";
export const ORDER_MINUTES_MAX = 120;
export const PAUSE_CHARACTERS_MAX = 200;
export const NOTICE_CHARACTERS_MAX = 500;
export const INCIDENT_CHARACTERS_MAX = 1_000;

const KNOWN = new Set(["roster", "changes", "progress", "done", "history", "code", "error", "restarting"]);

/** Undefined for what is no message that this page knows. */
export function readDeskFrame(text: string): Frame | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof read !== "object" || read === null) return undefined;
  const frame = read as Frame & { sessions?: unknown; removed?: unknown; differences?: unknown };
  if (!KNOWN.has(frame.type)) return undefined;
  if ((frame.type === "roster" || frame.type === "changes") && !Array.isArray(frame.sessions)) return undefined;
  if (frame.type === "progress" && !Array.isArray(frame.differences)) return undefined;
  return frame;
}
