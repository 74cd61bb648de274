// Loads what waits for the user, each part from where the server has it and only for those who may see it.

import { get, send, type Answer } from "../api";
import { isAdmin, isManager, isStaff, me } from "../me.svelte";
import { reviewWork, type ByGrade, type GradeProgress, type ReviewWork } from "./waiting";

export interface FailedDelivery {
  id: string;
  url: string;
  lastError: string | null;
  createdAt: string;
}

const NOTHING: ReviewWork = { pending: [], flagged: [], unsigned: [], changed: [] };

export class TodayWork {
  review = $state.raw<ReviewWork>(NOTHING);
  /** How far the review of each grade is, for managers. */
  progress = $state.raw<GradeProgress[]>([]);
  failed = $state.raw<{ deliveries: FailedDelivery[]; total: number }>({ deliveries: [], total: 0 });
  /** Students who sit a test of a grade without a sitting. */
  atWork = $state.raw<ByGrade>([]);
  loadedAt = $state<number>();
  failure = $state.raw<Answer<unknown>>();

  async load(): Promise<void> {
    const answers = await Promise.all([this.#loadReview(), this.#loadFailed(), this.#loadAtWork()]);
    this.failure = answers.flat().find(({ kind }) => kind !== "done");
    if (this.failure === undefined) this.loadedAt = performance.now();
  }

  async #loadReview(): Promise<Answer<unknown>[]> {
    if (!isManager()) return me()?.role === "reviewer" ? this.#loadPending() : [];
    const [stats, approvals] = await Promise.all([
      get("/api/manager/stats"),
      get("/api/manager/approvals"),
    ]);
    if (stats.kind === "done" && approvals.kind === "done") {
      this.progress = stats.value.perGrade;
      this.review = reviewWork(stats.value.perGrade, approvals.value.approvals, me()?.email ?? "", isAdmin());
    }
    return [stats, approvals];
  }

  /** A reviewer's own grades, one after the other: each answer has the whole bank of its grade. */
  async #loadPending(): Promise<Answer<unknown>[]> {
    const pending: ByGrade = [];
    for (const grade of me()?.grades ?? []) {
      const answer = await get("/api/review/questions", { grade });
      if (answer.kind !== "done") return [answer];
      const count = Object.values(answer.value.reviews).filter(({ status }) => status === "pending").length;
      if (count > 0) pending.push({ grade, count });
    }
    this.review = { ...NOTHING, pending };
    return [];
  }

  async #loadFailed(): Promise<Answer<unknown>[]> {
    if (!isAdmin()) return [];
    const answer = await get("/api/admin/webhooks", { status: "failed" });
    if (answer.kind === "done") this.failed = answer.value;
    return [answer];
  }

  async #loadAtWork(): Promise<Answer<unknown>[]> {
    const grades = isStaff() ? (me()?.grades ?? []) : [];
    const asked = await Promise.all(grades.map((grade) => get("/api/live/sessions", { grade })));
    this.atWork = grades.flatMap((grade, index) => {
      const answer = asked[index];
      const count = answer?.kind === "done" ? answer.value.sessions.filter(({ sittingId }) => sittingId == null).length : 0;
      return count === 0 ? [] : [{ grade, count }];
    });
    return asked;
  }

  /** Sends the failed messages on this page of them once more. Returns how many are on their way, or what went wrong. */
  async sendAgain(): Promise<number | Answer<unknown>> {
    const answers = await Promise.all(this.failed.deliveries.map(({ id }) => send("POST", "/api/admin/webhooks/{id}/replay", undefined, { params: { id } })));
    await this.#loadFailed();
    return answers.find(({ kind }) => kind !== "done") ?? answers.length;
  }
}
