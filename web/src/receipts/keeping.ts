// Asks for a receipt when the student has left a question, and keeps the newest. Loaded while a test runs, and never in its
// way: it changes nothing of the exam, asks only once everything is saved, and says nothing when it fails.

import type { Exam } from "../exam/exam";
import type { ExamView } from "../exam/view";
import { dropFinal, finalReceipt, keepReceipt, loadRunning } from "./kept";

/** The server gives one receipt a minute, and a request may take longer on its way than the one before. */
const PAUSE_MS = 65_000;
/** What the student does first on the next question goes before. */
const SETTLE_MS = 1_500;

type Watched = Pick<ExamView, "phase" | "saving" | "questionIds" | "current">;
type Asking = () => Promise<{ receipt?: string; isGone: boolean }>;

/** Decides when to ask. Separate from the exam, so that a test needs none. */
export class ReceiptKeeper {
  #view: Watched | undefined;
  #isDue = false;
  #isAsking = false;
  /** There will be no receipt of this test. */
  #isGone = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #earliest = 0;

  constructor(
    private ask: Asking,
    private keep: (receipt: string) => void,
    private now: () => number = () => performance.now(),
  ) {}

  /** Called with each change of the view. */
  look(view: Watched): void {
    const before = this.#view;
    this.#view = view;
    if (view.phase !== "running") return this.#wait();
    // The first question may have been left before this was loaded.
    const hasLeft = before === undefined ? view.current > 0 : questionOf(before) !== questionOf(view);
    this.#isDue ||= hasLeft;
    this.#schedule();
  }

  /** A test that is over may be opened again. */
  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(): void {
    if (this.#isGone || !this.#isDue || this.#isAsking || this.#timer !== undefined || !this.#mayAsk) return;
    this.#timer = setTimeout(() => void this.#askNow(), Math.max(SETTLE_MS, this.#earliest - this.now()));
  }

  async #askNow(): Promise<void> {
    this.#timer = undefined;
    // The next change of the view finds it still due.
    if (!this.#mayAsk) return;
    [this.#isAsking, this.#isDue] = [true, false];
    this.#earliest = this.now() + PAUSE_MS;
    const { receipt, isGone } = await this.ask();
    this.#isAsking = false;
    if (receipt !== undefined) this.keep(receipt);
    else if (isGone) this.#isGone = this.#view?.phase === "running";
    else this.#isDue = true;
    this.#schedule();
  }

  get #mayAsk(): boolean {
    return this.#view?.phase === "running" && this.#view.saving === "saved";
  }
}

function questionOf({ questionIds, current }: Watched): string | undefined {
  return questionIds[current];
}

/** Everyone's time may end at the same moment: they ask for their final receipts over this time. */
const FINAL_SPREAD_MS = 8_000;

/** A page that loads its tools again has only one keeper for its exam. */
const watched = new WeakSet<Exam>();

export function keepReceipts(exam: Exam): void {
  if (watched.has(exam)) return;
  watched.add(exam);
  const [sessionId = "", token = ""] = exam.continuation.split(".", 2);
  const keeper = new ReceiptKeeper(() => loadRunning(sessionId, token), (receipt) => keepReceipt(sessionId, receipt));
  const show = exam.changed;
  exam.changed = () => {
    show();
    keeper.look(exam.view);
    const { phase } = exam.view;
    // The page at the end asks for it too, and has no token by then.
    if (phase === "submitted") void finalReceipt(sessionId, token, Math.random() * FINAL_SPREAD_MS);
    else if (phase === "running") dropFinal(sessionId);
  };
  keeper.look(exam.view);
}
