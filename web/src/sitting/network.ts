// The network of a sitting's exam. It passes on everything; but the first socket is the one on which the candidate has
// waited, so that the beginning needs no new one, and keys on the way are noted, since the exam itself knows none.

import type { Network, Socket, SocketEvents } from "../exam/ports";
import { readFrame, type PartKeys, type SealedPart, type Standing } from "../exam/protocol";
import type { HttpReply } from "../exam/reply";

/** An open socket that has resumed, and what has arrived on it since. It is handed over before anybody knows who takes it. */
export class HandedSocket {
  #events: SocketEvents | undefined;
  #isResumed = false;
  #arrived: string[] = [];
  #standing: (() => Standing) | undefined;
  isOpen = true;

  constructor(private socket: Socket) {}

  /** `standing` is where the test stands at the moment of the call. */
  from(standing: () => Standing): this {
    this.#standing = standing;
    return this;
  }

  message(text: string): void {
    if (this.#events !== undefined && this.#isResumed) this.#events.message(text);
    else this.#arrived.push(text);
  }

  closed(code: number): void {
    this.isOpen = false;
    this.#events?.closed(code);
  }

  /** Goes on for these events as a socket that has just opened. */
  goOn(events: SocketEvents): Socket {
    this.#events = events;
    queueMicrotask(() => this.isOpen && events.opened());
    return {
      send: (text) => (this.#isResumed ? this.socket.send(text) : this.#resume(text)),
      close: () => this.socket.close(),
    };
  }

  /** The socket has resumed already, so this needs no server. */
  #resume(text: string): void {
    if ((JSON.parse(text) as { type: string }).type !== "resume") return;
    this.#isResumed = true;
    this.#events?.message(JSON.stringify(this.#standing?.()));
    for (const arrived of this.#arrived.splice(0)) this.#events?.message(arrived);
  }

  close(): void {
    this.socket.close();
  }
}

export class SittingNetwork implements Network {
  /** The socket to go on with. */
  handed: HandedSocket | undefined;

  constructor(
    private network: Network,
    private noted: (keys: PartKeys, sealed?: SealedPart[]) => void,
  ) {}

  openSocket(events: SocketEvents): Socket {
    const handed = this.handed;
    this.handed = undefined;
    const message = (text: string) => {
      // Most messages have none, and need not be parsed twice.
      if (text.includes('"keys"')) this.#note(readFrame(text));
      events.message(text);
    };
    const noting = { opened: () => events.opened(), message, closed: (code: number) => events.closed(code) };
    return handed?.isOpen === true ? handed.goOn(noting) : this.network.openSocket(noting);
  }

  async request(method: "GET" | "POST", path: string, token?: string, body?: unknown, waitMs?: number): Promise<HttpReply> {
    const reply = await this.network.request(method, path, token, body, waitMs);
    const { replies = [] } = (reply.body ?? {}) as { replies?: unknown[] };
    for (const said of Array.isArray(replies) ? [reply.body, ...replies] : [reply.body]) this.#note(said);
    return reply;
  }

  #note(said: unknown): void {
    const { keys, sealed } = (said ?? {}) as { keys?: PartKeys; sealed?: SealedPart[] };
    if (typeof keys === "object" && keys !== null) this.noted(keys, sealed);
  }
}
