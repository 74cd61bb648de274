// Attempts in the browser's own database: what is unsaved outlives the page, the tab and the browser.

import type { AttemptRecord, Keeper, Kept, KeptTexts, Write } from "../exam/ports";
import { slotOf } from "../exam/outbox";
import { Database, type Changing } from "./database";
import { forgetLeft, keepLeft, leftOf } from "./left";

export class BrowserKeeper implements Keeper {
  #tab = crypto.getRandomValues(new Uint32Array(4)).join("-");
  #database = new Database();

  /** Opening takes longest: it begins while the page is still being made. */
  constructor() {
    this.#database.open().catch(() => {});
  }

  async find(test: string): Promise<AttemptRecord[]> {
    const records = await this.#database.read([], (database) => database.getAll("attempts", IDBKeyRange.bound(test, `${test}/\uffff`)));
    return records.filter((record) => record.test === test || record.test.startsWith(`${test}/`));
  }

  async claim(test: string): Promise<Kept | undefined> {
    return this.#database.read(undefined, async (database) => {
      const transaction = database.transaction(["attempts", "commands", "drawings", "owners"], "readwrite");
      const left = leftOf(test);
      // What another tab has done since is newer.
      if (left !== undefined && left.tab === (await transaction.objectStore("owners").get(test))) {
        for (const write of left.unwritten) await change(transaction, test, write);
      }
      const drawn = transaction.objectStore("drawings");
      const [record, commands, drawings, keys] = await Promise.all([
        transaction.objectStore("attempts").get(test),
        transaction.objectStore("commands").getAll(rangeOf(test)),
        drawn.getAll(rangeOf(test)),
        drawn.getAllKeys(rangeOf(test)),
        transaction.objectStore("owners").put(this.#tab, test),
      ]);
      await transaction.done;
      forgetLeft(test);
      if (record === undefined) return undefined;
      return { record, commands, drawings: Object.fromEntries(drawings.map((drawing, index) => [keys[index]?.[1] ?? "", drawing])) };
    });
  }

  /** Transactions come one after the other, in all tabs: after a claim nothing of the tab before is written. */
  async write(test: string, write: Write): Promise<boolean> {
    const isMine = await this.#database.use(async (database) => {
      const transaction = database.transaction(["attempts", "commands", "drawings", "owners"], "readwrite");
      const owner = await transaction.objectStore("owners").get(test);
      if (owner === undefined && write.isWhole) await transaction.objectStore("owners").put(this.#tab, test);
      else if (owner !== this.#tab) {
        await transaction.done;
        return owner === undefined ? undefined : false;
      }
      await Promise.all([change(transaction, test, write), transaction.done]);
      return true;
    });
    // No other tab has it: it was never claimed, or the browser has thrown it away. Written whole, it is there again.
    if (isMine === undefined) throw new Error("nothing of this attempt is kept");
    return isMine;
  }

  leave(test: string, unwritten: Write[]): void {
    if (unwritten.length === 0) forgetLeft(test);
    else keepLeft(test, { tab: this.#tab, unwritten });
  }

  async forget(test: string): Promise<void> {
    return this.#database.use(async (database) => {
      const transaction = database.transaction(["attempts", "commands", "drawings", "owners", "texts"], "readwrite");
      if ((await transaction.objectStore("owners").get(test)) === this.#tab) {
        await Promise.all([
          transaction.objectStore("texts").delete(test),
          transaction.objectStore("attempts").delete(test),
          transaction.objectStore("commands").delete(rangeOf(test)),
          transaction.objectStore("drawings").delete(rangeOf(test)),
          transaction.objectStore("owners").delete(test),
        ]);
      }
      await transaction.done;
    });
  }

  async keepTexts(test: string, texts: KeptTexts): Promise<void> {
    await this.#database.use((database) => database.put("texts", texts, test));
  }

  async findTexts(test: string): Promise<KeptTexts | undefined> {
    return this.#database.read(undefined, (database) => database.get("texts", test));
  }
}

async function change(transaction: Changing, test: string, { record, put = [], remove = [], drawings = {}, isWhole = false }: Write): Promise<void> {
  const commands = transaction.objectStore("commands");
  const drawn = transaction.objectStore("drawings");
  const writes: Promise<unknown>[] = isWhole ? [commands.delete(rangeOf(test)), drawn.delete(rangeOf(test))] : [];
  writes.push(...remove.map((slot) => commands.delete([test, slot])));
  writes.push(...put.map((command) => commands.put(command, [test, slotOf(command)])));
  writes.push(...Object.entries(drawings).map(([id, drawing]) => (drawing === null ? drawn.delete([test, id]) : drawn.put(drawing, [test, id]))));
  if (record !== undefined) writes.push(transaction.objectStore("attempts").put(record, test));
  await Promise.all(writes);
}

function rangeOf(test: string): IDBKeyRange {
  return IDBKeyRange.bound([test, ""], [test, "\uffff"]);
}
