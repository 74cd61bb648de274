// The browser's database. It may refuse, fail, break off or never answer; this makes sure that a caller gets a result or an
// error soon.

import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { AttemptRecord, StoredTexts } from "../exam/ports";
import type { Command, StoredDrawing } from "../exam/protocol";

interface Schema extends DBSchema {
  attempts: { key: string; value: AttemptRecord };
  commands: { key: [string, string]; value: Command };
  /** The server's drawings, by attempt and question. */
  drawings: { key: [string, string]; value: StoredDrawing };
  /** The tab that owns each attempt: the one that claimed it last. */
  owners: { key: string; value: string };
  texts: { key: string; value: StoredTexts };
}

export type OpenDatabase = IDBPDatabase<Schema>;

const NAME = "examhall";
const VERSION = 1;
/** Work that takes longer counts as failed, although it may still be done later. */
const ANSWER_MS = 3_000;

/** The browser stores nothing for this page, so there can be nothing to read. */
class StorageRefused extends Error {}

export class Database {
  #opening: Promise<OpenDatabase> | undefined;

  /** Rejects if the browser refuses or takes too long. A database that opens later serves the next caller. */
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

  /** Runs this work, and once more on a new connection if the first has broken off. */
  async use<T>(work: (database: OpenDatabase) => Promise<T>): Promise<T> {
    const attempt = async () => {
      const database = await this.open();
      return within(work(database));
    };
    return attempt().catch((error: unknown) => {
      if (error instanceof StorageRefused || error instanceof DatabaseTimeout) throw error;
      // A connection that is not closed would stay open for as long as the page.
      void this.#opening?.then((database) => database.close(), () => {});
      this.#opening = undefined;
      return attempt();
    });
  }

  /** As `use`, but resolves to `nothing` in a browser that stores nothing. */
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
    // There is no database, or none for this page, because of a setting or a private window.
    const isRefused = typeof indexedDB === "undefined" || ["SecurityError", "InvalidStateError"].includes((error as Error).name);
    throw isRefused ? new StorageRefused() : error;
  }
}
