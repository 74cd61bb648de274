// Attempts in the browser's own database: what is unsaved outlives the page, the tab and the browser.

import type { AttemptRecord, Keeper, Kept, KeptTexts, Write } from "../exam/ports";
import { withLeft } from "../exam/left";
import { slotOf } from "../exam/outbox";
import { Database } from "./database";
import { forgetLeft, keepLeft, leftOf, tabsOf } from "./left";

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
      const owner = await transaction.objectStore("owners").get(test);
      const drawn = transaction.objectStore("drawings");
      const [record, commands, drawings, keys] = await Promise.all([
        transaction.objectStore("attempts").get(test),
        transaction.objectStore("commands").getAll(rangeOf(test)),
        drawn.getAll(rangeOf(test)),
        drawn.getAllKeys(rangeOf(test)),
        transaction.objectStore("owners").put(this.#tab, test),
      ]);
      await transaction.done;
      const found = Object.fromEntries(drawings.map((drawing, index) => [keys[index]?.[1] ?? "", drawing]));
      return this.#withLeft(test, owner, record === undefined ? undefined : { record, commands, drawings: found });
    });
  }

  /** What its last owner has left is taken over; what other tabs have left is older than what that one did. */
  #withLeft(test: string, owner: string | undefined, kept: Kept | undefined): Kept | undefined {
    const tabs = tabsOf(test);
    const left = leftOf(test, owner ?? tabs[0] ?? "");
    const whole = left === undefined ? kept : withLeft(kept, left);
    // It stays there until it is written.
    if (left !== undefined && whole?.hasLeft) keepLeft(test, this.#tab, left);
    for (const tab of tabs) if (tab !== this.#tab || !whole?.hasLeft) forgetLeft(test, tab);
    return whole;
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
      const { record, put = [], remove = [], drawings = {}, isWhole = false, isBlind = false } = write;
      const commands = transaction.objectStore("commands");
      const drawn = transaction.objectStore("drawings");
      const attempts = transaction.objectStore("attempts");
      const isSpared = isBlind && (await attempts.get(test))?.sessionId === record?.sessionId;
      const writes: Promise<unknown>[] = isWhole && !isSpared ? [commands.delete(rangeOf(test)), drawn.delete(rangeOf(test))] : [];
      writes.push(...remove.map((slot) => commands.delete([test, slot])));
      writes.push(...put.map((command) => commands.put(command, [test, slotOf(command)])));
      writes.push(...Object.entries(drawings).map(([id, drawing]) => (drawing === null ? drawn.delete([test, id]) : drawn.put(drawing, [test, id]))));
      if (record !== undefined) writes.push(attempts.put(record, test));
      await Promise.all([...writes, transaction.done]);
      return true;
    });
    // No other tab has it: it was never claimed, or the browser has thrown it away. Written whole, it is there again.
    if (isMine === undefined) throw new Error("nothing of this attempt is kept");
    return isMine;
  }

  leave(test: string, left?: Write): void {
    if (left === undefined) forgetLeft(test, this.#tab);
    else keepLeft(test, this.#tab, left);
  }

  async forget(test: string): Promise<void> {
    return this.#database.use(async (database) => {
      const transaction = database.transaction(["attempts", "commands", "drawings", "owners", "texts"], "readwrite");
      forgetLeft(test, this.#tab);
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

function rangeOf(test: string): IDBKeyRange {
  return IDBKeyRange.bound([test, ""], [test, "\uffff"]);
}
