// The messages between the server and a student's page (docs/live-protocol.md), as types. The golden frames, which the
// server's tests write, keep them true.

export type Choice = "A" | "B" | "C" | "D";
export type Mode = "standard" | "adaptive";
export const CHOICES: readonly Choice[] = ["A", "B", "C", "D"];
/** What a student has answered: the letter of an option, or what was typed where a number is asked for. */
export type Selected = string;
/** As much as the server takes of what is typed. */
export const TYPED_CHARACTERS_MAX = 32;

/**
 * Question id to the letters of its options in the order in which the student sees them: with `CADB`, what stands first is
 * C of the bank. Questions whose options stand as in the bank are not in it. All other letters of the protocol are the bank's.
 */
export type OptionOrders = Record<string, string>;

/** A drawing as the server stores it. The server does not look inside; `src/drawing` does. */
export type StoredDrawing = Record<string, unknown>;

/** How the questions of a test are answered. */
export type AskedTypes = "multiple-choice" | "number" | "all";

/** The test that a `start` asks for. */
export interface StartRequest {
  grade?: number;
  mode?: Mode;
  durationMinutes?: number;
  questionCount?: number;
  /** Multiple choice alone, if nothing is said. */
  types?: AskedTypes;
  questionIds?: string[];
  /** Options in an order of the student's own. */
  shuffleOptions?: boolean;
  templateId?: string;
  /** The code of the template, if it asks for one. */
  accessCode?: string;
  /** The protocol allows any JSON values here; pages send text. */
  annotations?: Record<string, string>;
  webhookUrl?: string;
  baseUrl?: string;
}

/** What a student does to one question. */
export type Change =
  | { type: "answer"; questionId: string; selected: Selected | null; timeTaken: number }
  | { type: "mark"; questionId: string; marked: boolean }
  | { type: "visit"; questionId: string }
  | { type: "drawing"; questionId: string; drawing: StoredDrawing | null }
  /** All options that are crossed out, in the order of their letters. */
  | { type: "eliminate"; questionId: string; eliminated: Choice[] };

/** Ends the stage (`next`) or the test. */
export type Ending = "next" | "submit";

/**
 * A change with its number, and the line that this device had when it was made; none if the server has given none. `at` is
 * when the student acted by the server's clock, as this page knows it: of what was done without a connection.
 */
export type Command = Change & { seq: number; line?: number; at?: string };
export type EndingCommand = { type: Ending; seq: number; line?: number };

/** Every frame that a student's socket may send. Pages start a test by HTTPS, with the body of a `start`. */
export type ClientFrame =
  | (StartRequest & { type: "start"; key?: string })
  | (EnterRequest & { type: "enter"; key?: string; baseUrl?: string })
  /** `line` is the one that this device has; 0 for none. */
  | { type: "resume"; sessionId: string; token: string; line?: number }
  /** A part of the sealed paper is here, and has this hash. */
  | { type: "ready"; seq: number; sha256: string }
  | { type: "receipt" }
  | Command
  | EndingCommand
  | { type: "sync"; t: number }
  | { type: "focus"; away: boolean }
  | { type: "trouble"; trouble: Trouble[] };

/** What proctors are told is wrong at this computer. */
export type Trouble = "storage" | "clock" | "paper" | "saving";

/** A question that the student has touched. `seq` is the highest number that set anything of it but its drawing. */
export interface StoredAnswer {
  questionId: string;
  selected: Selected | null;
  marked: boolean;
  /** Missing when no option is crossed out. */
  eliminated?: Choice[];
  visited: boolean;
  timeTaken?: number;
  seq: number;
}

export type AttemptState = "active" | "paused" | "submitted";

/** What every frame about the time says of it. */
export interface Times {
  deadline: string;
  serverTime: string;
  remainingMs: number;
  /** Grows with each change of what the deadline is made of; missing from servers that do not count them, like the next two. */
  timeVersion?: number;
  /** The pauses that have ended, which are part of the deadline. */
  pausedMs?: number;
  state?: AttemptState | "waiting";
  /** A proctor's word for the pause; empty if there is none, and missing where nothing is said of it. */
  pauseText?: string;
}

interface Terms extends Pick<Times, "deadline" | "serverTime" | "remainingMs" | "timeVersion" | "pausedMs"> {
  sessionId: string;
  token: string;
  grade: number;
  mode: Mode;
  stage: number;
  stages: number;
  questionIds: string[];
  durationMinutes: number;
  startedAt: string;
  seq: number;
  /** Of this device; missing from servers of an earlier version. */
  line?: number;
  /** The calculator that the student may use; missing if none. */
  calculator?: string;
  /** What a file with late work is encrypted for; missing from servers that take none, or have no key yet. */
  lateKey?: string;
  /** Missing if no options stand in another order, as in the frames below. */
  optionOrder?: OptionOrders;
  /** The letter of the student's form; missing if the test has one form only. */
  form?: string;
}

/** What `resumed` has besides the terms. */
interface Progress {
  answers: StoredAnswer[];
  drawings: Record<string, StoredDrawing>;
  band: string | null;
  state: AttemptState;
  /** Of the student, null if the server does not know it; missing from servers of an earlier version, like the next two. */
  name?: string | null;
  /** Of the sitting; null without one. */
  title?: string | null;
  /** Why the test is paused, in a proctor's word. */
  pauseText?: string | null;
  /** Only once the test is submitted, as are the next two. */
  reportUrl?: string;
  reason?: EndReason;
  /** The result is not shown before the school releases it. */
  held?: boolean;
  /** Only in a sitting, as are the next two: which one, its sealed paper, and the keys of the parts that are open. */
  sittingId?: string;
  sealed?: SealedPart[];
  keys?: PartKeys;
}

export type StartedFrame = Terms & { type: "started" } & { [Field in keyof Progress]?: never };
export type ResumedFrame = Terms & { type: "resumed" } & Progress;

/** Where the test stands. */
export type Standing = StartedFrame | ResumedFrame;

/** A part of a sitting's paper: the same bytes for every candidate of a form, which nobody can read without the part's key. */
export interface SealedPart {
  /** `1`, or the band whose second stage it is. */
  part: string;
  url: string;
  /** Of the sealed bytes, in hexadecimal digits. */
  sha256: string;
  bytes: number;
  /** Whether its questions come in order; missing if not. */
  inOrder?: boolean;
}

/** The keys of sealed parts, by part, in base64. */
export type PartKeys = Record<string, string>;

/** What `enter` asks for: a sitting, and the candidate's own code unless they are signed in. */
export interface EnterRequest {
  sittingId?: string;
  code?: string;
  access?: string;
}

/** A candidate is in a sitting that has not begun. It is sent again whenever something of it changes. */
export interface WaitingFrame {
  type: "waiting";
  sessionId: string;
  token: string;
  /** Of this device; missing from servers of an earlier version. */
  line?: number;
  sittingId: string;
  /** The sitting's name. */
  sitting: string;
  /** At `startsAt`, when a proctor says so, or on entering. */
  start: "clock" | "proctor" | "own";
  name: string;
  room: string | null;
  seat: string | null;
  grade: number;
  mode: Mode;
  stages: number;
  /** With extra time, and perhaps a fraction; `givenMs` is the same, exactly. */
  minutes: number;
  givenMs: number;
  /** As planned. */
  startsAt: string;
  /** From when time counts for this candidate; null while only a proctor knows. */
  beginsAt: string | null;
  serverTime: string;
  sealed: SealedPart[];
  /** The calculator that candidates may use; missing if none. */
  calculator?: string;
  lateKey?: string;
  form?: string;
  /** Whether the server has heard that the paper is on this device. */
  ready: boolean;
  /** While the time of the whole room is stopped: since when, and a proctor's word for it. */
  paused?: { since: string; text: string | null };
}

/** A sitting begins: the same bytes for every candidate who has the same questions and options in the same order. */
export interface BeginFrame {
  type: "begin";
  startedAt: string;
  keys: PartKeys;
  optionOrder?: OptionOrders;
}

export interface StageFrame {
  type: "stage";
  seq: number;
  stage: number;
  band: string | null;
  questionIds: string[];
  optionOrder?: OptionOrders;
  /** Only in a sitting: the key of this band's part. */
  keys?: PartKeys;
}

export type EndReason = "student" | "deadline" | "proctor";

export interface SubmittedFrame {
  type: "submitted";
  /** The number of the `submit` that this answers. */
  seq?: number;
  sessionId: string;
  reportUrl: string;
  reason: EndReason;
  /** Missing while the result is held, which `held` then says. */
  result?: unknown;
  held?: boolean;
  /** What was handed in, signed. Missing where it is made later. */
  receipt?: string;
}

/** What the server has, signed. This page asks by HTTPS. */
export interface ReceiptFrame {
  type: "receipt";
  receipt: string;
  seq: number;
  at: string;
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
  | "closed"
  | "not_for_account"
  | "code_required"
  | "wrong_code"
  | "no_attempts_left"
  | "not_begun"
  | "entry_closed"
  | "not_expected"
  | "unknown_question"
  | "invalid_answer"
  | "too_large"
  | "paused"
  | "late"
  | "already_submitted"
  | "superseded_by"
  | "rate_limited"
  | "storage_unavailable"
  | "internal";

export interface ErrorFrame {
  type: "error";
  code: ErrorCode;
  error: string;
  /** The number of the command that was refused. */
  seq?: number;
  /** With `not_open`: when the doors of the sitting open. */
  doorsAt?: string;
  /** With `not_open` of a template that opens by itself: when it does. */
  opensAt?: string;
  /** With `closed`: when the template closed. */
  closesAt?: string;
  /** With `superseded_by`: the command's question, the newer line that has set the value, its device, and the answer. */
  questionId?: string;
  line?: number;
  device?: number;
  selected?: Selected | null;
  /** With `late`, and with `already_submitted` after a proctor's end: whether the command is kept, for staff to decide about. */
  kept?: boolean;
}

/** Frames about the socket itself: the line handles them, and the exam never sees them. */
export type LineFrame = { type: "saved"; seq: number } | { type: "superseded" } | { type: "restarting" };

/** `t` is that of the `sync` which this answers, and `reason` what has changed, where that is why the frame comes. */
export type TimeFrame = Times & { type: "time"; t?: number; reason?: "end" | "minutes" | "start" };

/** A proctor has changed the time. Servers that do not count the changes say less. */
export type OrderFrame =
  | (Partial<Times> & { type: "paused"; text?: string })
  | (Partial<Times> & { type: "unpaused"; deadline: string; remainingMs: number })
  | (Partial<Times> & { type: "extended"; deadline: string; remainingMs: number; minutes: number });

/** Frames about the test. */
export type ExamFrame =
  | Standing
  | StageFrame
  | SubmittedFrame
  | ReceiptFrame
  | ErrorFrame
  | TimeFrame
  | { type: "alert"; remainingMs: number }
  | OrderFrame
  | { type: "notice"; text: string; from: string };

/** Frames before the beginning of a sitting. */
export type RoomFrame = WaitingFrame | BeginFrame;

/** Every frame that the server may send to a student. */
export type ServerFrame = LineFrame | ExamFrame | RoomFrame;

/** The answer to commands sent by HTTPS. */
export interface CommandsReply {
  saved: number;
  replies: (StageFrame | SubmittedFrame | ErrorFrame)[];
  remainingMs: number;
  deadline: string;
  timeVersion?: number;
  pausedMs?: number;
  state: AttemptState;
}

/** Close codes after which a student's page does not connect again: another page has the session, or it is not this page's. */
export const FINAL_CODES = { 4001: "superseded", 4403: "refused", 4404: "refused" } as const;

/** The frame in a message, or undefined when the message holds none; a page ignores those. */
export function readFrame(text: string): ServerFrame | undefined {
  try {
    const frame: unknown = JSON.parse(text);
    return typeof frame === "object" && frame !== null && "type" in frame ? (frame as ServerFrame) : undefined;
  } catch {
    return undefined;
  }
}
