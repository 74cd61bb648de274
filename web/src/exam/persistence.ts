// Keeps one attempt in the browser, each change in one piece; after a failure all of it, again and again, until that succeeds.

import type { ChangedDrawings } from "./server_copy";
import { slotOf } from "./outbox";
import type { AttemptStore, StoredAttempt, Timing, AttemptWrite } from "./ports";
import type { Command } from "./protocol";

/** After a failure it is tried again this often, also when nothing happens. */
const AGAIN_MS = 10_000;

export interface PersistenceEvents {
  /** All that there is to be kept. */
  whole(): Required<Pick<AttemptWrite, "record" | "put" | "drawings">>;
  /** `isKept` is other than before. */
  changed(): void;
  /** Another tab has taken the attempt over. */
  lost(): void;
}

export class Persistence {
  /** Whether the browser keeps what is unsaved, so that it outlives this page. */
  isKept: boolean;
  #isBlind: boolean;
  /** What is being written, oldest first. */
  #underWay = new Set<AttemptWrite>();
  #hasHandover: boolean;
  #failures = 0;
  #isWaiting = false;
  #isOver = false;
  /** Another tab has it, or nobody any more: nothing may come back of what this one knows. */
  #isGone = false;

  constructor(
    private store: AttemptStore,
    private timing: Timing,
    private test: string,
    { hasHandover = false, isBlind = false }: Pick<StoredAttempt, "hasHandover" | "isBlind">,
    private events: PersistenceEvents,
  ) {
    [this.isKept, this.#isBlind, this.#hasHandover] = [!isBlind, isBlind, hasHandover];
  }

  /** Settles when it is kept, or can't be. */
  async write(write: AttemptWrite): Promise<void> {
    if (this.#isOver || this.#isBlind) return;
    const [isWhole, failures] = [!this.isKept, this.#failures];
    const written = isWhole ? { ...this.events.whole(), isWhole } : write;
    this.#underWay.add(written);
    try {
      if (!(await this.store.write(this.test, written))) this.#lose();
      else if (isWhole && failures === this.#failures) this.#turn(true);
    } catch {
      this.#failures += 1;
      this.#turn(false);
      this.#tryAgainLater();
    } finally {
      this.#underWay.delete(written);
      if (this.isKept && this.#underWay.size === 0) this.#takeBack();
    }
  }

  /** Writes all of it, in the place of what is there. */
  writeWhole(): void {
    void this.write({ ...this.events.whole(), isWhole: true });
  }

  /** Whether no other tab has taken the attempt over, as far as the browser knows. */
  async isMine(): Promise<boolean> {
    if (this.#isBlind) return true;
    const isMine = await this.store.write(this.test, {}).catch(() => true);
    if (!isMine) this.#lose();
    return isMine;
  }

  /** The page is being left, or may be without a word: nothing waits for a database any more. */
  leave(): void {
    if (this.#isGone || this.#isBlind) return;
    if (this.isKept && this.#underWay.size === 0) return this.#takeBack();
    const { record, put } = this.events.whole();
    const underWay = [...this.#underWay];
    const slots = underWay.flatMap((write) => write.put ?? []).map(slotOf);
    const isThere = (command: Command) => this.isKept && command.type === "drawing" && !slots.includes(slotOf(command));
    const drawings: ChangedDrawings = Object.assign({}, ...underWay.map((write) => write.drawings));
    this.#hasHandover = true;
    this.store.leave(this.test, { record, commands: put.filter((command) => !isThere(command)), kept: put.filter(isThere).map(slotOf), drawings });
  }

  /** What is kept stays as it is. */
  end(): void {
    this.#isOver = true;
  }

  /** Nothing of it is kept any more. */
  forget(): Promise<void> {
    [this.#isOver, this.#isGone] = [true, true];
    return this.store.forget(this.test).catch(() => {});
  }

  #lose(): void {
    this.#isGone = true;
    this.#takeBack();
    if (!this.#isOver) this.events.lost();
  }

  /** What was left is in the database, or of no use any more. */
  #takeBack(): void {
    if (this.#hasHandover) this.store.leave(this.test);
    this.#hasHandover = false;
  }

  #turn(isKept: boolean): void {
    if (isKept === this.isKept) return;
    this.isKept = isKept;
    this.events.changed();
  }

  #tryAgainLater(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.timing.later(AGAIN_MS, () => {
      this.#isWaiting = false;
      if (!this.isKept) void this.write({});
    });
  }
}
