// A small server for tests of the exam: it merges commands as the real one does, on both transports, and has faults that a
// test can switch on.

import type { Network, Socket, SocketEvents } from "../ports";
import type { Change, Choice, EndReason, Standing, StoredAnswer, StoredDrawing } from "../protocol";
import type { HttpReply } from "../reply";

const FIRST = ["q1", "q2", "q3"];
const SECOND = ["q4", "q5"];

interface Message {
  type: string;
  seq: number;
  questionId: string;
  selected: Choice | null;
  timeTaken: number;
  marked: boolean;
  eliminated: Choice[];
  drawing: StoredDrawing | null;
  t: number;
}

export class TestHall implements Network {
  isReachable = true;
  areSocketsBroken = false;
  /** Commands are applied but not answered. */
  isMute = false;
  isPaused = false;
  /** The error with which the next command of each number is refused. */
  refusals = new Map<number, string>();
  remainingMs = 1_800_000;
  /** What it says is the time of day. */
  serverTime = "";
  state: "active" | "submitted" = "active";
  /** Why the test is over, for who comes back after its end. */
  reason: EndReason = "deadline";
  stage = 1;
  stages = 1;
  received: Message[] = [];
  submissions = 0;
  /** The keys of the starts that arrived. */
  keys: string[] = [];
  #cells = new Map<string, { seq: number; change: Change }>();
  #connected: { events: SocketEvents; isGood: boolean } | undefined;

  openSocket(events: SocketEvents): Socket {
    const connection = { events, isGood: false };
    if (!this.isReachable || this.areSocketsBroken) queueMicrotask(() => events.closed(1006));
    else queueMicrotask(() => events.opened());
    return {
      send: (text) => {
        if (!this.isReachable) return;
        const message = JSON.parse(text) as Message;
        if (message.type === "resume") this.#resume(connection);
        else if (this.#connected === connection) this.#carry(message);
      },
      close: () => {
        if (this.#connected === connection) this.#connected = undefined;
      },
    };
  }

  async request(method: string, path: string, _token?: string, body?: unknown): Promise<HttpReply> {
    if (!this.isReachable) throw new Error("no network");
    if (method === "GET") return { status: 200, body: this.standing("resumed") };
    if (path === "/api/live") return { status: 200, body: this.#start((body as { key: string }).key) };
    const replies = (body as { commands: Message[] }).commands.map((command) => this.#apply(command));
    const saved = Math.max(...(body as { commands: Message[] }).commands.map(({ seq }) => seq));
    return { status: 200, body: { saved, replies: replies.filter((reply) => reply !== undefined), remainingMs: this.remainingMs, deadline: "", state: this.state } };
  }

  /** Cuts the network. With `isNoticed` false the socket does not notice, as happens with real ones. */
  cut(isNoticed = true): void {
    this.isReachable = false;
    if (isNoticed) this.#connected?.events.closed(1006);
    this.#connected = undefined;
  }

  tell(frame: object): void {
    this.#connected?.events.message(JSON.stringify(frame));
  }

  close(code: number): void {
    this.#connected?.events.closed(code);
    this.#connected = undefined;
  }

  /** Sets what another device has done. */
  set(change: Change, seq: number): void {
    this.#cells.set(`${change.type}:${change.questionId}`, { seq, change });
  }

  get selected(): Record<string, Choice | null> {
    return Object.fromEntries(this.#answers().map(({ questionId, selected }) => [questionId, selected]));
  }

  get drawings(): Record<string, StoredDrawing> {
    const drawn = [...this.#cells.values()].map(({ change }) => change).filter((change) => change.type === "drawing");
    return Object.fromEntries(drawn.filter(({ drawing }) => drawing !== null).map(({ questionId, drawing }) => [questionId, drawing as StoredDrawing]));
  }

  standing(type: Standing["type"]): Standing {
    const seq = Math.max(0, ...[...this.#cells.values()].map((cell) => cell.seq));
    const questionIds = this.#paper;
    const terms = { grade: 5, mode: "standard" as const, durationMinutes: 40, startedAt: "", deadline: "", serverTime: this.serverTime };
    const state = this.isPaused ? ("paused" as const) : this.state;
    const started = { sessionId: "s", token: "t", ...terms, stage: this.stage, stages: this.stages, questionIds, remainingMs: this.remainingMs, seq };
    return type === "started" ? { type, ...started } : { type, ...started, answers: this.#answers(), drawings: this.drawings, band: null, state, ...(state === "submitted" ? { reason: this.reason } : {}) };
  }

  /** A key that was used before finds its test again. */
  #start(key: string): Standing {
    const isKnown = this.keys.includes(key);
    this.keys.push(key);
    return this.standing(isKnown ? "resumed" : "started");
  }

  #resume(connection: { events: SocketEvents; isGood: boolean }): void {
    this.#connected?.events.message(JSON.stringify({ type: "superseded" }));
    this.#connected = connection;
    this.tell(this.standing("resumed"));
  }

  #carry(message: Message): void {
    if (this.isMute) return;
    if (message.type === "sync") return this.tell({ type: "time", t: message.t, serverTime: this.serverTime, remainingMs: this.remainingMs, deadline: "" });
    if (message.seq === undefined) return;
    const reply = this.#apply(message);
    // A refused command, a `next` and a `submit` are answered by their own frame, and not by `saved`.
    this.tell(reply ?? { type: "saved", seq: message.seq });
    if (this.state === "submitted") this.close(1000);
  }

  #apply(command: Message): object | undefined {
    this.received.push(command);
    const code = this.isPaused ? "paused" : this.refusals.get(command.seq);
    this.refusals.delete(command.seq);
    const error = (code: string) => ({ type: "error", code, error: "", seq: command.seq });
    if (this.state === "submitted" && command.type !== "submit") return error("already_submitted");
    if (code !== undefined) return error(code);
    if (command.type === "submit") {
      if (this.state === "active") this.reason = "student";
      this.submissions += Number(this.state === "active");
      this.state = "submitted";
      return { type: "submitted", seq: command.seq, sessionId: "s", reportUrl: "", reason: this.reason };
    }
    if (command.type === "next" && this.stages === 1) return error("invalid_test");
    if (command.type === "next") {
      this.stage = 2;
      return { type: "stage", seq: command.seq, stage: 2, band: "80-90", questionIds: this.#paper };
    }
    if (!this.#paper.includes(command.questionId)) return error("unknown_question");
    const slot = `${command.type}:${command.questionId}`;
    if ((this.#cells.get(slot)?.seq ?? 0) < command.seq) this.#cells.set(slot, { seq: command.seq, change: command as unknown as Change });
    return undefined;
  }

  /** The questions of this stage; those of the stage before are closed. */
  get #paper(): string[] {
    return this.stage === 1 ? FIRST : SECOND;
  }

  #answers(): StoredAnswer[] {
    const answers = new Map<string, StoredAnswer>();
    for (const { seq, change } of this.#cells.values()) {
      if (change.type === "drawing") continue;
      const { questionId } = change;
      const answer = answers.get(questionId) ?? { questionId, selected: null, marked: false, visited: false, seq: 0 };
      answer.seq = Math.max(answer.seq, seq);
      if (change.type === "answer") answer.selected = change.selected;
      if (change.type === "mark") answer.marked = change.marked;
      if (change.type === "visit") answer.visited = true;
      if (change.type === "eliminate" && change.eliminated.length > 0) answer.eliminated = change.eliminated;
      answers.set(questionId, answer);
    }
    return [...answers.values()];
  }
}
