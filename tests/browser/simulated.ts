// Candidates without a browser: each enters by a socket as the pages do, waits, answers and hands in.

import { createHash, randomBytes } from "node:crypto";
import WebSocket from "ws";

interface Frame {
  type: string;
  seq?: number;
  [field: string]: unknown;
}

/** The pause before a socket is opened again. */
const AGAIN_MS = 500;

export class SimulatedCandidate {
  isReady = false;
  hasBegun = false;
  isSubmitted = false;
  /** How many commands were acknowledged. */
  saved = 0;
  /** Sentences of the server that are no part of an exam that goes well. */
  faults: string[] = [];
  #socket: WebSocket | undefined;
  #continuation: { sessionId: string; token: string } | undefined;
  #seq = 0;
  #unsaved: Frame[] = [];
  #questions: string[] = [];
  #key = randomBytes(16).toString("hex");
  #isOver = false;

  constructor(
    private url: string,
    private code: string,
    private access: string,
  ) {}

  enter(): void {
    const socket = new WebSocket(`${this.url.replace("http", "ws")}/api/live`, "examhall.live.v1");
    this.#socket = socket;
    socket.on("open", () => {
      const first = this.#continuation ? { type: "resume", ...this.#continuation } : { type: "enter", code: this.code, access: this.access, key: this.#key };
      socket.send(JSON.stringify(first));
    });
    socket.on("message", (data) => void this.#hear(JSON.parse(String(data))));
    socket.on("error", () => {});
    socket.on("close", () => {
      if (!this.#isOver && !this.isSubmitted) setTimeout(() => this.enter(), AGAIN_MS);
    });
  }

  /** Answers the question at this place of the paper. */
  answer(index: number, selected: string): void {
    const questionId = this.#questions[index];
    if (questionId !== undefined) this.#command({ type: "answer", questionId, selected, timeTaken: 5 });
  }

  handIn(): void {
    this.#command({ type: "submit" });
  }

  leave(): void {
    this.#isOver = true;
    this.#socket?.close();
  }

  get isSaved(): boolean {
    return this.#unsaved.length === 0;
  }

  #command(command: Frame): void {
    const frame = { ...command, seq: (this.#seq += 1) };
    this.#unsaved.push(frame);
    this.#send(frame);
  }

  #send(frame: Frame): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  async #hear(frame: Frame): Promise<void> {
    switch (frame.type) {
      case "waiting":
        this.#continuation = { sessionId: String(frame["sessionId"]), token: String(frame["token"]) };
        await this.#fetchPaper(frame["sealed"] as { url: string; sha256: string }[]);
        break;
      case "begin":
        await this.#open();
        break;
      case "resumed":
        this.#seq = Math.max(this.#seq, Number(frame["seq"]));
        this.#questions = frame["questionIds"] as string[];
        this.hasBegun = true;
        for (const unsaved of this.#unsaved) this.#send(unsaved);
        break;
      case "saved":
        this.#settle(Number(frame.seq));
        break;
      case "submitted":
        this.isSubmitted = true;
        this.#unsaved = [];
        break;
      case "error":
        if (frame["code"] !== "storage_unavailable") this.faults.push(String(frame["error"]));
    }
  }

  #settle(seq: number): void {
    const before = this.#unsaved.length;
    this.#unsaved = this.#unsaved.filter((one) => one.seq! > seq);
    this.saved += before - this.#unsaved.length;
  }

  async #fetchPaper(parts: { url: string; sha256: string }[] = []): Promise<void> {
    for (const { url, sha256 } of parts) {
      const bytes = Buffer.from(await (await fetch(new URL(url, this.url))).arrayBuffer());
      if (createHash("sha256").update(bytes).digest("hex") !== sha256) this.faults.push("a part of the paper has another hash");
      this.#command({ type: "ready", sha256 });
    }
    this.isReady = true;
  }

  /** The questions' ids come with `resumed`, so that this program need not decrypt the paper. */
  async #open(): Promise<void> {
    const { sessionId, token } = this.#continuation!;
    const response = await fetch(`${this.url}/api/live/${sessionId}`, { headers: { Authorization: `Bearer ${token}` } });
    const standing = (await response.json()) as { questionIds: string[] };
    this.#questions = standing.questionIds;
    this.hasBegun = true;
  }
}
