// Enters with what a student has typed. A code of eight letters is that of an early slip, or the one with which a proctor
// lets a test go on with another device: students type the latter where they are asked for a code.

import { isProctorsCode } from "../../sitting/code";
import type { EnterOutcome } from "../../sitting/enter";
import type { MoveResult } from "../api";

type Moved = Extract<MoveResult, { kind: "moved" }>;

/** The first two do not say whether the code is right: nobody hears of that before the doors, or after too many tries. */
const UNKNOWN: EnterOutcome["kind"][] = ["notOpen", "tooMany", "notExpected"];

export class EnterOrMove {
  #enter: (access: string) => Promise<EnterOutcome>;
  #move: (code: string) => Promise<MoveResult>;
  /** A code that does not let in, and of which nobody has said yet whether it moves a test. */
  #open: { access: string; outcome: EnterOutcome } | undefined;

  constructor(enter: (access: string) => Promise<EnterOutcome>, move: (code: string) => Promise<MoveResult>) {
    [this.#enter, this.#move] = [enter, move];
  }

  /** Called again with the same code, it goes on where it has had no answer: a wrong code counts once. */
  async come(access: string): Promise<EnterOutcome | Moved> {
    const outcome = this.#open?.access === access ? this.#open.outcome : await this.#enter(access);
    this.#open = undefined;
    if (!isProctorsCode(access) || !UNKNOWN.includes(outcome.kind)) return outcome;
    const result = await this.#move(access);
    if (result.kind === "moved") return result;
    if (result.kind === "refused") return outcome;
    // Who was slowed down at the entry has not been told that the code is wrong there.
    if (outcome.kind !== "tooMany") this.#open = { access, outcome };
    return result.kind === "tooMany" ? result : { kind: "unreachable" };
  }
}
