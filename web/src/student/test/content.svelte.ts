// What a running test shows of its questions: read when a stage begins, kept, and read again until nothing is missing.

import { questionCount, questionsOf, renewed, type Question, type Template } from "../../exam/question";
import type { KeptTexts } from "../../exam/ports";
import { texts } from "../../texts/language.svelte";
import { loadBank, loadTemplate, type Loaded } from "../api";
import type { TestRoute } from "../route";
import type { About } from "./Intro.svelte";

const ADAPTIVE = { questions: 40, minutes: 70 };
/** The pauses between readings that fail. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

interface Read {
  questions: Question[];
  about: About;
}

export class Shown {
  questions = $state.raw<Record<string, Question>>({});
  title = $state("");
  about = $state.raw<About>();
  /** The last stage whose questions were read when it had begun. */
  #stage = 0;
  /** Rises with each reading that goes on until it succeeds: only the last goes on. */
  #reading = 0;

  constructor(private route: Pick<TestRoute, "start" | "grade" | "templateId">) {}

  /** What was kept when the test was shown before; `stage` is where it stands now. */
  take({ questions, title, stage }: KeptTexts, now: number): void {
    this.questions = questions;
    this.title = title;
    this.#stage = stage ?? now;
  }

  /** Reads all of it now. */
  async load(): Promise<Loaded<Read>> {
    const loaded = await this.#read();
    if (loaded.kind === "loaded") this.#show(loaded.value, []);
    // A test whose template is gone goes on, under some name.
    else if (this.title === "") this.title = this.route.grade === undefined ? texts().hall : texts().testTitle(this.route.grade);
    return loaded;
  }

  /** The test has come to this stage: reads its questions as they are now, until that succeeds, and has them kept. */
  async follow(stage: number, questionIds: string[], keep: (kept: KeptTexts) => void): Promise<void> {
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

  #show({ questions, about }: Read, begun: string[]): void {
    this.questions = renewed(this.questions, questions, begun);
    this.about = about;
    this.title = about.title;
  }

  async #read(): Promise<Loaded<Read>> {
    const { start, grade = 1, templateId } = this.route;
    if (templateId !== undefined) {
      const loaded = await loadTemplate(templateId);
      return loaded.kind === "loaded" ? { kind: "loaded", value: { questions: questionsOf(loaded.value), about: aboutTemplate(loaded.value) } } : loaded;
    }
    const loaded = await loadBank(grade);
    const length = start.mode === "adaptive" ? ADAPTIVE : { questions: start.questionCount ?? 20, minutes: start.durationMinutes ?? 30 };
    const about = { title: texts().testTitle(grade), ...length, isInParts: start.mode === "adaptive" };
    return loaded.kind === "loaded" ? { kind: "loaded", value: { questions: loaded.value, about } } : loaded;
  }
}

function aboutTemplate(template: Template): About {
  return { title: template.name, questions: questionCount(template), minutes: template.durationMinutes, isInParts: template.mode === "adaptive" };
}
