// Who has handed in *and* is in the database. A row says that somebody has handed in a moment before it is stored, so dismissing
// a room by rows alone would be a promise that nobody has made: this asks what the database has.

import type { Row } from "./row";

export interface Records {
  /** The candidates who have handed in, as the database has them; undefined if it can't be asked, or not by this person. */
  candidates?: () => Promise<string[] | undefined>;
  /** Whether the record of a session has its end; undefined if it can't be asked now. */
  session: (sessionId: string) => Promise<boolean | undefined>;
}

/** Sessions that are asked about one by one in one look. */
const SESSIONS_AT_ONCE = 6;

export class Stored {
  #known = new Set<string>();
  #isLooking = false;

  constructor(private records: Records) {}

  has(key: string, row: Row): boolean {
    // A score is shown only of what is stored.
    return row.state === "submitted" && (row.score !== null || this.#known.has(key));
  }

  /** How many of these are stored. */
  count(rows: Iterable<[string, Row]>): number {
    let count = 0;
    for (const [key, row] of rows) if (this.has(key, row)) count += 1;
    return count;
  }

  /** Asks about those of whom it is not known. Resolves to whether anything new is. */
  async look(rows: ReadonlyMap<string, Row>): Promise<boolean> {
    const asked = [...rows].filter(([key, row]) => row.state === "submitted" && !this.has(key, row));
    if (asked.length === 0 || this.#isLooking) return false;
    this.#isLooking = true;
    try {
      return (await this.#ask(asked)).map((key) => this.#known.add(key)).length > 0;
    } finally {
      this.#isLooking = false;
    }
  }

  async #ask(asked: [string, Row][]): Promise<string[]> {
    const listed = await this.records.candidates?.();
    if (listed !== undefined) {
      const stored = new Set(listed);
      return asked.filter(([key]) => stored.has(key)).map(([key]) => key);
    }
    const some = asked.slice(0, SESSIONS_AT_ONCE);
    const found = await Promise.all(some.map(async ([key, row]) => ((await this.records.session(row.sessionId ?? "")) === true ? key : undefined)));
    return found.filter((key) => key !== undefined);
  }
}
