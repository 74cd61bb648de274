// What the exam needs of the world around it, so that its rules can be tried without a browser.

import type { RecordedAnswers } from "./answers";
import type { Handover } from "./handover";
import type { Slot } from "./outbox";
import type { Command, Ending, Mode, StartRequest, StoredDrawing } from "./protocol";
import type { Question } from "./question";
import type { HttpReply } from "./reply";

/** One WebSocket. */
export interface Socket {
  send(text: string): void;
  close(): void;
}

export interface SocketEvents {
  opened(): void;
  message(text: string): void;
  closed(code: number): void;
}

export interface Network {
  openSocket(events: SocketEvents): Socket;
  /** Rejects when no answer comes. */
  request(method: "GET" | "POST", path: string, token?: string, body?: unknown): Promise<HttpReply>;
}

/** Time and chance. */
export interface Timing {
  /** Milliseconds that only ever go forward. */
  now(): number;
  /** Milliseconds of the calendar, as the device believes it. */
  calendar(): number;
  random(): number;
  /** Calls once, later; gives what calls it off. */
  later(milliseconds: number, call: () => void): () => void;
}

/** What a browser keeps of an attempt besides its unsaved commands. */
export interface AttemptRecord {
  /** Its name on this device: that of its test, and for a second one of the same test a number behind `/`. */
  test: string;
  /** Makes the start repeatable. */
  startKey: string;
  start: StartRequest;
  /** E-mail of the student, when one was signed in. */
  owner?: string;
  /** From here on only once the server has answered the start. */
  sessionId?: string;
  token?: string;
  grade?: number;
  mode?: Mode;
  stage?: number;
  stages?: number;
  durationMinutes?: number;
  questionIds?: string[];
  answers?: RecordedAnswers;
  known?: Record<string, number>;
  highest?: number;
  sent?: number;
  ending?: { type: Ending; seq?: number } | null;
  current?: number;
}

export interface StoredAttempt {
  record: AttemptRecord;
  commands: Command[];
  /** Those that the server has, as far as this device knows. */
  drawings: Record<string, StoredDrawing>;
  /** Some of it is what a page has left, and not in the database yet. */
  hasHandover?: boolean;
  /** The browser did not say what it keeps: there may be more of this session, over which nothing may be written. */
  isBlind?: boolean;
}

/** What is to be kept, all of it or nothing. */
export interface AttemptWrite {
  record?: AttemptRecord;
  put?: Command[];
  remove?: Slot[];
  /** By question; null takes one away. */
  drawings?: Record<string, StoredDrawing | null>;
  /** Nothing else is to be left of the attempt. */
  isWhole?: boolean;
}

/** What a running test shows: read when a stage begins and kept, since its questions may change or go while it lasts. */
export interface StoredTexts {
  title: string;
  questions: Record<string, Question>;
  /** The last stage whose questions were read when it had begun. */
  stage?: number;
}

/** Keeps attempts on this device. One tab owns an attempt: what another tab writes after that is refused. */
export interface AttemptStore {
  /** The attempts of this test that are kept, whoever has them. */
  find(test: string): Promise<AttemptRecord[]>;
  /** Takes an attempt over, and gives what is kept of it. */
  claim(test: string): Promise<StoredAttempt | undefined>;
  /** False when another tab has taken it over. */
  write(test: string, write: AttemptWrite): Promise<boolean>;
  /** The page is being left: puts down at once what may not be written any more, for the next claim. Nothing takes it back. */
  leave(test: string, handover?: Handover): void;
  forget(test: string): Promise<void>;
  keepTexts(test: string, texts: StoredTexts): Promise<void>;
  findTexts(test: string): Promise<StoredTexts | undefined>;
}

/** Everything outside the exam that it needs. */
export interface Platform {
  network: Network;
  timing: Timing;
  attempts: AttemptStore;
}
