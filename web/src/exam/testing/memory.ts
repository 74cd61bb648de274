// A browser's memory for tests, shared by the tabs that are made of it.

import { withDrawings } from "../server_copy";
import { withLeft, type Left } from "../handover";
import { slotOf } from "../outbox";
import type { Keeper, Kept, KeptTexts, Write } from "../ports";

export class Memory {
  kept = new Map<string, Kept>();
  owners = new Map<string, object>();
  /** What a tab was still writing when it was left. */
  left = new Map<object, { test: string; left: Left }>();
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
        const records = new Map([...this.kept.values()].map(({ record }) => [record.test, record]));
        for (const { left } of this.left.values()) if (records.get(left.record.test)?.sessionId === undefined) records.set(left.record.test, left.record);
        return structuredClone([...records.values()].filter((record) => record.test === test || record.test.startsWith(`${test}/`)));
      },
      claim: async (test) => {
        this.#fail();
        if (this.busy !== undefined) await this.busy;
        const kept = this.#takeOver(test, tab);
        this.owners.set(test, tab);
        return structuredClone(kept);
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
      leave: (test, left) => void (left === undefined ? this.left.delete(tab) : this.left.set(tab, { test, left: structuredClone(left) })),
      forget: async (test) => {
        this.left.delete(tab);
        const owner = this.owners.get(test);
        if (!this.isBroken && owner !== undefined && owner !== tab) return;
        for (const [other, left] of this.left) if (left.test === test) this.left.delete(other);
        this.#fail();
        this.kept.delete(test);
        this.owners.delete(test);
      },
      keepTexts: async (test, texts) => void this.texts.set(test, texts),
      findTexts: async (test) => this.texts.get(test),
    };
  }

  #takeOver(test: string, tab: object): Kept | undefined {
    const owner = this.owners.get(test);
    const ofIt = [...this.left].filter(([, left]) => left.test === test);
    const from = owner === undefined ? ofIt.map(([other]) => other) : [owner, tab];
    const left = ofIt.find(([other]) => from.includes(other))?.[1].left;
    const kept = left === undefined ? this.kept.get(test) : withLeft(this.kept.get(test), left);
    for (const [other] of ofIt) this.left.delete(other);
    if (left !== undefined && kept?.hasLeft) this.left.set(tab, { test, left });
    return kept;
  }

  #fail(): void {
    if (this.isBroken) throw new Error("the database can't be read");
  }

  #write(test: string, { record, put = [], remove = [], drawings = {}, isWhole = false }: Write): void {
    const before = isWhole ? undefined : this.kept.get(test);
    const commands = (before?.commands ?? []).filter((command) => ![...remove, ...put.map(slotOf)].includes(slotOf(command)));
    const newest = record ?? before?.record;
    if (newest !== undefined) this.kept.set(test, { record: newest, commands: [...commands, ...put], drawings: withDrawings(before?.drawings ?? {}, drawings) });
  }
}
