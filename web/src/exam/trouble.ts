// Tells the server what is wrong at this computer, so that a proctor sees it: once for each change, by socket or by HTTPS.

import type { Network } from "./ports";
import type { ClientFrame, Trouble } from "./protocol";

/** A clock that is off by less confuses nobody. */
const CLOCK_MS = 120_000;
/** It is not known what the server takes to be wrong: a page before this one may have told it, or the telling failed. */
const UNKNOWN = "?";

/** Whether the device's clock is off, by how much it is ahead of the server's. */
export function isClockOff(errorMs: number | undefined): boolean {
  return errorMs !== undefined && Math.abs(errorMs) > CLOCK_MS;
}

export class TroubleReport {
  #said = UNKNOWN;

  constructor(
    private network: Network,
    private session: { sessionId: string; token: string },
  ) {}

  /** On a new socket the server takes nothing to be wrong until it is told. */
  forget(): void {
    this.#said = "";
  }

  tell(found: Record<Trouble, boolean>, transport: "none" | "socket" | "https", say: (frame: ClientFrame) => void): void {
    const trouble = (Object.keys(found) as Trouble[]).filter((name) => found[name]);
    const now = trouble.join();
    if (transport === "none" || now === this.#said) return;
    this.#said = now;
    if (transport === "socket") return say({ type: "trouble", trouble });
    const { sessionId, token } = this.session;
    void this.network.request("POST", `/api/live/${sessionId}/commands`, token, { commands: [], trouble }).catch(() => (this.#said = UNKNOWN));
  }
}
