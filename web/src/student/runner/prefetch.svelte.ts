// Loads ahead what would otherwise be loaded on demand, since the network may be gone by then: the sheet, mathematics, and
// the pages themselves. What fails is asked for again, at once when the network is back.

import { textsOf, type Question } from "../../exam/question";
import { hasMath, loadAhead } from "../../math/loading";
import { Again } from "../../offline/again";
import { registerServiceWorker } from "../../offline/registration";
import { loadViewDialog } from "../../view/dialog";
import { loadCalculator } from "./calculator.svelte";

/** The first question must not wait for this. */
const FETCH_AFTER_MS = 1_500;
/** A page that is never idle begins after this time all the same. */
const IDLE_MS = 2_000;
/** A browser that will never keep the pages is not asked again and again. */
const WORKER_PAUSE_MS = 300_000;
/** One failure may be the network's, which has just come back. */
const REFUSALS = 2;

/** The sheet that is drawn on, and the two forms in which a finished drawing is shown. */
export interface Sheet {
  Overlay: (typeof import("../../drawing/Overlay.svelte"))["default"];
  LyingDrawing: (typeof import("../../drawing/LyingDrawing.svelte"))["default"];
  FinishedDrawing: (typeof import("../../drawing/FinishedDrawing.svelte"))["default"];
}

export class Prefetch {
  /** The sheet, once it is here. */
  sheet = $state.raw<Sheet>();
  /** The server can be reached, and the sheet does not come all the same: some browsers never load a script again that failed once. */
  isSheetRefused = $state(false);
  #refusals = 0;
  #arrived = () => {};
  #arrival = new Promise<void>((resolve) => (this.#arrived = resolve));
  #sheet: Again;
  #others: Again[];
  #begin: ReturnType<typeof setTimeout>;

  /** Begins a little later, when the browser is idle. `isOnline` tells whether the server can be reached. */
  constructor(
    private questions: Record<string, Question>,
    private isOnline: () => boolean,
    private hasCalculator: () => boolean,
  ) {
    this.#sheet = new Again(() => this.#loadSheet());
    this.#others = [new Again(() => this.#loadMathematics()), new Again(() => this.#loadTools()), new Again(registerServiceWorker, { longestMs: WORKER_PAUSE_MS })];
    const begin = () => void [this.#sheet, ...this.#others].map((part) => part.now());
    const whenIdle = () => ("requestIdleCallback" in window ? requestIdleCallback(begin, { timeout: IDLE_MS }) : begin());
    this.#begin = setTimeout(whenIdle, FETCH_AFTER_MS);
  }

  /** The server can be reached again. */
  retryNow(): void {
    for (const part of [this.#sheet, ...this.#others]) part.retryNow();
  }

  /** A question with a drawing is shown, so the sheet should not wait until the browser is idle. */
  wantSheet(): void {
    void this.#sheet.now();
  }

  /** The student wants the sheet now. Resolves when it is here, or after this time; and to which of the two. */
  async hurry(milliseconds: number): Promise<boolean> {
    void this.#sheet.now();
    await Promise.race([this.#arrival, new Promise((resolve) => setTimeout(resolve, milliseconds))]);
    return this.sheet !== undefined;
  }

  end(): void {
    clearTimeout(this.#begin);
    for (const part of [this.#sheet, ...this.#others]) part.end();
  }

  async #loadSheet(): Promise<boolean> {
    if (!this.maySucceed) return false;
    const parts = [import("../../drawing/Overlay.svelte"), import("../../drawing/LyingDrawing.svelte"), import("../../drawing/FinishedDrawing.svelte")] as const;
    const loaded = await Promise.all(parts).catch(() => undefined);
    if (loaded === undefined && (await isReachable())) this.#refusals += 1;
    this.isSheetRefused = loaded === undefined && this.#refusals >= REFUSALS;
    const [overlay, lying, finished] = loaded ?? [];
    if (overlay !== undefined && lying !== undefined && finished !== undefined) {
      this.sheet = { Overlay: overlay.default, LyingDrawing: lying.default, FinishedDrawing: finished.default };
    }
    if (loaded !== undefined) this.#arrived();
    return loaded !== undefined;
  }

  async #loadMathematics(): Promise<boolean> {
    if (!Object.values(this.questions).flatMap(textsOf).some(hasMath)) return true;
    if (!this.maySucceed) return false;
    return loadAhead();
  }

  /** What a student may ask for, and has to be here then. */
  async #loadTools(): Promise<boolean> {
    if (!this.maySucceed) return false;
    const [view, spoken, calculator] = await Promise.all([
      loadViewDialog(),
      "speechSynthesis" in globalThis ? import("../../reading/reading").then(() => true, () => false) : true,
      this.hasCalculator() ? loadCalculator() : true,
    ]);
    return view !== undefined && spoken && calculator !== undefined;
  }

  /** No script is loaded in vain, for the sake of those browsers. A service worker has them all. */
  get maySucceed(): boolean {
    return this.isOnline() || navigator.serviceWorker?.controller != null;
  }
}

/** Asks for a small file of the server's. */
function isReachable(): Promise<boolean> {
  return fetch("/icon.svg", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
}
