// A browser's memory for tests, shared by the tabs that are made of it.

import { withDrawings } from "../server_copy";
import { withHandover, type Handover } from "../handover";
import { slotOf } from "../outbox";
import type { AttemptStore, StoredAttempt, StoredTexts, AttemptWrite } from "../ports";

export class Memory {
  kept = new Map<string, StoredAttempt>();
  owners = new Map<string, object>();
  /** What a tab was still writing when it was left. */
  handovers = new Map<object, { test: string; handover: Handover }>();
  texts = new Map<string, StoredTexts>();
  /** Whatever is asked of it fails. */
  isBroken = false;
  /** Nothing is written until then, or ever, when the page goes first. */
  busy: Promise<void> | undefined;

  /** The keeper of one more tab. */
  tab(): AttemptStore {
    const tab = {};
    return {
      find: async (test) => {
        this.#fail();
        const records = new Map([...this.kept.values()].map(({ record }) => [record.test, record]));
        for (const { handover } of this.handovers.values()) if (records.get(handover.record.test)?.sessionId === undefined) records.set(handover.record.test, handover.record);
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
      leave: (test, handover) => void (handover === undefined ? this.handovers.delete(tab) : this.handovers.set(tab, { test, handover: structuredClone(handover) })),
      forget: async (test) => {
        this.handovers.delete(tab);
        const owner = this.owners.get(test);
        if (!this.isBroken && owner !== undefined && owner !== tab) return;
        for (const [other, handover] of this.handovers) if (handover.test === test) this.handovers.delete(other);
        this.#fail();
        this.kept.delete(test);
        this.owners.delete(test);
      },
      keepTexts: async (test, texts) => void this.texts.set(test, texts),
      findTexts: async (test) => this.texts.get(test),
    };
  }

  #takeOver(test: string, tab: object): StoredAttempt | undefined {
    const owner = this.owners.get(test);
    const ofIt = [...this.handovers].filter(([, handover]) => handover.test === test);
    const from = owner === undefined ? ofIt.map(([other]) => other) : [owner, tab];
    const handover = ofIt.find(([other]) => from.includes(other))?.[1].handover;
    const kept = handover === undefined ? this.kept.get(test) : withHandover(this.kept.get(test), handover);
    for (const [other] of ofIt) this.handovers.delete(other);
    if (handover !== undefined && kept?.hasHandover) this.handovers.set(tab, { test, handover });
    return kept;
  }

  #fail(): void {
    if (this.isBroken) throw new Error("the database can't be read");
  }

  #write(test: string, { record, put = [], remove = [], drawings = {}, isWhole = false }: AttemptWrite): void {
    const before = isWhole ? undefined : this.kept.get(test);
    const commands = (before?.commands ?? []).filter((command) => ![...remove, ...put.map(slotOf)].includes(slotOf(command)));
    const newest = record ?? before?.record;
    if (newest !== undefined) this.kept.set(test, { record: newest, commands: [...commands, ...put], drawings: withDrawings(before?.drawings ?? {}, drawings) });
  }
}
