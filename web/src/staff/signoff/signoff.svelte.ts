// The grades that the caller signs off, as a page has them open: read again and again, and decided on only as they were shown.

import { SvelteMap } from "svelte/reactivity";
import { get, send, type Answer } from "../api";
import { me } from "../me.svelte";
import { coverOf, hasSameStates, isSameBank, isSameCover, toGiveAgain, type ReviewCounts, type Cover } from "./cover";
import { changesSince, ownDecision, sealOf, standing, type Seal, type Since } from "./seal";
import { APPROVALS, EDITS, QUESTIONS, STATS } from "./shapes";
import type { Approval, ApprovalStatus, ReviewedBank, GradeWork } from "./shapes";

/** The questions of ten grades are much to read, so those of which the figures are the same are read this often. */
const BANKS_MS = 120_000;
const PATIENCE_MS = 60_000;
const HAS_CHANGED: Answer<never> = { kind: "refused", status: 412, error: "", body: undefined };

/** What became of a decision. */
export type DecisionOutcome =
  | { kind: "failed"; answer: Answer<unknown> }
  /** The grade is no longer as it was shown, and nothing has been sent. */
  | { kind: "differs"; cover: Cover }
  /** `other` are the figures that the decision covers, if they are not those that were shown. */
  | { kind: "decided"; undo: (() => Promise<Answer<unknown>>) | undefined; other: Omit<ReviewCounts, "total"> | undefined };

export class SignOff {
  /** Undefined until they have been read once. */
  grades = $state.raw<GradeWork[]>();
  approvals = $state.raw<Approval[]>([]);
  banks = new SvelteMap<number, ReviewedBank>();
  /** Comments that have been typed and not sent. */
  drafts = new SvelteMap<number, string>();
  failed = $state.raw<Answer<unknown>>();
  /** When the oldest of what is shown was read, on the clock of `performance`. */
  readAt = $state<number>();
  /** Found once for all who ask, since a bank may have ten thousand questions. */
  #since = $derived(new Map([...this.banks].map(([grade, bank]) => [grade, changesSince(this.decisionOn(grade), bank)])));
  #banksAt = new Map<number, number>();
  #isReading = false;
  /** An answer that was asked for before a decision says less than what has been read after it. */
  #turn = 0;

  /** Of all grades of the caller, or of one `only`. */
  constructor(readonly only?: number) {}

  async read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    const failures = await this.#readAll();
    this.failed = failures[0];
    this.#isReading = false;
  }

  async #readAll(): Promise<Answer<unknown>[]> {
    const [turn, startedAt] = [this.#turn, performance.now()];
    const [stats, approvals] = await Promise.all([get(STATS), get(APPROVALS)]);
    if (stats.kind !== "done") return [stats];
    if (approvals.kind !== "done") return [approvals];
    const grades = stats.value.perGrade.filter(({ grade }) => this.only === undefined || grade === this.only);
    const due = grades.filter((work) => this.#isDue(work));
    if (turn === this.#turn) [this.grades, this.approvals] = [grades, approvals.value.approvals];
    const failures: Answer<unknown>[] = [];
    // One after the other: each answer has all questions of its grade.
    for (const { grade } of due) {
      const answer = await this.#readBank(grade);
      if (answer.kind !== "done") failures.push(answer);
    }
    this.readAt = Math.min(startedAt, ...this.#banksAt.values());
    return failures;
  }

  #isDue(work: GradeWork): boolean {
    const before = this.grades?.find(({ grade }) => grade === work.grade);
    const isSame = before !== undefined && hasSameStates(before, work) && JSON.stringify(before.reviewers) === JSON.stringify(work.reviewers);
    return this.only !== undefined || !isSame || performance.now() - (this.#banksAt.get(work.grade) ?? -Infinity) > BANKS_MS;
  }

  async #readBank(grade: number): Promise<Answer<unknown>> {
    const startedAt = performance.now();
    const [bank, log] = await Promise.all([
      get(QUESTIONS, { grade }, PATIENCE_MS),
      get(EDITS, { grade }, PATIENCE_MS),
    ]);
    if (bank.kind !== "done") return bank;
    if (log.kind !== "done") return log;
    // An answer that was overtaken by a later one says nothing new.
    if (startedAt < (this.#banksAt.get(grade) ?? 0)) return bank;
    this.banks.set(grade, { questions: bank.value.questions, reviews: bank.value.reviews, edits: log.value.editLog });
    this.#banksAt.set(grade, startedAt);
    return bank;
  }

  /** Reads what a decision on this grade depends on. */
  async refresh(grade: number): Promise<Answer<unknown>> {
    this.#turn += 1;
    const [approvals, bank] = await Promise.all([get(APPROVALS), this.#readBank(grade)]);
    if (approvals.kind === "done") this.approvals = approvals.value.approvals;
    return approvals.kind === "done" ? bank : approvals;
  }

  decisionOn(grade: number): Approval | undefined {
    return standing(this.approvals, grade);
  }

  since(grade: number): Since | undefined {
    return this.#since.get(grade);
  }

  seal(grade: number): Seal {
    return sealOf(this.decisionOn(grade), this.since(grade));
  }

  cover(grade: number): Cover | undefined {
    const bank = this.banks.get(grade);
    return bank && coverOf(bank, this.decisionOn(grade));
  }

  #own(grade: number): Approval | undefined {
    return ownDecision(this.approvals, grade, me()?.email ?? "");
  }

  /** Decides, if the grade is still as it was `seen`. */
  async decide(grade: number, status: ApprovalStatus, comment: string, seen: Cover): Promise<DecisionOutcome> {
    const read = await this.refresh(grade);
    const [bank, cover] = [this.banks.get(grade), this.cover(grade)];
    if (read.kind !== "done" || bank === undefined || cover === undefined) return { kind: "failed", answer: read };
    if (!isSameCover(seen, cover)) return { kind: "differs", cover };
    const again = toGiveAgain(this.#own(grade), bank);
    const sent = await send("POST", APPROVALS, { grade, status, comment });
    if (sent.kind !== "done") return { kind: "failed", answer: sent };
    await this.refresh(grade);
    const [made, { approved, pending = 0, flagged = 0 }] = [this.#own(grade), sent.value];
    const other = approved === undefined || hasSameStates({ approved, pending, flagged }, seen) ? undefined : { approved, pending, flagged };
    return { kind: "decided", undo: again && (() => this.#giveAgain(again, made, seen)), other };
  }

  /** A decision can't be deleted, but the one before it can be given again, as long as it would say the same. */
  async #giveAgain({ grade, status, comment = "" }: Approval, made: Approval | undefined, seen: Cover): Promise<Answer<unknown>> {
    const read = await this.refresh(grade);
    const now = this.cover(grade);
    if (read.kind !== "done" || now === undefined) return read;
    const isCovered = status !== "approved" || isSameBank(seen, now);
    if (!isCovered || this.#own(grade)?.decidedAt !== made?.decidedAt) return HAS_CHANGED;
    const sent = await send("POST", APPROVALS, { grade, status, comment });
    if (sent.kind === "done") await this.refresh(grade);
    return sent;
  }
}
