// The questions of one grade on a reviewer's page: loaded, refreshed, decided on and edited, without overwriting what others do meanwhile.

import { get, send, type Answer } from "../api";
import { me } from "../me.svelte";
import { now } from "../serverClock";
import { seenIn, UNREVIEWED, type Bank, type BankQuestion, type QuestionEdit, type Figures, type Review, type ReviewState, type Seen } from "./bank";
import { questionDraftOf, seenOf, updatesOf, type Updates } from "./draft";
import { readMarks, type MarkSheet } from "./marks/marks";
import { isSameReview, meanwhile, type Meanwhile } from "./meanwhile";
import { rowsOf } from "./rows";

type NotDone = { kind: "meanwhile"; found: Meanwhile } | { kind: "failed"; answer: Answer<unknown> };
/** What became of a decision. */
export type ReviewOutcome = { kind: "done" } | NotDone;
/** What became of an edit, with the question as it is then. */
export type EditOutcome = { kind: "done"; after: BankQuestion } | NotDone;

const REFRESH_MS = 120_000;
/** A bank of thousands of questions on a slow line, and the server counts thousands of tests for the figures. */
const PATIENCE_MS = 130_000;
/** As the server answers when somebody was faster. */
const CHANGED: Answer<never> = { kind: "refused", status: 412, error: "", body: undefined };

export class Inbox {
  grade = $state<number>();
  bank = $state.raw<Bank>();
  /** Why there is no bank, or no newer one. */
  problem = $state.raw<Answer<unknown>>();
  figures = $state.raw<ReadonlyMap<string, Figures>>(new Map());
  figuresProblem = $state.raw<Answer<unknown>>();
  edits = $state.raw<QuestionEdit[]>();
  editsProblem = $state.raw<Answer<unknown>>();
  /** Undefined until they are known, and null if they could not be read. */
  marks = $state.raw<MarkSheet | null>();
  /** When the bank was read, on the clock of `performance`. */
  at = $state(0);
  isReading = $state(false);
  rows = $derived(this.bank === undefined ? [] : rowsOf(this.bank, this.figures, this.marks ?? undefined));
  /** Counts the readings, since the answer to an earlier one may come after that to a later one. */
  #turn = 0;

  async open(grade: number): Promise<void> {
    if (grade !== this.grade) {
      [this.bank, this.problem, this.figures, this.figuresProblem] = [undefined, undefined, new Map(), undefined];
      [this.edits, this.editsProblem, this.marks] = [undefined, undefined, undefined];
    }
    this.grade = grade;
    await this.refresh();
  }

  async refresh(): Promise<void> {
    await Promise.all([this.read(), this.#readFigures(), this.readMarks()]);
  }

  async readMarks(): Promise<void> {
    const grade = this.grade;
    const found = grade === undefined ? undefined : await readMarks(grade);
    // What was known stays, also if it may be a little old.
    if (grade === this.grade) this.marks = found ?? this.marks ?? null;
  }

  /** Reads the bank and the reviews as they are now. */
  async read(isForAct = false): Promise<Answer<Bank>> {
    const turn = (this.#turn += 1);
    this.isReading = true;
    const answer = await get("/api/review/questions", { grade: this.grade }, PATIENCE_MS, isForAct);
    if (turn !== this.#turn) return answer;
    this.isReading = false;
    if (answer.kind === "done") [this.bank, this.at, this.problem] = [answer.value, performance.now(), undefined];
    else this.problem = answer;
    return answer;
  }

  async #readFigures(): Promise<void> {
    const grade = this.grade;
    const answer = await get("/api/admin/items", { grade }, PATIENCE_MS);
    if (grade !== this.grade) return;
    if (answer.kind === "done") [this.figures, this.figuresProblem] = [new Map(answer.value.items.map((item) => [item.questionId, item])), undefined];
    else this.figuresProblem = answer;
  }

  async readEdits(): Promise<void> {
    const grade = this.grade;
    const answer = await get("/api/review/edit", { grade }, PATIENCE_MS);
    if (grade !== this.grade) return;
    if (answer.kind === "done") [this.edits, this.editsProblem] = [answer.value.editLog, undefined];
    else this.editsProblem = answer;
  }

  /** Reads again now and then while somebody looks. Returns how to stop. */
  follow(): () => void {
    const due = () => {
      if (!document.hidden && this.grade !== undefined && performance.now() - this.at >= REFRESH_MS && !this.isReading) void this.read();
    };
    const timer = setInterval(due, REFRESH_MS / 12);
    document.addEventListener("visibilitychange", due);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", due);
    };
  }

  /** Decides on a question as it was seen. */
  async decide(seen: Seen, status: ReviewState, note: string): Promise<ReviewOutcome> {
    const answer = await this.read(true);
    if (answer.kind !== "done") return { kind: "failed", answer };
    const found = meanwhile(seen, answer.value);
    return found === undefined ? this.#submit(seen.question, status, note) : { kind: "meanwhile", found };
  }

  /** Puts back the review that a decision took the place of, unless somebody else has decided since. */
  async takeBack({ question, review: earlier }: Seen, decided: Review): Promise<Answer<unknown>> {
    const answer = await this.#readOf(question);
    if (answer.kind !== "done") return answer;
    if (!isSameReview(answer.value.reviews[question.id] ?? UNREVIEWED, decided)) return CHANGED;
    const outcome = await this.#submit(question, earlier.status, earlier.note ?? "");
    return outcome.kind === "failed" ? outcome.answer : { kind: "done", value: undefined };
  }

  async #submit(question: BankQuestion, status: ReviewState, note: string): Promise<ReviewOutcome> {
    const answer = await send("POST", "/api/review/submit", { questionId: question.id, grade: question.grade, status, note });
    if (answer.kind !== "done") return { kind: "failed", answer };
    if (this.bank !== undefined && this.grade === question.grade) {
      const review = this.own(status, note);
      this.bank = { ...this.bank, reviews: { ...this.bank.reviews, [question.id]: review } };
    }
    return { kind: "done" };
  }

  /** A decision of the user's own, as the server has it from now on. */
  own(status: ReviewState, note: string): Review {
    const { email = "", name = "" } = me() ?? {};
    return { status, note, reviewedBy: email, reviewedByName: name, reviewedAt: new Date(now()).toISOString() };
  }

  /** Edits a question as it was seen. */
  async edit(before: BankQuestion, updates: Updates, comment: string): Promise<EditOutcome> {
    const answer = await this.#readOf(before);
    if (answer.kind !== "done") return { kind: "failed", answer };
    const found = this.#changed(before, answer.value);
    if (found !== undefined) return { kind: "meanwhile", found };
    const sent = await this.#sendEdit(before, updates, comment);
    if (sent.kind === "done") {
      this.edits = undefined;
      const read = await this.#readOf(before);
      const present = read.kind === "done" ? seenIn(read.value, before.id)?.question : undefined;
      // The server keeps the order of options that ask for it since this edit.
      const fixedOptions = present?.fixedOptions ?? updates.fixedOptions ?? before.fixedOptions ?? false;
      return { kind: "done", after: { ...before, ...updates, fixedOptions } };
    }
    // Somebody was faster than the two requests.
    const again = sent.kind === "refused" && sent.status === 409 ? await this.#readOf(before) : undefined;
    const later = again?.kind === "done" ? this.#changed(before, again.value) : undefined;
    return later === undefined ? { kind: "failed", answer: sent } : { kind: "meanwhile", found: later };
  }

  /** Edits the question back to what it was before an edit, unless somebody has changed it since. */
  async editBack(before: BankQuestion, after: BankQuestion, comment: string): Promise<Answer<unknown>> {
    const outcome = await this.edit(after, updatesOf(after, questionDraftOf(before)), comment);
    if (outcome.kind === "meanwhile") return CHANGED;
    return outcome.kind === "failed" ? outcome.answer : { kind: "done", value: undefined };
  }

  /** With the earlier values, so that the server can refuse to overwrite others. */
  #sendEdit(before: BankQuestion, updates: Updates, comment: string): Promise<Answer<unknown>> {
    const { id: questionId, grade } = before;
    return send("POST", "/api/review/edit", { questionId, grade, comment, updates, before: seenOf(before) });
  }

  /** What others have changed in the texts; an edit leaves the review as it is. */
  #changed(before: BankQuestion, bank: Bank): Meanwhile | undefined {
    const present = seenIn(bank, before.id);
    return meanwhile({ question: before, review: present?.review ?? UNREVIEWED }, bank);
  }

  /** The bank of the question's own grade, which the page may have left since. */
  #readOf({ grade }: BankQuestion): Promise<Answer<Bank>> {
    return grade === this.grade ? this.read(true) : get("/api/review/questions", { grade }, PATIENCE_MS, true);
  }
}
