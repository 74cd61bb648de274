// The corrections that concern the results of a page. Their progress is polled while the server is still at work on one.

import { get, type Answer } from "../../api";
import { correctionsQuery, type Correction } from "./correction";
import type { ResultsOf } from "../../halls";

const POLL_MS = 1_000;
/** The reader may not see them, or this server keeps none: then there is nothing to show, and nothing to try again. */
const NONE_HERE = [403, 404, 501];

export class Corrections {
  list = $state.raw<Correction[]>([]);
  /** Why there are none, or no newer ones. */
  problem = $state.raw<Exclude<Answer<unknown>, { kind: "done" }>>();
  isUnderWay = $derived(this.list.some(isUnderWay));
  #of: ResultsOf | undefined;
  /** Counts what was asked and told, since an answer may be older than what is known by now. */
  #turn = 0;
  #isReading = false;

  /** `finished` is told of each correction, applied or taken back, on whose results the server has done its work. */
  constructor(private finished: (correction: Correction) => void) {}

  /** Shows the corrections of other results; of none where the reader may make none. */
  async open(of: ResultsOf | undefined): Promise<void> {
    if (JSON.stringify(of) === JSON.stringify(this.#of)) return;
    [this.#of, this.list, this.problem] = [of, [], undefined];
    this.#turn += 1;
    await this.read();
  }

  async read(): Promise<void> {
    const of = this.#of;
    if (of === undefined) return;
    const turn = (this.#turn += 1);
    this.#isReading = true;
    const answer = await get("/api/manager/corrections", correctionsQuery(of));
    this.#isReading = false;
    if (turn !== this.#turn) return;
    if (answer.kind === "refused" && NONE_HERE.includes(answer.status)) return;
    if (answer.kind !== "done") return void (this.problem = answer);
    const before = this.list;
    [this.list, this.problem] = [answer.value.corrections, undefined];
    for (const one of this.list) if (!isUnderWay(one) && before.some((other) => other.id === one.id && isUnderWay(other))) this.finished(one);
  }

  /** Puts what the server has just answered into the list. */
  take(correction: Correction): void {
    this.#turn += 1;
    this.list = [correction, ...this.list.filter(({ id }) => id !== correction.id)].sort((one, other) => other.at.localeCompare(one.at));
    if (!isUnderWay(correction)) this.finished(correction);
  }

  /** Polls while a correction is under way and somebody looks. Returns how to stop. */
  follow(): () => void {
    const timer = setInterval(() => {
      if (this.isUnderWay && !document.hidden && !this.#isReading) void this.read();
    }, POLL_MS);
    return () => clearInterval(timer);
  }
}

function isUnderWay({ progress }: Correction): boolean {
  return !progress.finished;
}
