// The gate of commands: open while they may go out. Separate because several things close it for a while, each on its
// own, and a command that slips past one of them could be lost or counted twice.

import type { Timing } from "./ports";

/** How long nothing is sent after the server has answered `rate_limited`. */
const HOLD_MS = 1_000;

export class Gate {
  /** Whether the server has said where the test stands. Before that, commands might carry numbers it has seen. */
  hasStanding = false;
  #isHeld = false;
  /** Writes to the browser's database that must finish first. */
  #writes = 0;

  /** `opened` is called when something that closed the gate is over. */
  constructor(
    private timing: Timing,
    private opened: () => void,
  ) {}

  get isOpen(): boolean {
    return this.hasStanding && !this.#isHeld && this.#writes === 0;
  }

  /** The server wants fewer commands. */
  hold(): void {
    this.#isHeld = true;
    this.timing.later(HOLD_MS, () => {
      this.#isHeld = false;
      this.opened();
    });
  }

  /** Stays closed until this write is done. */
  waitFor(write: Promise<void>): void {
    this.#writes += 1;
    void write.then(() => {
      this.#writes -= 1;
      this.opened();
    });
  }
}
