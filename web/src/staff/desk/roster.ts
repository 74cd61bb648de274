// The rows of a room as the desk has them. Thousands may change many times a second, so what arrives is put aside, the latest of
// each row, and is taken over once for each painted frame; counts are kept by difference and not counted again.

import type { RowDifference, RoomCounts } from "./frames";
import type { Picture } from "./watcher";
import { Heat } from "./heat";
import { isHere, type KeyOf, type Row, type RowState } from "./row";
import type { Unheard } from "./unheard.svelte";

/** Rows that are taken over in one frame: the rest waits for the next one. */
const AT_ONCE = 1_500;

export type RosterCounts = Record<RowState, number> & {
  total: number;
  /** Of those who are here: have entered, and have not handed in. */
  here: number;
  /** Of those who are here. */
  offline: number;
  away: number;
  /** Neither entered nor marked. */
  unmarked: number;
};

/** Rows leave these out where there are none, and differences have null then. */
const OPTIONAL = ["late", "sittingId", "candidateId", "ready", "room", "seat", "form", "factor", "extraMinutes", "note", "attendance", "attendanceBy", "admittedBy", "wrongCodes"] as const;

const NONE: RosterCounts = { total: 0, here: 0, offline: 0, away: 0, unmarked: 0, expected: 0, waiting: 0, ready: 0, active: 0, paused: 0, submitted: 0, absent: 0 };

export class Roster implements Picture {
  rows = new Map<string, Row>();
  counts: RosterCounts = { ...NONE };
  heat = new Heat();
  /** What the server counts of rows whose progress this desk does not have. */
  counted: RoomCounts | undefined;
  /** Milliseconds of the server's clock since which a row has had no connection, as far as this desk has seen it. */
  offlineSince = new Map<string, number>();
  /** Counts changes of who is there and of where they sit: only then must a list be put in order again. */
  shape = 0;
  #pending = new Map<string, Row | undefined>();
  #pendingAt = 0;
  #keys = new Map<number, string>();
  #isWhole = true;

  /** `onchange` is called whenever something waits to be taken over. */
  constructor(
    readonly keyOf: KeyOf,
    private onchange: () => void = () => {},
    private unheard?: Unheard,
  ) {}

  replace(rows: Row[]): void {
    this.#pending.clear();
    this.#keys.clear();
    this.counted = undefined;
    for (const row of rows) this.#put(row);
    for (const key of this.rows.keys()) if (!this.#pending.has(key)) this.#pending.set(key, undefined);
    this.#isWhole = true;
    this.onchange();
  }

  change(rows: Row[], removed: string[], serverTime: string): void {
    // Removed and then set again is set: what is set last goes last.
    for (const key of removed) this.#pending.set(key, undefined);
    for (const row of rows) this.#put(row);
    this.#pendingAt = Date.parse(serverTime) || this.#pendingAt;
    if (this.#pending.size > 0) this.onchange();
  }

  differ(differences: RowDifference[]): void {
    for (const { n, ...fields } of differences) {
      const key = this.#keys.get(n);
      if (key === undefined) continue;
      const before = this.#pending.has(key) ? this.#pending.get(key) : this.rows.get(key);
      // Who has left and come back has another number.
      if (before?.n !== n) continue;
      const row = { ...before, ...fields } as Row;
      for (const name of OPTIONAL) if (row[name] === null) delete row[name];
      this.#pending.set(key, row);
    }
    if (this.#pending.size > 0) this.onchange();
  }

  /** The numbers of rows that stand in the page; undefined if the server gives none. */
  numbersOf(keys: Iterable<string>): number[] | undefined {
    const numbers: number[] = [];
    for (const key of keys) {
      const n = this.rows.get(key)?.n;
      if (n !== undefined) numbers.push(n);
    }
    return this.#keys.size === 0 ? undefined : numbers;
  }

  #put(row: Row): void {
    const key = this.keyOf(row);
    this.#pending.set(key, row);
    if (row.n !== undefined) this.#keys.set(row.n, key);
  }

  get hasPending(): boolean {
    return this.#pending.size > 0;
  }

  /** Takes over what has arrived, a part of it if it is much. Returns the keys that changed. */
  apply(atOnce = this.#isWhole ? Infinity : AT_ONCE): string[] {
    const changed: string[] = [];
    for (const [key, row] of this.#pending) {
      if (changed.length >= atOnce) break;
      this.#pending.delete(key);
      if (key !== "") this.#set(key, row);
      changed.push(key);
    }
    this.#isWhole &&= this.#pending.size > 0;
    return changed;
  }

  #set(key: string, row: Row | undefined): void {
    const before = this.rows.get(key);
    if (before !== undefined) this.#count(before, -1);
    this.heat.change(before, row);
    this.unheard?.note(key, before, row, this.offlineSince.get(key), this.#pendingAt);
    if (row === undefined) {
      this.rows.delete(key);
      this.offlineSince.delete(key);
      if (before !== undefined) this.shape += 1;
      return;
    }
    this.rows.set(key, row);
    this.#count(row, 1);
    if (row.connected) this.offlineSince.delete(key);
    else if (before?.connected === true && this.#pendingAt > 0) this.offlineSince.set(key, this.#pendingAt);
    if (before === undefined || before.seat !== row.seat || before.room !== row.room || before.student !== row.student) this.shape += 1;
  }

  #count(row: Row, by: 1 | -1): void {
    const { counts } = this;
    counts.total += by;
    counts[row.state] = (counts[row.state] ?? 0) + by;
    if (row.state === "expected" && row.attendance === undefined) counts.unmarked += by;
    if (!isHere(row)) return;
    counts.here += by;
    if (!row.connected) counts.offline += by;
    if (row.away) counts.away += by;
  }
}
