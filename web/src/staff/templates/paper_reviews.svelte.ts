// What reviewers have decided on the questions of a paper, which is approved where it is read: a question at a time, and never
// over what somebody else has decided meanwhile.

import { get, send, type Answer } from "../api";
import { changesBetween } from "../questions/draft";
import type { FullTemplate, TemplateQuestion } from "./shapes";
import { questionsOfForms, type Decisions } from "./standing";

/** A bank of thousands of questions is several megabytes. */
const PATIENCE_MS = 60_000;

/** `meanwhile`: somebody else has decided, which is shown from now on. `edited`: it is not the question any more that the page shows. */
export type PaperApproval = { kind: "done" | "meanwhile" | "edited" } | { kind: "failed"; answer: Answer<unknown> };

export class PaperReviews {
  /** Undefined until those of all grades are known. */
  decisions = $state.raw<Decisions>();
  /** Those that the reader has written, which somebody else has to approve. */
  #own = $state.raw<ReadonlySet<string>>(new Set());

  async load(template: FullTemplate): Promise<void> {
    const grades = [...new Set([...template.grades, ...questionsOfForms(template).map(({ grade }) => grade)])];
    const answers = await Promise.all(grades.map((grade) => get("/api/review/questions", { grade }, PATIENCE_MS)));
    const known = answers.flatMap((answer) => (answer.kind === "done" ? [answer.value] : []));
    if (known.length < answers.length) return;
    this.decisions = Object.assign({}, ...known.map(({ reviews }) => reviews)) as Decisions;
    this.#own = new Set(known.flatMap(({ own = [] }) => own));
  }

  /** Whether nobody has decided on it, as far as is known. */
  isPending(id: string): boolean {
    return this.decisions !== undefined && (this.decisions[id]?.status ?? "pending") === "pending";
  }

  /** Whether it waits for a decision that the reader may give. */
  mayApprove(id: string): boolean {
    return this.isPending(id) && !this.#own.has(id);
  }

  async approve(question: TemplateQuestion): Promise<PaperApproval> {
    const { id, grade } = question;
    const now = await get("/api/review/questions", { grade, questionId: id }, PATIENCE_MS, true);
    if (now.kind !== "done") return { kind: "failed", answer: now };
    this.decisions = { ...this.decisions, ...now.value.reviews };
    if (!this.isPending(id)) return { kind: "meanwhile" };
    const present = now.value.questions.find((one) => one.id === id);
    if (present === undefined || changesBetween(question, present).length > 0) return { kind: "edited" };
    return this.#decide(question, "approved");
  }

  /** Takes an approval back. */
  async withdraw(question: TemplateQuestion): Promise<Answer<unknown>> {
    const outcome = await this.#decide(question, "pending");
    return outcome.kind === "failed" ? outcome.answer : { kind: "done", value: undefined };
  }

  async #decide({ id, grade }: TemplateQuestion, status: "approved" | "pending"): Promise<PaperApproval> {
    const answer = await send("POST", "/api/review/submit", { questionId: id, grade, status, note: "" });
    if (answer.kind !== "done") return { kind: "failed", answer };
    this.decisions = { ...this.decisions, [id]: { status } };
    return { kind: "done" };
  }
}
