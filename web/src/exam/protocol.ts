// What the server and a student's page say to each other (docs/live-protocol.md), as types.

export type Choice = "A" | "B" | "C" | "D";
export type Mode = "standard" | "adaptive";
export const CHOICES: readonly Choice[] = ["A", "B", "C", "D"];

/** A drawing as it is stored; what is in it is the business of `src/drawing`. */
export type StoredDrawing = Record<string, unknown>;

/** What a `start` asks for. */
export interface StartRequest {
  grade?: number;
  mode?: Mode;
  durationMinutes?: number;
  questionCount?: number;
  templateId?: string;
  annotations?: Record<string, string>;
  webhookUrl?: string;
}

/** What a student does to one question. */
export type Change =
  | { type: "answer"; questionId: string; selected: Choice | null; timeTaken: number }
  | { type: "mark"; questionId: string; marked: boolean }
  | { type: "visit"; questionId: string }
  | { type: "drawing"; questionId: string; drawing: StoredDrawing | null };

/** The ends of a stage and of the test. */
export type Ending = "next" | "submit";

/** A change with its number. */
export type Command = Change & { seq: number };
export type EndingCommand = { type: Ending; seq: number };

/** One touched question in `resumed`; `seq` is the highest of its choice, mark and visit. */
export interface StoredAnswer {
  questionId: string;
  selected: Choice | null;
  marked: boolean;
  visited: boolean;
  timeTaken?: number;
  seq: number;
}

/** `started` and `resumed`. */
export interface Standing {
  type: "started" | "resumed";
  sessionId: string;
  token: string;
  grade: number;
  mode: Mode;
  stage: number;
  stages: number;
  questionIds: string[];
  durationMinutes: number;
  startedAt: string;
  deadline: string;
  serverTime: string;
  remainingMs: number;
  seq: number;
  answers?: StoredAnswer[];
  drawings?: Record<string, StoredDrawing>;
  band?: string | null;
  state?: "active" | "paused" | "submitted";
  reportUrl?: string;
}

export interface StageFrame {
  type: "stage";
  seq: number;
  stage: number;
  band: string | null;
  questionIds: string[];
}

export interface SubmittedFrame {
  type: "submitted";
  seq?: number;
  sessionId: string;
  reportUrl: string;
  reason: "student" | "deadline" | "proctor";
}

export interface ErrorFrame {
  type: "error";
  code: string;
  error: string;
  seq?: number;
}

/** Every frame that a page may be told. */
export type ServerFrame =
  | Standing
  | StageFrame
  | SubmittedFrame
  | ErrorFrame
  | { type: "saved"; seq: number }
  | { type: "time"; t?: number; serverTime: string; remainingMs: number; deadline: string }
  | { type: "alert"; remainingMs: number }
  | { type: "superseded" }
  | { type: "restarting" }
  | { type: "paused" }
  | { type: "unpaused"; deadline: string; remainingMs: number }
  | { type: "extended"; deadline: string; remainingMs: number; minutes: number }
  | { type: "notice"; text: string; from: string };

/** The answer to commands by HTTPS. */
export interface CommandsReply {
  saved: number;
  replies: (StageFrame | SubmittedFrame | ErrorFrame)[];
  remainingMs: number;
  deadline: string;
  state: "active" | "paused" | "submitted";
}

/** The frame in a message; undefined when it is none, which a page passes over. */
export function readFrame(text: string): ServerFrame | undefined {
  try {
    const frame: unknown = JSON.parse(text);
    return typeof frame === "object" && frame !== null && "type" in frame ? (frame as ServerFrame) : undefined;
  } catch {
    return undefined;
  }
}
