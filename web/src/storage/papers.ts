// Stores what a device keeps of a sitting until it begins. It is a database of its own: the attempts' one can't change its
// form while a page of an older build has it open.

import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { KeptPlace, PaperStore } from "../sitting/ports";

interface Schema extends DBSchema {
  /** By SHA-256. */
  parts: { key: string; value: { bytes: ArrayBuffer; keptAt: number } };
  /** By attempt. */
  places: { key: string; value: KeptPlace };
}

const NAME = "examhall-papers";
/** Papers of sittings that were never sat on this device are deleted after this time. */
const KEPT_MS = 14 * 24 * 3_600_000;
/** A database that has not answered by then counts as broken. */
const ANSWER_MS = 3_000;

export class BrowserPaperStore implements PaperStore {
  #opening: Promise<IDBPDatabase<Schema>> | undefined;

  async findPart(sha256: string): Promise<ArrayBuffer | undefined> {
    return (await this.#use((database) => database.get("parts", sha256)))?.bytes;
  }

  async keepPart(sha256: string, bytes: ArrayBuffer): Promise<void> {
    await this.#use(async (database) => {
      const store = database.transaction("parts", "readwrite").store;
      for (let part = await store.openCursor(); part !== null; part = await part.continue()) if (part.value.keptAt < Date.now() - KEPT_MS) await part.delete();
      await store.put({ bytes, keptAt: Date.now() }, sha256);
    });
  }

  async forgetPart(sha256: string): Promise<void> {
    await this.#use((database) => database.delete("parts", sha256));
  }

  findPlace(attempt: string): Promise<KeptPlace | undefined> {
    return this.#use((database) => database.get("places", attempt));
  }

  async keepPlace(attempt: string, place: KeptPlace): Promise<void> {
    await this.#use((database) => database.put("places", place, attempt));
  }

  async forgetPlace(attempt: string): Promise<void> {
    await this.#use(async (database) => {
      const transaction = database.transaction(["parts", "places"], "readwrite");
      const place = await transaction.objectStore("places").get(attempt);
      for (const { sha256 } of place?.waiting.sealed ?? []) await transaction.objectStore("parts").delete(sha256);
      await transaction.objectStore("places").delete(attempt);
      await transaction.done;
    });
  }

  #use<T>(work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
    this.#opening ??= openDB<Schema>(NAME, 1, {
      upgrade(database) {
        database.createObjectStore("parts");
        database.createObjectStore("places");
      },
      terminated: () => (this.#opening = undefined),
    });
    const opened = this.#opening;
    opened.catch(() => (this.#opening = undefined));
    return within(opened.then(work));
  }
}

function within<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the browser's database does not answer")), ANSWER_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Whether the browser really keeps things: something is written to both of its stores, and read again. */
export async function canKeep(): Promise<boolean> {
  const mark = String(Date.now());
  try {
    localStorage.setItem("examhall-check", mark);
    const isThere = localStorage.getItem("examhall-check") === mark;
    localStorage.removeItem("examhall-check");
    const store = new BrowserPaperStore();
    const bytes = new TextEncoder().encode(mark).buffer;
    await store.keepPart(`check-${mark}`, bytes);
    const found = await store.findPart(`check-${mark}`);
    await store.forgetPart(`check-${mark}`);
    return isThere && found !== undefined && new TextDecoder().decode(found) === mark;
  } catch {
    return false;
  }
}
