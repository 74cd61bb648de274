// The browser as the platform of an exam: its network, clocks and storage. Separate so that only this file of the exam's
// surroundings needs a browser.

import type { Network, Platform, Socket, SocketEvents, Timing } from "../exam/ports";
import { BrowserAttemptStore } from "../storage/attempts";

/** An answer is given up after this much silence; sending takes longer on a slow network. */
const SILENCE_MS = 15_000;
const SLOW_BYTES_PER_MS = 8;
const SUBPROTOCOL = "examhall.live.v1";
/** The close code that browsers report for a connection that broke. */
const BROKEN = 1006;

/** Aborts a request when nothing has arrived for too long. */
class Patience {
  #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  wait(milliseconds: number): void {
    this.end();
    this.#timer = setTimeout(() => this.#controller.abort(), milliseconds);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** The body of a complete response, or undefined if it is not JSON. */
async function jsonOf(response: Response, heard: () => void): Promise<unknown> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let text = "";
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
    heard();
    text += decoder.decode(piece.value, { stream: true });
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

class BrowserNetwork implements Network {
  openSocket(events: SocketEvents): Socket {
    const address = new URL("/api/live", location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    try {
      const socket = new WebSocket(address, SUBPROTOCOL);
      socket.onopen = () => events.opened();
      socket.onmessage = ({ data }) => events.message(String(data));
      socket.onclose = ({ code }) => events.closed(code);
      return {
        send: (text) => {
          if (socket.readyState === WebSocket.OPEN) socket.send(text);
        },
        close: () => socket.close(),
      };
    } catch {
      queueMicrotask(() => events.closed(BROKEN));
      return { send: () => {}, close: () => {} };
    }
  }

  async request(method: "GET" | "POST", path: string, token?: string, sent?: unknown, waitMs = 0) {
    const headers: Record<string, string> = { Accept: "application/json" };
    if (token !== undefined) headers["Authorization"] = `Bearer ${token}`;
    if (sent !== undefined) headers["Content-Type"] = "application/json";
    const content = sent === undefined ? undefined : JSON.stringify(sent);
    const patience = new Patience();
    patience.wait(SILENCE_MS + waitMs + (content?.length ?? 0) / SLOW_BYTES_PER_MS);
    const { signal } = patience;
    try {
      const response = await fetch(path, { method, headers, signal, cache: "no-store", ...(content === undefined ? {} : { body: content }) });
      const retryAfter = Number(response.headers.get("Retry-After") ?? 1);
      const date = Date.parse(response.headers.get("Date") ?? "");
      const body = await jsonOf(response, () => patience.wait(SILENCE_MS));
      return { status: response.status, body, retryAfter, ...(Number.isNaN(date) ? {} : { date }) };
    } finally {
      patience.end();
    }
  }
}

const timing: Timing = {
  now: () => performance.now(),
  calendar: () => Date.now(),
  // Keys of starts are made of these numbers, so nobody must be able to guess them.
  random: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
  later: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};

const network = new BrowserNetwork();

export const platform: Platform = {
  network,
  timing,
  attempts: new BrowserAttemptStore(),
  sendLate: async (session, commands) => (await import("../late/late")).sendLate(network, session, commands),
};
