// Loads ahead what would otherwise be loaded on demand, since the network may be gone by then: the sheet, the calculator,
// mathematics, pictures, and the pages themselves. What fails is asked for again, at once when the network is back.

import type { Exam } from "../../exam/exam";
import { asksNumber, textsOf, type Question } from "../../exam/question";
import { hasMath, loadAhead } from "../../math/loading";
import type { NumberTools } from "../../number/tools";
import { Again } from "../../offline/again";
import { registerServiceWorker } from "../../offline/registration";
import { loadViewDialog } from "../../view/dialog";
import { Part } from "./part.svelte";

/** The first question must not wait for this. */
const FETCH_AFTER_MS = 1_500;
/** A page that is never idle begins after this time all the same. */
const IDLE_MS = 2_000;
/** A browser that will never keep the pages is not asked again and again. */
const WORKER_PAUSE_MS = 300_000;

/** The sheet that is drawn on, and the two forms in which a finished drawing is shown. */
export interface Sheet {
  Overlay: (typeof import("../../drawing/Overlay.svelte"))["default"];
  LyingDrawing: (typeof import("../../drawing/LyingDrawing.svelte"))["default"];
  FinishedDrawing: (typeof import("../../drawing/FinishedDrawing.svelte"))["default"];
}

export type Calculator = (typeof import("../../calculator/Calculator.svelte"))["default"];

export class Prefetch {
  readonly sheet: Part<Sheet>;
  readonly calculator: Part<Calculator>;
  /** What reads numbers, and the pad with which they are typed. */
  readonly numbers: Part<NumberTools>;
  #pictures?: () => Promise<boolean>;
  #others: Again[];
  #isOver = false;
  #begin: ReturnType<typeof setTimeout>;

  /**
   * Begins a little later, when the browser is idle. `isOnline` tells whether the server can be reached. Of an exam that runs,
   * receipts are kept. `pictures` are those of its questions that are known by then.
   */
  constructor(
    private questions: Record<string, Question>,
    private isOnline: () => boolean,
    private hasCalculator: () => boolean,
    private exam?: Exam,
    private pictures: () => string[] = () => [],
  ) {
    this.sheet = new Part(loadSheet, () => this.#maySucceed);
    this.calculator = new Part(loadCalculator, () => this.#maySucceed);
    this.numbers = new Part(async () => (await import("../../number/tools")).numberTools, () => this.#maySucceed);
    this.#others = [
      new Again(() => this.#loadMathematics()),
      new Again(() => this.#loadTools()),
      new Again(() => this.#loadPictures()),
      new Again(registerServiceWorker, { longestMs: WORKER_PAUSE_MS }),
    ];
    const begin = () => {
      this.sheet.want();
      if (Object.values(questions).some(asksNumber)) this.numbers.want();
      for (const other of this.#others) void other.now();
    };
    const whenIdle = () => ("requestIdleCallback" in window ? requestIdleCallback(begin, { timeout: IDLE_MS }) : begin());
    this.#begin = setTimeout(whenIdle, FETCH_AFTER_MS);
  }

  /** The student turns to this question: what it needs is loaded at once. */
  turnTo(question: Question | undefined): void {
    if (question !== undefined && asksNumber(question) && this.numbers.here === undefined) this.numbers.want();
    // A second part has brought others.
    void this.#pictures?.();
  }

  /** The server can be reached again. */
  retryNow(): void {
    for (const part of this.#all) part.retryNow();
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#begin);
    for (const part of this.#all) part.end();
  }

  get #all(): { retryNow(): void; end(): void }[] {
    return [this.sheet, this.calculator, this.numbers, ...this.#others];
  }

  async #loadMathematics(): Promise<boolean> {
    if (!Object.values(this.questions).flatMap(textsOf).some(hasMath)) return true;
    if (!this.#maySucceed) return false;
    return loadAhead();
  }

  async #loadPictures(): Promise<boolean> {
    if (!this.#maySucceed) return false;
    const { picturesAhead } = await import("./pictures_ahead");
    return (this.#pictures ??= picturesAhead(this.pictures, () => this.isOnline() && !this.#isOver))();
  }

  /** What a student may ask for, and has to be here then. */
  async #loadTools(): Promise<boolean> {
    if (!this.#maySucceed) return false;
    // Only the server may know whether the test allows one.
    if (this.hasCalculator()) this.calculator.want();
    const { exam } = this;
    const loaded = await Promise.all([
      loadViewDialog(),
      import("../../late/late").then(() => true, () => false),
      "speechSynthesis" in globalThis ? import("../../reading/reading").then(() => true, () => false) : true,
      import("../../receipts/keeping").then(({ keepReceipts }) => (exam === undefined || keepReceipts(exam), true), () => false),
    ]);
    return loaded.every(Boolean);
  }

  /** No script is loaded in vain, since some browsers never load one again that failed once. A service worker has them all. */
  get #maySucceed(): boolean {
    return this.isOnline() || navigator.serviceWorker?.controller != null;
  }
}

async function loadSheet(): Promise<Sheet> {
  const parts = [import("../../drawing/Overlay.svelte"), import("../../drawing/LyingDrawing.svelte"), import("../../drawing/FinishedDrawing.svelte")] as const;
  const [overlay, lying, finished] = await Promise.all(parts);
  return { Overlay: overlay.default, LyingDrawing: lying.default, FinishedDrawing: finished.default };
}

async function loadCalculator(): Promise<Calculator> {
  return (await import("../../calculator/Calculator.svelte")).default;
}
