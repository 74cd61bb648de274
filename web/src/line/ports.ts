// A connection's interfaces to the outside: a socket, clocks and chance. With them it can be tested without a browser.

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

/** Clocks, timers and random numbers. */
export interface Timing {
  /** Milliseconds of a clock that only goes forward. */
  now(): number;
  /** Milliseconds of the device's calendar, which may be wrong or be set. */
  calendar(): number;
  /** From 0 to 1. */
  random(): number;
  /** Calls back once, and returns what cancels that. */
  later(milliseconds: number, call: () => void): () => void;
}
