// The messages of the proctors' socket, and how they are read: nothing that a server might send can throw here.

import type { Row } from "./row";

export interface RosterFrame {
  type: "roster";
  seq: number;
  serverTime: string;
  partial: boolean;
  sessions: Row[];
  complete: boolean;
}

export interface ChangesFrame {
  type: "changes";
  seq: number;
  serverTime: string;
  partial: boolean;
  sessions: Row[];
  removed: string[];
}

export interface RecordEvent {
  at: string;
  kind: string;
  by: string;
  detail: string;
}

export type Frame =
  | RosterFrame
  | ChangesFrame
  | { type: "done"; id: string; count: number }
  | { type: "history"; id: string; events: RecordEvent[] }
  | { type: "code"; id: string; code: string; expiresAt: string }
  | { type: "error"; id?: string; code: string; error: string }
  | { type: "restarting" };

/** An order as the socket takes it, without its `id`. `*` is everyone in the room. */
export type Order =
  | { type: "extend"; sessionId: string; minutes: number }
  | { type: "pause" | "unpause" | "finish"; sessionId: string }
  | { type: "notice"; sessionId: string; text: string }
  | { type: "code"; sessionId: string }
  | { type: "history"; sessionId: string }
  | { type: "history"; candidateId: string }
  | { type: "begin" }
  | { type: "present" | "absent" | "admit"; candidateId: string }
  | { type: "incident"; candidateId?: string; kind: string; text: string };

export const EVERYONE = "*";
export const MINUTES_MAX = 120;
export const NOTICE_CHARACTERS_MAX = 500;
export const INCIDENT_CHARACTERS_MAX = 1_000;

const KNOWN = new Set(["roster", "changes", "done", "history", "code", "error", "restarting"]);

/** Undefined for what is no message that this page knows. */
export function readFrame(text: string): Frame | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof read !== "object" || read === null) return undefined;
  const frame = read as Frame & { sessions?: unknown; removed?: unknown };
  if (!KNOWN.has(frame.type)) return undefined;
  if ((frame.type === "roster" || frame.type === "changes") && !Array.isArray(frame.sessions)) return undefined;
  return frame;
}
