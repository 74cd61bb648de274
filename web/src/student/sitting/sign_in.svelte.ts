// Who is signed in on this device, and which sitting of theirs the page is of. A page goes on if that is not known in time.

import type { EnterRequest } from "../../exam/protocol";
import type { Me } from "../api";
import { loadMe } from "../me";
import { pause } from "../pause";
import { loadOwn, type OwnSitting } from "./own";

/** If it takes longer to learn who is signed in, the page goes on as if nobody were. */
const SIGN_IN_MS = 3_000;

export class SignIn {
  me = $state.raw<Me>();
  #meeting: Promise<void> | undefined;

  constructor(private sitting: EnterRequest) {}

  /** Learns who is signed in, once for each opening of the page. */
  meet(): Promise<void> {
    return (this.#meeting ??= loadMe().then((found) => void (this.me = found)));
  }

  /** Waits for that, but not for long. */
  async meetInTime(): Promise<void> {
    await Promise.race([this.meet(), pause(SIGN_IN_MS)]);
  }

  /** The page opens again, perhaps for somebody else. */
  startOver(): void {
    this.#meeting = undefined;
  }

  /** The sitting as the student's list has it, if they are signed in and expected in it. */
  async own(): Promise<OwnSitting | undefined> {
    const { sittingId, code } = this.sitting;
    const own = await loadOwn();
    return own.kind === "loaded" ? own.sittings.find((found) => found.id === sittingId || found.code === code) : undefined;
  }

  /** The same, and who they are, unless it takes too long. */
  async ownInTime(): Promise<OwnSitting | undefined> {
    return Promise.race([Promise.all([this.own(), this.meet()]).then(([own]) => own), pause(SIGN_IN_MS)]);
  }
}
