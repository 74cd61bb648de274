// Whatever happens around a test, and in whatever order: a page that is loaded again shows what the student has done, and what is
// told as lost at the end is exactly what the server lacks, also by a page that is loaded after it.

import { expect, test } from "vitest";
import type { Exam } from "./exam";
import { Scene } from "./testing/scene";

const RUNS = 300;
const DEEDS = 30;

/** Numbers from 0 to 1, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_664_525 + 1_013_904_223) >>> 0) / 2 ** 32;
}

/** While the end is past for the server, and a proctor may yet give more time. */
class Refusals extends Map<number, string> {
  areLate = false;
  override get(): string | undefined {
    return this.areLate ? "late" : undefined;
  }
}

class Run {
  readonly scene = new Scene();
  readonly refusals = new Refusals();
  /** What the student has seen on the page, by question. */
  readonly selected: Record<string, string | null> = {};
  readonly drawn: Record<string, unknown> = {};
  /** What has happened so far, to be told if it goes wrong. */
  told = "";
  #version = 0;

  private constructor(
    readonly random: () => number,
    public exam: Exam = undefined as never,
  ) {
    this.scene.hall.refusals = this.refusals;
  }

  static async begin(seed: number): Promise<Run> {
    const run = new Run(numbers(seed));
    run.told = `seed ${seed}:`;
    run.exam = await run.scene.started();
    await run.scene.live(run.exam, 2);
    // Requests and answers take up to four seconds.
    run.scene.between(async (_method, _path, _body, pass) => {
      const pause = new Promise<void>((resolve) => void run.scene.time.later(run.random() * 4_000, resolve));
      if (run.random() < 0.5) return pause.then(pass);
      const answer = await pass();
      await pause;
      return answer;
    });
    return run;
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)] as T;
  }

  look(): void {
    for (const [questionId, { selected, drawing }] of Object.entries(this.exam.view.answers)) [this.selected[questionId], this.drawn[questionId]] = [selected, drawing];
  }

  mendBrowser(): void {
    [this.scene.memory.isBroken, this.scene.memory.busy] = [false, undefined];
  }

  async reload(): Promise<void> {
    this.exam.leave();
    this.mendBrowser();
    this.look();
    this.exam.close();
    this.exam = await this.scene.reloaded();
    for (const [questionId, selected] of Object.entries(this.selected)) expect(this.exam.view.answers[questionId]?.selected ?? null, this.told).toBe(selected);
  }

  /** What may happen; what students do most stands here most often. */
  deeds(): Record<string, () => unknown> {
    const { scene, exam, refusals, random } = this;
    const { hall, memory } = scene;
    const question = this.pick(["q1", "q2", "q3"]);
    const choose = () => exam.choose(question, this.pick(["A", "B", "C", "D"]));
    const draw = () => exam.draw(question, { v: (this.#version += 1) });
    const live = () => scene.live(exam, 1 + Math.floor(random() * 12));
    return {
      choose, chooseToo: choose, chooseAgain: choose, draw, drawToo: draw, live, liveToo: live, liveAgain: live,
      mark: () => exam.mark(question, random() < 0.5),
      drawn: () => void exam.drawn(),
      go: () => exam.go(Math.floor(random() * 3)),
      cut: () => hall.cut(random() < 0.7),
      reach: () => (hall.isReachable = true),
      late: () => (refusals.areLate = true),
      extend: () => ((refusals.areLate = false), hall.tell({ type: "extended", deadline: "", remainingMs: 600_000, minutes: 10 })),
      extendUntold: () => (refusals.areLate = false),
      pause: () => ((hall.isPaused = true), hall.tell({ type: "paused" })),
      unpause: () => ((hall.isPaused = false), hall.tell({ type: "unpaused", deadline: "", remainingMs: 600_000 })),
      breakSockets: () => (hall.areSocketsBroken = true),
      mendSockets: () => (hall.areSocketsBroken = false),
      closeSocket: () => hall.close(1006),
      breakBrowser: () => (memory.isBroken = true),
      stallBrowser: () => void (memory.busy = new Promise(() => {})),
      mendBrowser: () => this.mendBrowser(),
      reload: () => this.reload(),
    };
  }

  async end(): Promise<void> {
    const { scene, refusals, random } = this;
    if (random() < 0.5) refusals.areLate = false;
    [scene.hall.isPaused, scene.hall.isReachable] = [false, true];
    if (random() < 0.5) await scene.live(this.exam, 20);
    this.look();
    scene.hall.state = "submitted";
    scene.hall.tell({ type: "submitted", sessionId: "s", reportUrl: "", reason: "deadline" });
    await scene.live(this.exam, 60);
  }

  /** How many answers and drawings the server does not have as the student has left them. */
  lacking(): number {
    const { selected, drawings } = this.scene.hall;
    const answers = Object.entries(this.selected).filter(([questionId, wanted]) => (selected[questionId] ?? null) !== wanted);
    const sheets = Object.entries(this.drawn).filter(([questionId, wanted]) => JSON.stringify(drawings[questionId] ?? null) !== JSON.stringify(wanted ?? null));
    return answers.length + sheets.length;
  }
}

test("in whatever order things happen, a page shows what was done, and tells as lost what the server lacks", { timeout: 60_000 }, async () => {
  let losses = 0;
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const run = await Run.begin(seed);
    for (let count = 0; count < DEEDS; count += 1) {
      const [name, deed] = run.pick(Object.entries(run.deeds()));
      run.told += ` ${name}`;
      await deed();
      expect(run.exam.view.phase, run.told).toBe("running");
      run.look();
    }
    await run.end();
    const lacking = run.lacking();
    losses += Math.sign(lacking);
    expect([run.exam.view.phase === "running", run.exam.view.lost], run.told).toEqual([false, lacking]);
    run.exam.close();
    run.mendBrowser();
    if (lacking === 0) continue;
    const again = await run.scene.reloaded();
    await run.scene.live(again, 60);
    expect(again.view, run.told).toMatchObject({ phase: "ended", lost: lacking });
  }
  // Both ends have been tried.
  expect([losses > RUNS / 10, losses < RUNS]).toEqual([true, true]);
});
