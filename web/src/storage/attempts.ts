// Stores attempts in the browser's database, so that unsaved work outlives the page, the tab and the browser.

import type { AttemptRecord, AttemptStore, StoredAttempt, StoredTexts, AttemptWrite } from "../exam/ports";
import { isOfTest, recordsOf, takeOver, type Handover } from "../exam/handover";
import { slotOf } from "../exam/outbox";
import { Database } from "./database";
import { listHandovers, forgetHandover, keepHandover, handoverOf } from "./handovers";

export class BrowserAttemptStore implements AttemptStore {
  #tab = crypto.getRandomValues(new Uint32Array(4)).join("-");
  #database = new Database();

  /** Opening the database takes longest, so it begins while the page is still being built. */
  constructor() {
    this.#database.open().catch(() => {});
  }

  async find(test: string): Promise<AttemptRecord[]> {
    const records = await this.#database.read([], (database) => database.getAll("attempts", IDBKeyRange.bound(test, `${test}/\uffff`)));
    const handovers = listHandovers().filter((entry) => isOfTest(entry.test, test)).flatMap((entry) => {
      const handover = handoverOf(entry.test, entry.tab);
      return handover?.record.test === entry.test ? [handover] : [];
    });
    return recordsOf(test, records, handovers);
  }

  async claim(test: string): Promise<StoredAttempt | undefined> {
    const found = await this.#database.read(undefined, async (database) => {
      const transaction = database.transaction(["attempts", "commands", "drawings", "owners"], "readwrite");
      const owner = await transaction.objectStore("owners").get(test);
      const drawn = transaction.objectStore("drawings");
      const [record, commands, drawings, keys] = await Promise.all([
        transaction.objectStore("attempts").get(test),
        transaction.objectStore("commands").getAll(rangeOf(test)),
        drawn.getAll(rangeOf(test)),
        drawn.getAllKeys(rangeOf(test)),
      ]);
      const byQuestion = Object.fromEntries(drawings.map((drawing, index) => [keys[index]?.[1] ?? "", drawing]));
      const kept = this.#takeOver(test, owner, record === undefined ? undefined : { record, commands, drawings: byQuestion });
      await Promise.all([transaction.objectStore("owners").put(this.#tab, test), transaction.done]);
      return { kept };
    });
    return found === undefined ? this.#takeOver(test, undefined, undefined) : found.kept;
  }

  /**
   * Merges in what the last owner handed over. The handover is stored under this tab's name before the claim is done, so
   * that the next claim finds it if this page goes before it has written all of it.
   */
  #takeOver(test: string, owner: string | undefined, stored: StoredAttempt | undefined): StoredAttempt | undefined {
    const tabs = listHandovers().filter((entry) => entry.test === test).map(({ tab }) => tab);
    const entries = tabs.map((tab) => ({ tab, handover: handoverOf(test, tab) }));
    const { attempt, handover } = takeOver(stored, entries, owner, this.#tab);
    for (const tab of tabs) forgetHandover(test, tab);
    if (handover !== undefined) keepHandover(test, this.#tab, handover);
    return attempt;
  }

  /** Checks the owner in the same transaction. Transactions of all tabs run one after another, so after a claim the tab before can write nothing. */
  async write(test: string, { record, put = [], remove = [], drawings = {}, isWhole = false }: AttemptWrite): Promise<boolean> {
    const isMine = await this.#database.use(async (database) => {
      const transaction = database.transaction(["attempts", "commands", "drawings", "owners"], "readwrite");
      const owner = await transaction.objectStore("owners").get(test);
      if (owner === undefined && isWhole) await transaction.objectStore("owners").put(this.#tab, test);
      else if (owner !== this.#tab) {
        await transaction.done;
        return owner === undefined ? undefined : false;
      }
      const commands = transaction.objectStore("commands");
      const drawn = transaction.objectStore("drawings");
      const writes: Promise<unknown>[] = isWhole ? [commands.delete(rangeOf(test)), drawn.delete(rangeOf(test))] : [];
      writes.push(...remove.map((slot) => commands.delete([test, slot])));
      writes.push(...put.map((command) => commands.put(command, [test, slotOf(command)])));
      writes.push(...Object.entries(drawings).map(([id, drawing]) => (drawing === null ? drawn.delete([test, id]) : drawn.put(drawing, [test, id]))));
      if (record !== undefined) writes.push(transaction.objectStore("attempts").put(record, test));
      await Promise.all([...writes, transaction.done]);
      return true;
    });
    // Nobody owns it: it was never claimed, or the browser has deleted it. The caller then writes all of it.
    if (isMine === undefined) throw new Error("nothing of this attempt is kept");
    return isMine;
  }

  handOver(test: string, handover?: Handover): void {
    if (handover === undefined) forgetHandover(test, this.#tab);
    else keepHandover(test, this.#tab, handover);
  }

  async forget(test: string): Promise<void> {
    forgetHandover(test, this.#tab);
    const owner = await this.#database.use(async (database) => {
      const transaction = database.transaction(["attempts", "commands", "drawings", "owners", "texts"], "readwrite");
      const owner = await transaction.objectStore("owners").get(test);
      if (owner === this.#tab) {
        await Promise.all([
          transaction.objectStore("texts").delete(test),
          transaction.objectStore("attempts").delete(test),
          transaction.objectStore("commands").delete(rangeOf(test)),
          transaction.objectStore("drawings").delete(rangeOf(test)),
          transaction.objectStore("owners").delete(test),
        ]);
      }
      await transaction.done;
      return owner;
    }).catch(() => undefined);
    if (owner !== undefined && owner !== this.#tab) return;
    for (const entry of listHandovers()) if (entry.test === test) forgetHandover(test, entry.tab);
  }

  async keepTexts(test: string, texts: StoredTexts): Promise<void> {
    await this.#database.use((database) => database.put("texts", texts, test));
  }

  async findTexts(test: string): Promise<StoredTexts | undefined> {
    return this.#database.read(undefined, (database) => database.get("texts", test));
  }
}

function rangeOf(test: string): IDBKeyRange {
  return IDBKeyRange.bound([test, ""], [test, "\uffff"]);
}
