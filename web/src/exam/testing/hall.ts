// A small server for tests of the exam: it merges commands as the real one does, on both transports, and has faults that a
// test can switch on.

import type { Network, Socket, SocketEvents } from "../ports";
import type { Change, Choice, EndReason, OptionOrders, Selected, Standing, StoredAnswer, StoredDrawing } from "../protocol";
import type { HttpReply } from "../reply";

const FIRST = ["q1", "q2", "q3"];
const SECOND = ["q4", "q5"];

interface Message {
  type: string;
  seq: number;
  line?: number;
  questionId: string;
  selected: Selected | null;
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
  /** Of all questions whose options this student sees in another order; it tells those of the stage. */
  orders: OptionOrders = {};
  /** What it says that files with late work are encrypted for; undefined if it takes none. */
  lateKey: string | undefined;
  /** The student's form, if there are several. */
  form: string | undefined;
  received: Message[] = [];
  submissions = 0;
  /** The keys of the starts that arrived. */
  keys: string[] = [];
  /** Whether it gives lines; servers of an earlier version did not. */
  knowsLines = true;
  /** How many commands it has refused for those of newer lines. */
  superseded = 0;
  /** The newest line that it has given. */
  newestLine = 1;
  /** The line of the other device of `set`. */
  #otherLine = 0;
  #cells = new Map<string, { seq: number; line: number; change: Change }>();
  #connected: { events: SocketEvents; isGood: boolean } | undefined;

  openSocket(events: SocketEvents): Socket {
    const connection = { events, isGood: false };
    if (!this.isReachable || this.areSocketsBroken) queueMicrotask(() => events.closed(1006));
    else queueMicrotask(() => events.opened());
    return {
      send: (text) => {
        if (!this.isReachable) return;
        const message = JSON.parse(text) as Message;
        if (message.type === "resume") this.#resume(connection, message.line);
        else if (this.#connected === connection) this.#carry(message);
      },
      close: () => {
        if (this.#connected === connection) this.#connected = undefined;
      },
    };
  }

  async request(method: string, path: string, _token?: string, body?: unknown): Promise<HttpReply> {
    if (!this.isReachable) throw new Error("no network");
    if (method === "GET") {
      const line = new URL(path, "http://hall").searchParams.get("line");
      return { status: 200, body: this.standing("resumed", this.lineFor(line === null ? undefined : Number(line))) };
    }
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

  /** Sets what another device has done, which comes to the test for it unless it was the last that did. */
  set(change: Change, seq: number): void {
    this.#otherLine = this.lineFor(this.#otherLine);
    this.#cells.set(`${change.type}:${change.questionId}`, { seq, line: this.knowsLines ? this.#otherLine : 0, change });
  }

  /** The line of a device that comes with this one: a newer one, if another device has come since. */
  lineFor(had: number | undefined): number {
    if (had !== undefined && had !== this.newestLine) this.newestLine += 1;
    return this.newestLine;
  }

  /** What a server makes of commands, one after the other: for each, the answer if it is refused. */
  take(commands: object[]): (object | undefined)[] {
    return commands.map((command) => this.#apply(command as Message));
  }

  get answers(): Record<string, StoredAnswer> {
    return Object.fromEntries(this.#answers().map((answer) => [answer.questionId, answer]));
  }

  get selected(): Record<string, Selected | null> {
    return Object.fromEntries(this.#answers().map(({ questionId, selected }) => [questionId, selected]));
  }

  get drawings(): Record<string, StoredDrawing> {
    const drawn = [...this.#cells.values()].map(({ change }) => change).filter((change) => change.type === "drawing");
    return Object.fromEntries(drawn.filter(({ drawing }) => drawing !== null).map(({ questionId, drawing }) => [questionId, drawing as StoredDrawing]));
  }

  standing(type: Standing["type"], line = this.newestLine): Standing {
    const seq = Math.max(0, ...[...this.#cells.values()].map((cell) => cell.seq));
    const questionIds = this.#paper;
    const terms = { grade: 5, mode: "standard" as const, durationMinutes: 40, startedAt: "", deadline: "", serverTime: this.serverTime };
    const state = this.isPaused ? ("paused" as const) : this.state;
    const started = { sessionId: "s", token: "t", ...terms, stage: this.stage, stages: this.stages, questionIds, remainingMs: this.remainingMs, seq, ...this.#seen, ...(this.knowsLines ? { line } : {}), ...(this.lateKey === undefined ? {} : { lateKey: this.lateKey }) };
    return type === "started" ? { type, ...started } : { type, ...started, answers: this.#answers(), drawings: this.drawings, band: null, state, ...(state === "submitted" ? { reason: this.reason } : {}) };
  }

  /** A key that was used before finds its test again. */
  #start(key: string): Standing {
    const isKnown = this.keys.includes(key);
    this.keys.push(key);
    return this.standing(isKnown ? "resumed" : "started");
  }

  #resume(connection: { events: SocketEvents; isGood: boolean }, line: number | undefined): void {
    this.#connected?.events.message(JSON.stringify({ type: "superseded" }));
    this.#connected = connection;
    this.tell(this.standing("resumed", this.lineFor(line)));
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
      return { type: "stage", seq: command.seq, stage: 2, band: "80-90", questionIds: this.#paper, ...this.#orders };
    }
    if (!this.#paper.includes(command.questionId)) return error("unknown_question");
    const { type, seq, questionId } = command;
    const [slot, line] = [`${type}:${questionId}`, this.knowsLines ? (command.line ?? 0) : 0];
    const stored = this.#cells.get(slot);
    if (stored !== undefined && line < stored.line) {
      this.superseded += 1;
      const stands = stored.change.type === "answer" ? { selected: stored.change.selected } : {};
      return { ...error("superseded_by"), questionId, line: stored.line, device: stored.line, ...stands };
    }
    if (stored === undefined || stored.line < line || stored.seq < seq) this.#cells.set(slot, { seq, line, change: command as unknown as Change });
    return undefined;
  }

  /** What a frame says of the order of options. */
  get #orders(): { optionOrder?: OptionOrders } {
    const told = Object.entries(this.orders).filter(([id]) => this.#paper.includes(id));
    return told.length === 0 ? {} : { optionOrder: Object.fromEntries(told) };
  }

  get #seen(): { optionOrder?: OptionOrders; form?: string } {
    return { ...this.#orders, ...(this.form === undefined ? {} : { form: this.form }) };
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
