// A browser's storage for tests, shared by the tabs that are made of it. It breaks, stalls and forgets on demand.

import { recordsOf, takeOver, type Handover } from "../handover";
import { slotOf } from "../outbox";
import type { AttemptStore, AttemptWrite, StoredAttempt, StoredTexts } from "../ports";
import { withDrawings } from "../server_copy";

export class Memory {
  kept = new Map<string, StoredAttempt>();
  /** The tab that owns each attempt. */
  owners = new Map<string, string>();
  /** What closing tabs have handed over, by tab. */
  handovers = new Map<string, { test: string; handover: Handover }>();
  texts = new Map<string, StoredTexts>();
  /** Every call fails. */
  isBroken = false;
  /** Nothing is written before this resolves; if it never does, the page is gone first. */
  busy: Promise<void> | undefined;
  #tabs = 0;

  /** The store of one more tab. */
  tab(): AttemptStore {
    const tab = String(++this.#tabs);
    return {
      find: async (test) => {
        this.#fail();
        const records = [...this.kept.values()].map(({ record }) => record);
        return structuredClone(recordsOf(test, records, [...this.handovers.values()].map(({ handover }) => handover)));
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
      handOver: (test, handover) => void (handover === undefined ? this.handovers.delete(tab) : this.handovers.set(tab, { test, handover: structuredClone(handover) })),
      forget: async (test) => {
        this.handovers.delete(tab);
        const owner = this.owners.get(test);
        if (!this.isBroken && owner !== undefined && owner !== tab) return;
        for (const [other, entry] of this.handovers) if (entry.test === test) this.handovers.delete(other);
        this.#fail();
        this.kept.delete(test);
        this.owners.delete(test);
      },
      keepTexts: async (test, texts) => void this.texts.set(test, texts),
      findTexts: async (test) => this.texts.get(test),
    };
  }

  #takeOver(test: string, tab: string): StoredAttempt | undefined {
    const ofTest = [...this.handovers].filter(([, entry]) => entry.test === test);
    const entries = ofTest.map(([tab, { handover }]) => ({ tab, handover }));
    const { attempt, handover } = takeOver(this.kept.get(test), entries, this.owners.get(test), tab);
    for (const [other] of ofTest) this.handovers.delete(other);
    if (handover !== undefined) this.handovers.set(tab, { test, handover });
    return attempt;
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
