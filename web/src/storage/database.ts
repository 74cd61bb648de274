// The browser's database, which may refuse, fail, break off or never answer: a caller always hears something, and soon.

import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { AttemptRecord, StoredTexts } from "../exam/ports";
import type { Command, StoredDrawing } from "../exam/protocol";

interface Schema extends DBSchema {
  attempts: { key: string; value: AttemptRecord };
  commands: { key: [string, string]; value: Command };
  /** By attempt and question, as the server has them. */
  drawings: { key: [string, string]; value: StoredDrawing };
  /** Which tab owns an attempt: the one that claimed it last. */
  owners: { key: string; value: string };
  texts: { key: string; value: StoredTexts };
}

export type OpenDatabase = IDBPDatabase<Schema>;

const NAME = "examhall";
const VERSION = 1;
/** What has not been done by then counts as failed, though it may still be done. */
const ANSWER_MS = 3_000;

/** The browser keeps nothing for this page, and so nothing can be there. */
class StorageRefused extends Error {}

export class Database {
  #opening: Promise<OpenDatabase> | undefined;

  /** Rejects when the browser refuses, or does not answer in time; what comes later serves the next. */
  open(): Promise<OpenDatabase> {
    if (this.#opening !== undefined) return this.#opening;
    const opened = opening(() => (this.#opening = undefined));
    const inTime = within(opened);
    this.#opening = inTime;
    opened.then(
      () => (this.#opening = opened),
      () => (this.#opening = undefined),
    );
    return inTime;
  }

  /** Does this with the database; a second time with a new connection when the first has broken off. */
  async use<T>(work: (database: OpenDatabase) => Promise<T>): Promise<T> {
    const attempt = async () => {
      const database = await this.open();
      return within(work(database));
    };
    return attempt().catch((error: unknown) => {
      if (error instanceof StorageRefused || error instanceof DatabaseTimeout) throw error;
      // Left open, each would stay for as long as the page.
      void this.#opening?.then((database) => database.close(), () => {});
      this.#opening = undefined;
      return attempt();
    });
  }

  /** The same, where a browser that keeps nothing has `nothing`. */
  async read<T>(nothing: T, work: (database: OpenDatabase) => Promise<T>): Promise<T> {
    return this.use(work).catch((error: unknown) => {
      if (error instanceof StorageRefused) return nothing;
      throw error;
    });
  }
}

class DatabaseTimeout extends Error {}

function within<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DatabaseTimeout("the browser's database does not answer")), ANSWER_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

async function opening(ended: () => void): Promise<OpenDatabase> {
  try {
    return await openDB<Schema>(NAME, VERSION, {
      upgrade(database) {
        database.createObjectStore("attempts");
        database.createObjectStore("commands");
        database.createObjectStore("drawings");
        database.createObjectStore("owners");
        database.createObjectStore("texts");
      },
      terminated: ended,
    });
  } catch (error) {
    // No database at all, or none for this page: by its settings, or in a private window.
    const isRefused = typeof indexedDB === "undefined" || ["SecurityError", "InvalidStateError"].includes((error as Error).name);
    throw isRefused ? new StorageRefused() : error;
  }
}
