// The paper of a sitting on this device: fetched and checked while the candidate waits, kept, and opened with its keys.
// Where the browser has no cryptography, or the sealed paper can't be used, the server gives it in the clear once it is open.

import { pauseAfter } from "../line/backoff";
import type { Network, Timing } from "../exam/ports";
import type { PartKeys, SealedPart } from "../exam/protocol";
import type { Question } from "../exam/question";
import { isRefusal, sentenceOf, type HttpReply } from "../exam/reply";
import type { Surroundings } from "./ports";

/** `atStart` where the browser could not open a sealed part, so that fetching it would be of no use. */
export type PartState = "waiting" | "fetching" | "here" | "failed" | "atStart";

/** Once a part is open, every page wants it in the same moment. */
const OPEN_SPREAD_MS = 2_000;
/** While a student sits before an empty page, the pauses grow no longer than this. */
const OPEN_PAUSE_MS = 3_000;
/** While they wait for the start, there is more time. */
const FETCH_PAUSE_MS = 20_000;

interface Part extends SealedPart {
  state: PartState;
  /** The sealed bytes, once they are here and were checked. */
  held?: ArrayBuffer;
}

export class Paper {
  #parts = new Map<string, Part>();
  #keys: PartKeys = {};
  #opened = new Map<string, Promise<Question[]>>();
  #isOver = false;
  /** Called when the state of a part has changed. */
  changed: () => void = () => {};
  /** Called once if the server gives no part any more: the test has ended, or its token has. */
  withheld: () => void = () => {};

  constructor(
    private outside: Surroundings,
    private network: Network,
    private timing: Timing,
    private session: { sittingId: string; token: string },
  ) {}

  /** Which sitting it is of, if that was not known at first. */
  know(sittingId: string): void {
    if (sittingId !== "") this.session = { ...this.session, sittingId };
  }

  /** The state of the part that is furthest from being here. */
  get state(): PartState {
    const states = [...this.#parts.values()].map(({ state }) => state);
    for (const state of ["atStart", "failed", "fetching", "waiting"] as const) if (states.includes(state)) return state;
    return "here";
  }

  /** Whether the questions come in order. */
  get isInOrder(): boolean {
    return [...this.#parts.values()].some(({ inOrder }) => inOrder);
  }

  /** The hashes of the sealed parts, once all of them are here. */
  get hashes(): string[] | undefined {
    return this.#parts.size > 0 && this.state === "here" ? [...this.#parts.values()].map(({ sha256 }) => sha256) : undefined;
  }

  /** The paper consists of these parts now. What is missing is fetched at some moment within `spreadMs`. */
  follow(sealed: SealedPart[], spreadMs: number): void {
    const before = this.#parts;
    const isSame = (part: SealedPart) => before.get(part.part)?.sha256 === part.sha256;
    this.#parts = new Map(sealed.map((part) => [part.part, isSame(part) ? Object.assign(before.get(part.part) as Part, { inOrder: part.inOrder }) : { ...part, state: this.#first }]));
    for (const part of this.#parts.values()) if (!isSame(part) && part.state === "waiting") void this.#fetch(part, spreadMs);
  }

  /** The server has given these keys. */
  take(keys: PartKeys): void {
    this.#keys = { ...this.#keys, ...keys };
  }

  /** The parts whose keys are known. */
  get open(): string[] {
    return Object.keys(this.#keys);
  }

  /** The questions of an open part, in their order. It is tried until it succeeds; after `end` or `withheld`, it never does. */
  questionsOf(part: string): Promise<Question[]> {
    const opened = this.#opened.get(part) ?? this.#openUntilDone(part);
    this.#opened.set(part, opened);
    return opened;
  }

  end(): void {
    this.#isOver = true;
  }

  get #first(): PartState {
    return this.outside.cryptography === undefined ? "atStart" : "waiting";
  }

  async #fetch(part: Part, spreadMs: number): Promise<void> {
    if (await this.#find(part)) return;
    await this.#pause(this.timing.random() * spreadMs);
    for (let failures = 1; this.#isWanted(part); failures += 1) {
      this.#set(part, "fetching");
      if (await this.#download(part, failures > 1)) return;
      this.#set(part, "failed");
      await this.#pause(pauseAfter(failures, this.timing.random(), FETCH_PAUSE_MS));
    }
  }

  /** Whether the part is still of the paper, and not here. */
  #isWanted(part: Part): boolean {
    return !this.#isOver && part.held === undefined && this.#parts.get(part.part) === part;
  }

  /** Takes the part from the browser's storage, if it is there. */
  async #find(part: Part): Promise<boolean> {
    const kept = await this.outside.store.findPart(part.sha256).catch(() => undefined);
    return kept !== undefined && this.#take(part, kept);
  }

  async #download(part: Part, isAgain: boolean): Promise<boolean> {
    const bytes = await this.outside.download(part.url, isAgain).catch(() => undefined);
    if (bytes === undefined || !(await this.#take(part, bytes))) return false;
    await this.outside.store.keepPart(part.sha256, bytes).catch(() => {});
    return true;
  }

  /** Takes the bytes if they are the right ones. */
  async #take(part: Part, bytes: ArrayBuffer): Promise<boolean> {
    const sha256 = await this.outside.cryptography?.sha256(bytes).catch(() => undefined);
    if (sha256 !== part.sha256.toLowerCase()) return false;
    part.held = bytes;
    this.#set(part, "here");
    return true;
  }

  async #openUntilDone(name: string): Promise<Question[]> {
    const never = new Promise<Question[]>(() => {});
    for (let tries = 0; !this.#isOver; tries += 1) {
      const part = this.#parts.get(name);
      if (part?.held === undefined && part?.state !== "atStart" && part !== undefined && tries === 0) await this.#find(part);
      const questions = (await this.#unseal(part)) ?? (await this.#ask(name, part, tries));
      if (questions !== undefined) return questions;
      if (tries > 0) await this.#pause(pauseAfter(tries, this.timing.random(), OPEN_PAUSE_MS));
    }
    return never;
  }

  async #unseal(part: Part | undefined): Promise<Question[] | undefined> {
    const key = part === undefined ? undefined : this.#keys[part.part];
    if (part?.held === undefined || key === undefined) return undefined;
    const text = await this.outside.cryptography?.unseal(part.held, key).catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as Question[]);
  }

  /** Fetches what could not be opened: sealed where that is of use, and in the clear every second time. */
  async #ask(name: string, part: Part | undefined, tries: number): Promise<Question[] | undefined> {
    if (tries === 0) await this.#pause(this.timing.random() * OPEN_SPREAD_MS);
    // It may have come meanwhile.
    if (tries === 0 && part?.held !== undefined) return this.#unseal(part);
    const isSealed = part !== undefined && part.held === undefined && part.state !== "atStart" && tries % 2 === 0;
    if (isSealed) return (await this.#download(part, tries > 0)) ? this.#unseal(part) : undefined;
    const path = `/api/sittings/${this.session.sittingId}/paper/${encodeURIComponent(name)}?open`;
    const answer = await this.network.request("GET", path, this.session.token).catch(() => undefined);
    if (isWithheld(answer) && !this.#isOver) {
      this.end();
      this.withheld();
    }
    return answer?.status === 200 && Array.isArray(answer.body) ? (answer.body as Question[]) : undefined;
  }

  #set(part: Part, state: PartState): void {
    if (part.held !== undefined && state !== "here") return;
    part.state = state;
    if (!this.#isOver) this.changed();
  }

  #pause(milliseconds: number): Promise<void> {
    return milliseconds === 0 ? Promise.resolve() : new Promise((resolve) => this.timing.later(milliseconds, resolve));
  }
}

/** Whether the server itself says that no later try will get the part. */
function isWithheld(answer: HttpReply | undefined): boolean {
  const hasEnded = answer?.status === 409 && sentenceOf(answer) !== undefined && (answer.body as { code?: unknown }).code === "already_submitted";
  return hasEnded || isRefusal(answer);
}
