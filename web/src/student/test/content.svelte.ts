// The texts that a running test shows: loaded when a stage begins, stored, and loaded again until none is missing. Separate
// from the exam, which only knows the ids of its questions.

import { ADAPTIVE, calculatorIn, questionCount, questionsOf, renewed, type Question, type Template } from "../../exam/question";
import type { StoredTexts } from "../../exam/ports";
import { texts } from "../../texts/language.svelte";
import { loadBank, loadTemplate, type LoadResult } from "../api";
import { USUAL_MINUTES, usualCount, type TestRoute } from "../route";
import type { TestSummary } from "./Intro.svelte";

/** The pause after a failed load, which doubles each time. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

interface LoadedContent {
  questions: Question[];
  /** Whether there are questions among them that only other forms have. */
  isOfAllForms?: boolean;
  summary: TestSummary;
  inOrder?: boolean | undefined;
}

type ContentResult = LoadResult<LoadedContent> | { kind: "notOpen" };

export class TestContent {
  questions = $state.raw<Record<string, Question>>({});
  title = $state("");
  /** Whether questions come in order. */
  inOrder = $state<boolean>();
  summary = $state.raw<TestSummary>();
  /** The secret of the running attempt, which opens a template whose exam has been put off. */
  continuation: string | undefined;
  /** The last stage that had begun when its questions were loaded. */
  #stage = 0;
  /** Whether questions were loaded that are none of this test, since it is one of several forms. */
  #isOfAllForms = false;
  /** Rises with each series of loads, so that an older series stops. */
  #reading = 0;

  constructor(private route: Pick<TestRoute, "start" | "grade" | "templateId" | "isContinued">) {}

  /** Takes over stored texts. `now` is the stage at which the test stands. */
  take({ questions, title, stage, inOrder }: StoredTexts, now: number): void {
    this.questions = questions;
    this.inOrder = inOrder;
    this.title = title;
    this.#stage = stage ?? now;
  }

  /** Loads everything once. */
  async load(): Promise<ContentResult> {
    const loaded = await this.#read();
    if (loaded.kind === "loaded") this.#show(loaded.value, []);
    // A test whose template is gone continues under some title.
    else if (this.title === "") this.title = this.route.grade === undefined ? texts().hall : texts().testTitle(this.route.grade);
    return loaded;
  }

  /**
   * The test has reached this stage: loads its questions as they are now, until that succeeds, and has them stored. Tells whether
   * it has all that there are.
   */
  async follow(stage: number, questionIds: string[], keep: (kept: StoredTexts) => void): Promise<boolean> {
    // A template's questions are graded as they were when the test began, even those of the second stage.
    const isLocked = this.route.templateId !== undefined && this.#stage > 0;
    const begun = stage > this.#stage && !isLocked ? questionIds : [];
    const areKnown = () => questionIds.every((id) => this.questions[id] !== undefined);
    if (begun.length === 0 && areKnown()) return true;
    const reading = ++this.#reading;
    let isGone = false;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
      const loaded = await this.#read();
      if (reading !== this.#reading) return true;
      if (loaded.kind === "loaded") this.#show(loaded.value, begun);
      isGone = loaded.kind === "missing";
      if (loaded.kind === "loaded" || isGone) break;
      await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
      if (reading !== this.#reading) return true;
    }
    this.#stage = Math.max(stage, this.#stage);
    // Forms are of one stage, so what this one does not have now it never has.
    if (this.#isOfAllForms) this.questions = Object.fromEntries(Object.entries(this.questions).filter(([id]) => questionIds.includes(id)));
    keep({ title: this.title, questions: this.questions, stage: this.#stage, inOrder: this.inOrder });
    return isGone || areKnown();
  }

  /** Stops loading. */
  end(): void {
    this.#reading += 1;
  }

  #show({ questions, summary, inOrder, isOfAllForms = false }: LoadedContent, begun: string[]): void {
    this.#isOfAllForms ||= isOfAllForms;
    this.questions = renewed(this.questions, questions, begun);
    this.summary = summary;
    this.title = summary.title;
    this.inOrder = inOrder;
  }

  async #read(): Promise<ContentResult> {
    const { start, grade = 1, templateId, isContinued = false } = this.route;
    if (templateId !== undefined) {
      // With its secret a test gets its own form alone. Without forms it gets what everyone gets, which the browser may have.
      const isOwn = this.#isOfAllForms || Object.keys(this.questions).length === 0;
      const loaded = await loadTemplate(templateId, this.continuation, isOwn);
      if (loaded.kind !== "loaded") return loaded;
      const { value: template } = loaded;
      return { kind: "loaded", value: { questions: questionsOf(template), summary: summaryOf(template), inOrder: template.inOrder, isOfAllForms: (template.formQuestions ?? []).length > 0 } };
    }
    // Which types a test has that another device has begun is not said.
    const loaded = await loadBank(grade, start.types ?? (isContinued ? "all" : undefined));
    const length = start.mode === "adaptive" ? ADAPTIVE : { questions: start.questionCount ?? usualCount(start.durationMinutes), minutes: start.durationMinutes ?? USUAL_MINUTES };
    const summary = { title: texts().testTitle(grade), grade, ...length, isInParts: start.mode === "adaptive", calculator: "none" as const };
    return loaded.kind === "loaded" ? { kind: "loaded", value: { questions: loaded.value, summary } } : loaded;
  }
}

function summaryOf(template: Template): TestSummary {
  return { title: template.name, grade: template.grades[0] ?? 0, questions: questionCount(template), minutes: template.durationMinutes, isInParts: template.mode === "adaptive", calculator: calculatorIn(template.calculator), access: template.access, isWithheld: template.questionsWithheld };
}
