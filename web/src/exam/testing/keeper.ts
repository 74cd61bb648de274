// A browser's memory for tests, shared by the tabs that are made of it.

import { withLeft } from "../left";
import { slotOf } from "../outbox";
import type { Keeper, Kept, KeptTexts, Write } from "../ports";
import type { StoredDrawing } from "../protocol";

export class Memory {
  kept = new Map<string, Kept>();
  owners = new Map<string, object>();
  /** What a tab was still writing when it was left. */
  left = new Map<object, Write>();
  texts = new Map<string, KeptTexts>();
  /** Whatever is asked of it fails. */
  isBroken = false;
  /** Nothing is written until then, or ever, when the page goes first. */
  busy: Promise<void> | undefined;

  /** The keeper of one more tab. */
  tab(): Keeper {
    const tab = {};
    return {
      find: async (test) => {
        this.#fail();
        const ofIt = [...this.kept.values()].filter(({ record }) => record.test === test || record.test.startsWith(`${test}/`));
        return structuredClone(ofIt.map(({ record }) => record));
      },
      claim: async (test) => {
        this.#fail();
        if (this.busy !== undefined) await this.busy;
        const left = this.left.get(this.owners.get(test) ?? {});
        const kept = structuredClone(left === undefined ? this.kept.get(test) : withLeft(this.kept.get(test), left));
        this.left.clear();
        if (left !== undefined && kept?.hasLeft) this.left.set(tab, left);
        this.owners.set(test, tab);
        return kept;
      },
      write: async (test, write) => {
        if (this.busy !== undefined) await this.busy;
        this.#fail();
        const owner = this.owners.get(test);
        if (owner === undefined && !write.isWhole) throw new Error("nothing of this attempt is kept");
        if (owner !== undefined && owner !== tab) return false;
        this.owners.set(test, tab);
        this.#write(test, structuredClone(write));
        return true;
      },
      leave: (_test, left) => void (left === undefined ? this.left.delete(tab) : this.left.set(tab, structuredClone(left))),
      forget: async (test) => {
        if (this.owners.get(test) === tab) this.kept.delete(test);
      },
      keepTexts: async (test, texts) => void this.texts.set(test, texts),
      findTexts: async (test) => this.texts.get(test),
    };
  }

  #fail(): void {
    if (this.isBroken) throw new Error("the database can't be read");
  }

  #write(test: string, { record, put = [], remove = [], drawings = {}, isWhole = false, isBlind = false }: Write): void {
    const isSpared = isBlind && this.kept.get(test)?.record.sessionId === record?.sessionId;
    const before = isWhole && !isSpared ? undefined : this.kept.get(test);
    const commands = (before?.commands ?? []).filter((command) => ![...remove, ...put.map(slotOf)].includes(slotOf(command)));
    const newest = record ?? before?.record;
    const drawn = Object.entries({ ...before?.drawings, ...drawings }).filter((entry): entry is [string, StoredDrawing] => entry[1] !== null);
    if (newest !== undefined) this.kept.set(test, { record: newest, commands: [...commands, ...put], drawings: Object.fromEntries(drawn) });
  }
}
