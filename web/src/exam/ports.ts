// The exam's interfaces to the outside: a network, clocks and a place to store attempts. With them the exam can be
// tested without a browser.

import type { Socket, SocketEvents, Timing } from "../line/ports";
import type { RecordedAnswers } from "./answers";
import type { Handover } from "./handover";
import type { Slot } from "./outbox";
import type { Command, Ending, Mode, OptionOrders, StartRequest, StoredDrawing } from "./protocol";
import type { Question } from "./question";
import type { HttpReply } from "./reply";

export type { Socket, SocketEvents, Timing };

export interface Network {
  openSocket(events: SocketEvents): Socket;
  /** Rejects if no answer comes. `waitMs` is how much longer than usual the server may think about it. */
  request(method: "GET" | "POST", path: string, token?: string, body?: unknown, waitMs?: number): Promise<HttpReply>;
}

/** What a browser stores of an attempt besides its commands and drawings. */
export interface AttemptRecord {
  /** The attempt's name on this device: that of its test, with `/` and a number for a second one of the same test. */
  test: string;
  /** The key that makes the start repeatable. */
  startKey: string;
  start: StartRequest;
  /** The e-mail of the student, if one was signed in. */
  owner?: string;
  /** This and the fields below exist once the server has answered the start. */
  sessionId?: string;
  token?: string;
  grade?: number;
  mode?: Mode;
  stage?: number;
  stages?: number;
  durationMinutes?: number;
  /** The calculator that the student may use; missing if none. */
  calculator?: string;
  questionIds?: string[];
  optionOrder?: OptionOrders;
  /** The letter of the student's form; missing if the test has one form only. */
  form?: string;
  answers?: RecordedAnswers;
  /** Question id to the number of its stored answer, as far as this device knows (`server_copy.ts`). */
  known?: Record<string, number>;
  highest?: number;
  sent?: number;
  /** The line of this device, as the server last gave it. */
  line?: number;
  /** What a file with late work is encrypted for. */
  lateKey?: string;
  ending?: { type: Ending; seq?: number } | null;
  current?: number;
  /** How long the student has looked at the current question, of which the server knows only a part. */
  looked?: { questionId: string; seconds: number };
}

export interface StoredAttempt {
  record: AttemptRecord;
  commands: Command[];
  /** The drawings that the server has, as far as this device knows. */
  drawings: Record<string, StoredDrawing>;
  /** Part of it comes from a handover, and is not in the database yet. */
  hasHandover?: boolean;
  /** The browser could not be read. It may store more of this session, so nothing may be written over it. */
  isBlind?: boolean;
}

/** A write to the store, done completely or not at all. */
export interface AttemptWrite {
  record?: AttemptRecord;
  put?: Command[];
  remove?: Slot[];
  /** By question id; null removes one. */
  drawings?: Record<string, StoredDrawing | null>;
  /** This replaces everything that is stored of the attempt. */
  isWhole?: boolean;
}

/** The texts that a running test shows. They are stored when a stage begins, since questions may change or go meanwhile. */
export interface StoredTexts {
  title: string;
  questions: Record<string, Question>;
  /** Whether they come in order, so that only those that were seen can be opened, and the next one; missing if not. */
  inOrder?: boolean | undefined;
  /** The last stage that had begun when its questions were read. */
  stage?: number;
}

/** Stores attempts on this device. One tab owns an attempt, and writes of other tabs are refused. */
export interface AttemptStore {
  /** The stored attempts of this test, whichever tab owns them. */
  find(test: string): Promise<AttemptRecord[]>;
  /** Makes this tab the owner of an attempt, and returns what is stored of it. */
  claim(test: string): Promise<StoredAttempt | undefined>;
  /** Resolves to false if another tab owns the attempt. */
  write(test: string, write: AttemptWrite): Promise<boolean>;
  /** Stores a handover at once, for the next claim; without one, deletes that of this tab. */
  handOver(test: string, handover?: Handover): void;
  forget(test: string): Promise<void>;
  keepTexts(test: string, texts: StoredTexts): Promise<void>;
  findTexts(test: string): Promise<StoredTexts | undefined>;
}

/** Everything outside the exam that it needs. */
export interface Platform {
  network: Network;
  timing: Timing;
  attempts: AttemptStore;
  /** Sends what came too late, and resolves to what the server has said of it. */
  sendLate?(session: { sessionId: string; token: string }, commands: Command[]): Promise<LateAnswer>;
}

/** What the server has said of work that came too late. */
export interface LateAnswer {
  /** What it has now: kept as late, or saved after all. */
  kept: Command[];
  /** Whether it has answered for all of it. Otherwise the rest may be sent again. */
  isWhole: boolean;
}
