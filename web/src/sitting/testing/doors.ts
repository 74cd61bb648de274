// A small server for tests of sittings: one candidate, one sealed paper, and everything that can go wrong between them. From
// the beginning on it is the server of the exam's tests.

import type { Socket, SocketEvents } from "../../exam/ports";
import type { Standing, WaitingFrame } from "../../exam/protocol";
import type { HttpReply } from "../../exam/reply";
import { TestHall } from "../../exam/testing/hall";
import type { MovedTime } from "../../exam/testing/time";
import type { KeptPlace, PaperStore, Surroundings } from "../ports";

export const PARTS = { "1": ["q1", "q2", "q3"], "80-90": ["q4", "q5"] };
const T0 = Date.parse("2026-01-05T09:00:00.000Z");

const textOf = (part: keyof typeof PARTS) => JSON.stringify(PARTS[part].map((id) => ({ id, question: `What is ${id}?`, options: ["1", "2", "3", "4"] })));
const bytesOf = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;

export class Doors extends TestHall {
  /** The moment of the start, by this server's clock, which begins 60 seconds before. */
  startsAtMs = T0;
  hasBegun = false;
  /** While the time of the room is stopped. */
  stopped: WaitingFrame["paused"];
  ready: { seq: number; sha256: string }[] = [];
  downloads: string[] = [];
  opened: string[] = [];
  polls = 0;
  resumes = 0;
  sockets = 0;
  edition = 1;
  isAdaptive = false;
  areDownloadsBroken = false;
  /** How open parts are answered instead. */
  openAnswer: HttpReply | undefined;
  /** What the next `enter` is refused with. */
  refusal: { status: number; code: string; doorsAt?: string } | undefined;
  entered: { key: string; access?: string; code?: string }[] = [];
  #here: SocketEvents | undefined;
  #polling: { line: number | undefined; answer: (reply: HttpReply) => void }[] = [];
  #failing: (() => void)[] = [];

  constructor(private time: MovedTime) {
    super();
  }

  get nowMs(): number {
    return T0 - 60_000 + this.time.now();
  }

  get waiting(): WaitingFrame {
    const parts = (this.isAdaptive ? ["1", "80-90"] : ["1"]) as (keyof typeof PARTS)[];
    const sealed = parts.map((part) => ({ part, url: `/paper/${part}?v=${this.edition}`, sha256: this.hashOf(part), bytes: 18 }));
    const terms = { grade: 5, mode: "standard" as const, stages: parts.length, minutes: 40, givenMs: 2_400_000, room: "B12", seat: "14" };
    return {
      type: "waiting", sessionId: "s", token: "t", sittingId: "id", sitting: "Final exam", start: "clock", name: "Ada", ...terms,
      startsAt: new Date(this.startsAtMs).toISOString(), beginsAt: new Date(this.startsAtMs).toISOString(), serverTime: new Date(this.nowMs).toISOString(), sealed, ready: this.ready.length >= parts.length,
      ...(this.stopped === undefined ? {} : { paused: this.stopped }),
    };
  }

  hashOf(part: string): string {
    return `hash of ${part}, edition ${this.edition}`.replaceAll(" ", "-");
  }

  get partKeys(): Record<string, string> {
    return { "1": "key-1", ...(this.stage === 2 ? { "80-90": "key-80-90" } : {}) };
  }

  /** T0: one frame for everybody. */
  begin(): void {
    this.hasBegun = true;
    this.startsAtMs = this.nowMs;
    this.#here?.message(JSON.stringify({ type: "begin", startedAt: new Date(this.nowMs).toISOString(), keys: { "1": "key-1" } }));
    for (const { line, answer } of this.#polling.splice(0)) answer({ status: 200, body: this.standing("resumed", this.lineFor(line)) });
  }

  /** The time, the place or the paper has changed. */
  tellWaiting(): void {
    this.#here?.message(JSON.stringify(this.waiting));
  }

  override standing(type: Standing["type"], line?: number): Standing {
    const remainingMs = Math.max(0, this.startsAtMs + 2_400_000 - this.nowMs);
    const standing = { ...super.standing(type, line), remainingMs };
    return type === "started" ? (standing as Standing) : ({ ...standing, sittingId: "id", sealed: this.waiting.sealed, keys: this.partKeys } as Standing);
  }

  override openSocket(events: SocketEvents): Socket {
    this.sockets += 1;
    let real: Socket | undefined;
    const inside: SocketEvents = { opened: () => events.opened(), message: (text) => events.message(text), closed: (code) => ((this.#here = undefined), events.closed(code)) };
    const socket = super.openSocket(inside);
    return {
      send: (text) => {
        if (!this.isReachable) return;
        const message = JSON.parse(text) as { type: string; seq: number; sha256: string; t: number; line?: number };
        if (message.type === "resume") this.resumes += 1;
        // From the beginning on, the exam's server knows this socket as its own.
        if (this.hasBegun) return (real ??= socket).send(this.#here === inside && message.type !== "resume" ? this.#known(socket, text) : text);
        if (message.type === "resume") {
          this.#here?.message(JSON.stringify({ type: "superseded" }));
          this.#here = inside;
          return inside.message(JSON.stringify({ ...this.waiting, line: this.lineFor(message.line) }));
        }
        if (message.type === "sync") return inside.message(JSON.stringify({ type: "time", t: message.t, serverTime: new Date(this.nowMs).toISOString(), remainingMs: 0, deadline: "" }));
        if (message.type === "ready") this.#ready(message);
      },
      close: () => {
        if (this.#here === inside) this.#here = undefined;
        socket.close();
      },
    };
  }

  /** The exam's server must have seen a `resume` of this socket; its answer is not the page's. */
  #isKnown = new WeakSet<Socket>();
  #known(socket: Socket, text: string): string {
    if (!this.#isKnown.has(socket)) {
      this.#isKnown.add(socket);
      this.isSilent = true;
      socket.send(JSON.stringify({ type: "resume", sessionId: "s", token: "t" }));
      this.isSilent = false;
    }
    return text;
  }

  isSilent = false;

  override tell(frame: object): void {
    if (!this.isSilent) super.tell(frame);
  }

  #ready(message: { seq: number; sha256: string }): void {
    this.ready.push(message);
    this.#here?.message(JSON.stringify({ type: "saved", seq: message.seq }));
  }

  /** The network is cut before the beginning. */
  override cut(isNoticed = true): void {
    super.cut(false);
    const here = this.#here;
    [this.isReachable, this.#here] = [false, undefined];
    for (const fail of this.#failing.splice(0)) fail();
    this.#polling = [];
    if (isNoticed) here?.closed(1006);
  }

  /** A socket of the waiting room is closed with this code. */
  drop(code: number): void {
    const here = this.#here;
    this.#here = undefined;
    here?.closed(code);
  }

  override async request(method: string, path: string, token?: string, body?: unknown): Promise<HttpReply> {
    if (!this.isReachable) throw new Error("no network");
    const said = body as { type?: string; commands?: { type: string; seq: number; sha256: string }[] } | undefined;
    if (said?.type === "enter") return this.#enter(body as { key: string });
    const open = /\/paper\/(.*)\?open$/.exec(path)?.[1] as keyof typeof PARTS | undefined;
    if (open !== undefined) {
      this.opened.push(open);
      if (this.openAnswer !== undefined) return this.openAnswer;
      return this.hasBegun ? { status: 200, body: JSON.parse(textOf(open)) } : { status: 404, body: { error: "Not found" } };
    }
    if (this.hasBegun) return super.request(method, path, token, body);
    const { searchParams } = new URL(path, "http://hall");
    const line = searchParams.has("line") ? Number(searchParams.get("line")) : undefined;
    if (searchParams.get("wait") === "begin") {
      this.polls += 1;
      return new Promise((resolve, reject) => (this.#polling.push({ line, answer: resolve }), this.#failing.push(() => reject(new Error("no network")))));
    }
    if (method === "GET") return { status: 200, body: { ...this.waiting, line: this.lineFor(line) } };
    for (const command of said?.commands ?? []) this.ready.push(command);
    return { status: 200, body: { saved: Math.max(...(said?.commands ?? []).map(({ seq }) => seq)), replies: [] } };
  }

  #enter(body: { key: string }): HttpReply {
    this.entered.push(body);
    const { refusal } = this;
    if (refusal !== undefined) return { status: refusal.status, body: { error: "No.", ...refusal }, retryAfter: 7, date: this.nowMs };
    return { status: 200, body: this.hasBegun ? this.standing("resumed") : this.waiting };
  }

  /** The surroundings of one browser. Its cryptography is a play: a part is its text, and its hash a name. */
  surroundings(isSecure = true): Surroundings & { store: PaperMemory } {
    const partOf = (path: string) => (/paper\/([^?]+)\?v=/.exec(path)?.[1] ?? "1") as keyof typeof PARTS;
    return {
      download: async (path) => {
        this.downloads.push(path);
        if (!this.isReachable || this.areDownloadsBroken) throw new Error("no network");
        return bytesOf(`${this.hashOf(partOf(path))}|${partOf(path)}|${textOf(partOf(path))}`);
      },
      store: new PaperMemory(),
      cryptography: !isSecure
        ? undefined
        : {
            sha256: async (bytes) => (new TextDecoder().decode(bytes).split("|")[0] ?? "").toLowerCase(),
            unseal: async (bytes, key) => {
              const [, part, text = ""] = new TextDecoder().decode(bytes).split("|");
              if (key !== `key-${part}`) throw new Error("another key");
              return text;
            },
          },
    };
  }
}

export class PaperMemory implements PaperStore {
  parts = new Map<string, ArrayBuffer>();
  places = new Map<string, KeptPlace>();

  async findPart(sha256: string) {
    return this.parts.get(sha256);
  }

  async keepPart(sha256: string, bytes: ArrayBuffer) {
    this.parts.set(sha256, bytes);
  }

  async findPlace(attempt: string) {
    return this.places.get(attempt);
  }

  async keepPlace(attempt: string, place: KeptPlace) {
    this.places.set(attempt, place);
  }

  async forgetPlace(attempt: string) {
    this.places.delete(attempt);
  }
}
