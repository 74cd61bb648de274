// The messages between the server and a student's page (docs/live-protocol.md), as types. The golden frames, which the
// server's tests write, keep them true.

export type Choice = "A" | "B" | "C" | "D";
export type Mode = "standard" | "adaptive";
export const CHOICES: readonly Choice[] = ["A", "B", "C", "D"];

/** A drawing as the server stores it. The server does not look inside; `src/drawing` does. */
export type StoredDrawing = Record<string, unknown>;

/** The test that a `start` asks for. */
export interface StartRequest {
  grade?: number;
  mode?: Mode;
  durationMinutes?: number;
  questionCount?: number;
  questionIds?: string[];
  templateId?: string;
  /** The protocol allows any JSON values here; pages send text. */
  annotations?: Record<string, string>;
  webhookUrl?: string;
  baseUrl?: string;
}

/** What a student does to one question. */
export type Change =
  | { type: "answer"; questionId: string; selected: Choice | null; timeTaken: number }
  | { type: "mark"; questionId: string; marked: boolean }
  | { type: "visit"; questionId: string }
  | { type: "drawing"; questionId: string; drawing: StoredDrawing | null };

/** Ends the stage (`next`) or the test. */
export type Ending = "next" | "submit";

/** A change with its number. */
export type Command = Change & { seq: number };
export type EndingCommand = { type: Ending; seq: number };

/** Every frame that a student's socket may send. Pages start a test by HTTPS, with the body of a `start`. */
export type ClientFrame =
  | (StartRequest & { type: "start"; key?: string })
  | { type: "resume"; sessionId: string; token: string }
  | Command
  | EndingCommand
  | { type: "sync"; t: number }
  | { type: "focus"; away: boolean };

/** A question that the student has touched. `seq` is the highest number that set its choice, mark or visit. */
export interface StoredAnswer {
  questionId: string;
  selected: Choice | null;
  marked: boolean;
  visited: boolean;
  timeTaken?: number;
  seq: number;
}

export type AttemptState = "active" | "paused" | "submitted";

interface Terms {
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
}

/** What `resumed` has besides the terms. */
interface Progress {
  answers: StoredAnswer[];
  drawings: Record<string, StoredDrawing>;
  band: string | null;
  state: AttemptState;
  /** Only once the test is submitted, as is the next one. */
  reportUrl?: string;
  reason?: EndReason;
}

export type StartedFrame = Terms & { type: "started" } & { [Field in keyof Progress]?: never };
export type ResumedFrame = Terms & { type: "resumed" } & Progress;

/** Where the test stands. */
export type Standing = StartedFrame | ResumedFrame;

export interface StageFrame {
  type: "stage";
  seq: number;
  stage: number;
  band: string | null;
  questionIds: string[];
}

export type EndReason = "student" | "deadline" | "proctor";

export interface SubmittedFrame {
  type: "submitted";
  /** The number of the `submit` that this answers. */
  seq?: number;
  sessionId: string;
  reportUrl: string;
  reason: EndReason;
  result: unknown;
}

export type ErrorCode =
  | "bad_message"
  | "not_started"
  | "already_started"
  | "invalid_grade"
  | "invalid_test"
  | "sign_in_required"
  | "unknown_session"
  | "bad_token"
  | "template_not_found"
  | "not_open"
  | "unknown_question"
  | "invalid_answer"
  | "too_large"
  | "paused"
  | "late"
  | "already_submitted"
  | "rate_limited"
  | "storage_unavailable"
  | "internal";

export interface ErrorFrame {
  type: "error";
  code: ErrorCode;
  error: string;
  /** The number of the command that was refused. */
  seq?: number;
}

/** Frames about the socket itself: the line handles them, and the exam never sees them. */
export type LineFrame = { type: "saved"; seq: number } | { type: "superseded" } | { type: "restarting" };

/** Frames about the test. */
export type ExamFrame =
  | Standing
  | StageFrame
  | SubmittedFrame
  | ErrorFrame
  /** `t` is that of the `sync` which this answers. */
  | { type: "time"; t?: number; serverTime: string; remainingMs: number; deadline: string }
  | { type: "alert"; remainingMs: number }
  | { type: "paused" }
  | { type: "unpaused"; deadline: string; remainingMs: number }
  | { type: "extended"; deadline: string; remainingMs: number; minutes: number }
  | { type: "notice"; text: string; from: string };

/** Every frame that the server may send to a student. */
export type ServerFrame = LineFrame | ExamFrame;

/** The answer to commands sent by HTTPS. */
export interface CommandsReply {
  saved: number;
  replies: (StageFrame | SubmittedFrame | ErrorFrame)[];
  remainingMs: number;
  deadline: string;
  state: AttemptState;
}

/** The frame in a message, or undefined when the message holds none; a page ignores those. */
export function readFrame(text: string): ServerFrame | undefined {
  try {
    const frame: unknown = JSON.parse(text);
    return typeof frame === "object" && frame !== null && "type" in frame ? (frame as ServerFrame) : undefined;
  } catch {
    return undefined;
  }
}
