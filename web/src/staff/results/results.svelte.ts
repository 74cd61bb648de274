// The results that a page shows: loaded, refreshed while somebody is at work, and kept when a refresh fails.

import { get, type Answer } from "../api";
import { isUnderWay, type Results } from "./answer";
import type { SourceQuery } from "./source";

const REFRESH_MS = 60_000;
/** As long as the server lets callers wait for their turn, and then works on thousands of tests. */
const PATIENCE_MS = 100_000;

export class LoadedResults {
  results = $state.raw<Results>();
  /** Why there are none, or no newer ones. */
  problem = $state.raw<Exclude<Answer<Results>, { kind: "done" }>>();
  /** When these were loaded, on the clock of `performance`. */
  at = $state(0);
  isLoading = $state(false);
  isUnderWay = $derived(this.results !== undefined && isUnderWay(this.results));
  #query: SourceQuery = {};
  /** Counts the requests, since the answer to an earlier one may come after that to a later one. */
  #turn = 0;

  /** Shows results of something else, or of other days. Those of before do not stay under the new heading. */
  async open(query: SourceQuery): Promise<void> {
    if (JSON.stringify(query) !== JSON.stringify(this.#query)) [this.results, this.problem] = [undefined, undefined];
    this.#query = query;
    await this.refresh();
  }

  async refresh(): Promise<void> {
    const turn = (this.#turn += 1);
    this.isLoading = true;
    const answer = await get("/api/manager/results", this.#query, PATIENCE_MS);
    if (turn !== this.#turn) return;
    this.isLoading = false;
    if (answer.kind === "done") {
      this.results = answer.value as Results;
      this.at = performance.now();
      this.problem = undefined;
    } else {
      this.problem = answer;
      // What may no longer be seen is not left on the screen.
      if (answer.kind === "refused" && answer.status < 500 && answer.status !== 429) this.results = undefined;
    }
  }

  /** Refreshes each minute while somebody is at work and somebody looks. Returns how to stop. */
  follow(): () => void {
    const due = () => {
      if (!document.hidden && this.isUnderWay && performance.now() - this.at >= REFRESH_MS && !this.isLoading) void this.refresh();
    };
    const timer = setInterval(due, REFRESH_MS / 12);
    document.addEventListener("visibilitychange", due);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", due);
    };
  }
}
