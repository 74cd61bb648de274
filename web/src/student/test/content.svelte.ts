// What a running test shows of its questions: read when a stage begins, kept, and read again until nothing is missing.

import { questionCount, questionsOf, renewed, type Question, type Template } from "../../exam/question";
import type { StoredTexts } from "../../exam/ports";
import { texts } from "../../texts/language.svelte";
import { loadBank, loadTemplate, type LoadResult } from "../api";
import type { TestRoute } from "../route";
import type { TestSummary } from "./Intro.svelte";

const ADAPTIVE = { questions: 40, minutes: 70 };
/** The pauses between readings that fail. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

interface LoadedContent {
  questions: Question[];
  summary: TestSummary;
}

export class TestContent {
  questions = $state.raw<Record<string, Question>>({});
  title = $state("");
  summary = $state.raw<TestSummary>();
  /** The last stage whose questions were read when it had begun. */
  #stage = 0;
  /** Rises with each reading that goes on until it succeeds: only the last goes on. */
  #reading = 0;

  constructor(private route: Pick<TestRoute, "start" | "grade" | "templateId">) {}

  /** What was kept when the test was shown before; `stage` is where it stands now. */
  take({ questions, title, stage }: StoredTexts, now: number): void {
    this.questions = questions;
    this.title = title;
    this.#stage = stage ?? now;
  }

  /** Reads all of it now. */
  async load(): Promise<LoadResult<LoadedContent>> {
    const loaded = await this.#read();
    if (loaded.kind === "loaded") this.#show(loaded.value, []);
    // A test whose template is gone goes on, under some name.
    else if (this.title === "") this.title = this.route.grade === undefined ? texts().hall : texts().testTitle(this.route.grade);
    return loaded;
  }

  /** The test has come to this stage: reads its questions as they are now, until that succeeds, and has them kept. */
  async follow(stage: number, questionIds: string[], keep: (kept: StoredTexts) => void): Promise<void> {
    // The questions of a template's second stage are graded by what they were when the test began.
    const isLocked = this.route.templateId !== undefined && this.#stage > 0;
    const begun = stage > this.#stage && !isLocked ? questionIds : [];
    if (begun.length === 0 && questionIds.every((id) => this.questions[id] !== undefined)) return;
    const reading = ++this.#reading;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
      const loaded = await this.#read();
      if (reading !== this.#reading) return;
      if (loaded.kind === "loaded") this.#show(loaded.value, begun);
      if (loaded.kind === "loaded" || loaded.kind === "missing") break;
      await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
      if (reading !== this.#reading) return;
    }
    this.#stage = Math.max(stage, this.#stage);
    keep({ title: this.title, questions: this.questions, stage: this.#stage });
  }

  /** Nothing is read any more. */
  end(): void {
    this.#reading += 1;
  }

  #show({ questions, summary }: LoadedContent, begun: string[]): void {
    this.questions = renewed(this.questions, questions, begun);
    this.summary = summary;
    this.title = summary.title;
  }

  async #read(): Promise<LoadResult<LoadedContent>> {
    const { start, grade = 1, templateId } = this.route;
    if (templateId !== undefined) {
      const loaded = await loadTemplate(templateId);
      return loaded.kind === "loaded" ? { kind: "loaded", value: { questions: questionsOf(loaded.value), summary: summaryOf(loaded.value) } } : loaded;
    }
    const loaded = await loadBank(grade);
    const length = start.mode === "adaptive" ? ADAPTIVE : { questions: start.questionCount ?? 20, minutes: start.durationMinutes ?? 30 };
    const summary = { title: texts().testTitle(grade), ...length, isInParts: start.mode === "adaptive" };
    return loaded.kind === "loaded" ? { kind: "loaded", value: { questions: loaded.value, summary } } : loaded;
  }
}

function summaryOf(template: Template): TestSummary {
  return { title: template.name, questions: questionCount(template), minutes: template.durationMinutes, isInParts: template.mode === "adaptive" };
}
