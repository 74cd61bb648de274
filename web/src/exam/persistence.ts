// Keeps one attempt stored in the browser. After a failed write it writes everything again until that succeeds, and a page
// that is closed hands over what the database may lack.

import type { ChangedDrawings } from "./server_copy";
import { slotOf } from "./outbox";
import type { AttemptStore, StoredAttempt, Timing, AttemptWrite } from "./ports";
import type { Command } from "./protocol";

/** After a failure, writing is tried again this often, even if nothing changes. */
const AGAIN_MS = 10_000;

export interface PersistenceEvents {
  /** Everything that should be stored. */
  whole(): Required<Pick<AttemptWrite, "record" | "put" | "drawings">>;
  /** `isKept` has changed. */
  changed(): void;
  /** Another tab has taken the attempt over. */
  lost(): void;
}

export class Persistence {
  /** Whether the browser stores what is unsaved, so that it outlives this page. */
  isKept: boolean;
  #isBlind: boolean;
  /** The writes under way, oldest first. */
  #underWay = new Set<AttemptWrite>();
  #hasHandover: boolean;
  #failures = 0;
  #isWaiting = false;
  #isOver = false;
  /** Another tab owns the attempt, or it was deleted. This tab must not bring any of it back. */
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

  /** Resolves when the write is done or has failed. */
  async write(write: AttemptWrite): Promise<void> {
    if (this.#isOver || this.#isBlind) return;
    const [isWhole, failures] = [!this.isKept, this.#failures];
    const written = isWhole ? { ...this.events.whole(), isWhole } : write;
    this.#underWay.add(written);
    try {
      if (!(await this.store.write(this.test, written))) this.#lose();
      else if (isWhole && failures === this.#failures) this.#setKept(true);
    } catch {
      this.#failures += 1;
      this.#setKept(false);
      this.#tryAgainLater();
    } finally {
      this.#underWay.delete(written);
      if (this.isKept && this.#underWay.size === 0) this.#deleteHandover();
    }
  }

  /** Replaces everything that is stored of the attempt. */
  writeWhole(): void {
    void this.write({ ...this.events.whole(), isWhole: true });
  }

  /** Writes everything a last time: nobody will try again if that fails, so it is handed over until it has succeeded. */
  writeLast(): void {
    this.writeWhole();
    this.handOver();
  }

  /** Whether this tab still owns the attempt, as far as the browser can say. */
  async isMine(): Promise<boolean> {
    if (this.#isBlind) return true;
    const isMine = await this.store.write(this.test, {}).catch(() => true);
    if (!isMine) this.#lose();
    return isMine;
  }

  /** The page may be gone at any moment now: hands over what the database may lack, without waiting for it. */
  handOver(): void {
    if (this.#isGone || this.#isBlind) return;
    if (this.isKept && this.#underWay.size === 0) return this.#deleteHandover();
    const { record, put } = this.events.whole();
    const underWay = [...this.#underWay];
    const slots = underWay.flatMap((write) => write.put ?? []).map(slotOf);
    const isThere = (command: Command) => this.isKept && command.type === "drawing" && !slots.includes(slotOf(command));
    const drawings: ChangedDrawings = Object.assign({}, ...underWay.map((write) => write.drawings));
    this.#hasHandover = true;
    this.store.handOver(this.test, { record, commands: put.filter((command) => !isThere(command)), kept: put.filter(isThere).map(slotOf), drawings });
  }

  /** Stops writing. What is stored stays as it is. */
  end(): void {
    this.#isOver = true;
  }

  /** Deletes everything that is stored of the attempt. */
  forget(): Promise<void> {
    [this.#isOver, this.#isGone] = [true, true];
    return this.store.forget(this.test).catch(() => {});
  }

  #lose(): void {
    this.#isGone = true;
    this.#deleteHandover();
    if (!this.#isOver) this.events.lost();
  }

  /** Deletes the handover: the database has it all, or it is of no use any more. */
  #deleteHandover(): void {
    if (this.#hasHandover) this.store.handOver(this.test);
    this.#hasHandover = false;
  }

  #setKept(isKept: boolean): void {
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
