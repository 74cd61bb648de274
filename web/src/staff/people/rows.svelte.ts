// The list that is being pasted: its rows, what each would do, and how far that has come.

import { takeAll, type PeopleStep } from "./steps";
import { listed, listText, planned, type ListColumn, type ListRow, type PlannedRow } from "./list";
import { People, reasonOf } from "./people.svelte";

/** How the steps of a row have ended; undefined while they wait. */
export interface RowEnd {
  isDone: boolean;
  why: string;
}

export class PastedPeople {
  readonly people: People;
  readonly #self: string;
  #text = $state("");
  #rows = $state.raw<ListRow[]>([]);
  isRunning = $state(false);
  isStopping = $state(false);
  /** By the number of the row. Empty until the list is put to work. */
  ends = $state.raw<Map<number, RowEnd>>(new Map());
  /** The rows that are put to work, as they were when that began. */
  #running = $state.raw<PlannedRow[]>([]);
  /** Steps of those rows that are done, also of rows that failed at a later step: nobody can be made a user twice. */
  #taken = new Set<PeopleStep>();
  readonly #opened = new Set<number>();

  readonly #planned = $derived.by(() => planned(this.#rows, new Map((this.people.all ?? []).map((person) => [person.email, person])), this.#self));

  constructor(people: People, self: string) {
    this.people = people;
    this.#self = self;
  }

  get text(): string {
    return this.#text;
  }

  set text(text: string) {
    this.#text = text;
    this.#opened.clear();
    this.#rows = listed(text);
    this.#begin();
  }

  /** Rows that have had a fault since the list was pasted: they keep their place and their fields while they are mended. */
  readonly mendable: Set<number> = $derived.by(() => {
    for (const { number, faults } of this.#planned) if (faults.length > 0) this.#opened.add(number);
    return new Set(this.#opened);
  });

  /** While the list is put to work and afterwards, the rows are as they were before. */
  get rows(): PlannedRow[] {
    return this.hasBegun ? this.#running : this.#planned;
  }

  get hasBegun(): boolean {
    return this.#running.length > 0;
  }

  get faulty(): PlannedRow[] {
    return this.rows.filter(({ faults }) => faults.length > 0);
  }

  /** Those that change something. */
  get effective(): PlannedRow[] {
    return this.rows.filter(({ steps }) => steps.length > 0);
  }

  get doneCount(): number {
    return [...this.ends.values()].filter(({ isDone }) => isDone).length;
  }

  get failed(): PlannedRow[] {
    return this.effective.filter(({ number }) => this.ends.get(number)?.isDone === false);
  }

  get left(): PlannedRow[] {
    return this.effective.filter(({ number }) => this.ends.get(number)?.isDone !== true);
  }

  mend(number: number, column: ListColumn, value: string): void {
    this.#rows = this.#rows.map((row) => (row.number === number ? { ...row, cells: { ...row.cells, [column]: value.trim() } } : row));
    this.#text = listText(this.#rows);
    this.#begin();
  }

  #begin(): void {
    [this.ends, this.#running, this.#taken] = [new Map(), [], new Set()];
  }

  /** Takes the steps row by row, those that are left from an earlier time too. Returns all that was done now. */
  async run(): Promise<PeopleStep[]> {
    if (this.isRunning) return [];
    if (!this.hasBegun) this.#running = this.#planned;
    [this.isRunning, this.isStopping] = [true, false];
    const rows = this.left;
    const { done } = await takeAll(
      rows.map(({ steps }) => steps.filter((step) => !this.#taken.has(step))),
      (index, answer) => {
        const { number } = rows[index] as PlannedRow;
        this.ends = new Map(this.ends).set(number, { isDone: answer.kind === "done", why: answer.kind === "done" ? "" : reasonOf(answer) });
        return !this.isStopping;
      },
    );
    for (const step of done) this.#taken.add(step);
    await this.people.read();
    this.isRunning = false;
    return done;
  }

  stop(): void {
    this.isStopping = true;
  }

  /** Back to the list, with what has been done known as done. */
  edit(): void {
    this.#begin();
  }
}
