// The template that a page shows, and what is done with it: each change says why it was refused, and what others did meanwhile.

import { get, send, type Answer } from "../api";
import { handListOf, idsIn, isSameList, pinsAfter } from "./hand";
import { hasOthers } from "./lists";
import { bucketOf, TEMPLATES, type ListKey, type TemplateQuestion, type FullTemplate, type TemplateFields } from "./shapes";
import { questionsOfPaper } from "./standing";

interface One {
  template: FullTemplate;
}

interface Swapped extends One {
  replacement: TemplateQuestion;
}

/** `kept`: whoever was asked has left everything as it was. */
export type TemplateChange<T> = Answer<T> | { kind: "kept" };
/** `gone`: somebody else has put another question in its place. `taken`: the new question is in the paper already. */
export type Swap = TemplateChange<Swapped> | { kind: "gone" | "taken" };

const TEMPLATE = "/api/manager/test-templates/{id}";
const SWAP = "/api/manager/test-templates/{id}/swap";
const QUESTIONS = "/api/manager/test-templates/{id}/questions";
const OPEN = "Sitting is open";
const QUESTION_GONE = "Question not found";
const NOT_ELIGIBLE = "Replacement must match the same difficulty";

export class OpenTemplate {
  template = $state.raw<FullTemplate>();
  /** Why it could not be read. */
  problem = $state.raw<Answer<unknown>>();
  /** Answers whether a change is made although students are waiting for the paper. */
  asking = $state.raw<(goOn: boolean) => void>();
  #reads = 0;

  constructor(readonly id: string) {}

  get path(): string {
    return `${TEMPLATES}/${encodeURIComponent(this.id)}`;
  }

  /** Reads it again, and tells whether the paper has other questions or settings than the page showed. */
  async read(): Promise<boolean> {
    const turn = (this.#reads += 1);
    const answer = await get(TEMPLATE, { id: this.id });
    // What was changed here meanwhile is newer.
    if (turn !== this.#reads) return false;
    if (answer.kind !== "done") {
      if (this.template === undefined) this.problem = answer;
      return false;
    }
    const { template: stored } = answer.value;
    const isOther = this.template !== undefined && this.template.updatedAt !== stored.updatedAt;
    this.problem = undefined;
    // What is shown is not made anew for nothing. Questions are changed in the bank without the template.
    if (JSON.stringify(this.template) !== JSON.stringify(stored)) this.template = stored;
    return isOther;
  }

  save(fields: Partial<TemplateFields>): Promise<TemplateChange<One>> {
    return this.#changed((force) => send("PUT", TEMPLATE, fields, { params: { id: this.id, ...force } }));
  }

  draw(): Promise<TemplateChange<One>> {
    return this.#changed((force) => send("POST", "/api/manager/test-templates/{id}/generate", undefined, { params: { id: this.id, ...force } }));
  }

  /** Makes the list these questions in this order, of which some are pinned. */
  choose(list: ListKey, questionIds: string[], pins: string[]): Promise<TemplateChange<One>> {
    return this.#changed<One>(async (force) => {
      const params = { id: this.id, ...force };
      const isListed = this.template !== undefined && isSameList(idsIn(this.template, list), questionIds);
      // Pins are sent as those of the whole template, and others may have pinned something in other lists meanwhile.
      const answer = isListed ? await get(TEMPLATE, { id: this.id }) : await send("PUT", QUESTIONS, { bucket: bucketOf(list), questionIds }, { params });
      if (answer.kind !== "done") return answer;
      const { template: stored } = answer.value;
      if (!isListed) [this.template, this.#reads] = [stored, this.#reads + 1];
      // A question can be pinned only once a list has it, and the server has let go of those that no list has any more.
      const pinned = pinsAfter(stored.pinned ?? [], questionIds, pins);
      if (isSameList([...pinned].sort(), [...(stored.pinned ?? [])].sort())) return answer;
      return send("PUT", TEMPLATE, { pinned }, { params });
    });
  }

  remove(): Promise<Answer<unknown>> {
    return send("DELETE", TEMPLATE, undefined, { params: { id: this.id } });
  }

  candidates(list: ListKey, questionId: string): Promise<Answer<{ candidates: TemplateQuestion[] }>> {
    const { kind, band } = bucketOf(list);
    return get(SWAP, { id: this.id, bucket: kind, band, questionId });
  }

  /** Without a replacement the server chooses one. `hasOthers`: the paper has changed in other places too. */
  async swap(list: ListKey, questionId: string, replacementId?: string): Promise<Swap & { hasOthers?: boolean }> {
    const before = this.template;
    const body = { bucket: bucketOf(list), questionId, ...(replacementId === undefined ? {} : { replacementId }) };
    const answer = await this.#changed<Swapped>((force) => send("POST", SWAP, body, { params: { id: this.id, ...force } }));
    if (answer.kind === "refused" && (answer.error === QUESTION_GONE || answer.error === NOT_ELIGIBLE)) {
      await this.read();
      if (answer.error === QUESTION_GONE) return { kind: "gone" };
      // The server has one sentence for this and for settings that others have changed meanwhile.
      const isTaken = this.template !== undefined && questionsOfPaper(this.template).some(({ id }) => id === replacementId);
      return isTaken ? { kind: "taken" } : answer;
    }
    if (answer.kind !== "done" || before === undefined) return answer;
    const exchanged = { [`${list} ${questionId}`]: answer.value.replacement.id };
    return { ...answer, hasOthers: hasOthers(before, answer.value.template, exchanged) };
  }

  /**
   * Puts the question that a swap took away in its place again. A template may not choose it by its settings, and its pin has gone
   * with it, so that this is no swap: a list that somebody puts together is not bound by the settings.
   */
  async swapBack(list: ListKey, went: { id: string; isPinned: boolean }, came: string): Promise<TemplateChange<One> | { kind: "gone" }> {
    // What others have put into the list meanwhile stays.
    await this.read();
    const stored = this.template;
    if (stored === undefined) return { kind: "gone" };
    const { ids, pins } = handListOf(stored, list);
    if (!ids.includes(came)) return { kind: "gone" };
    const others = pins.filter((id) => id !== came);
    return this.choose(list, ids.map((id) => (id === came ? went.id : id)), went.isPinned ? [...others, went.id] : others);
  }

  /** Changes it. While the doors of a sitting are open, somebody has to say that those who wait get the new paper. */
  async #changed<T extends One>(act: (force: { force?: boolean }) => Promise<Answer<T>>): Promise<TemplateChange<T>> {
    let answer = await act({});
    if (answer.kind === "refused" && answer.error === OPEN) {
      const goOn = await new Promise<boolean>((resolve) => (this.asking = resolve));
      this.asking = undefined;
      if (!goOn) return { kind: "kept" };
      answer = await act({ force: true });
    }
    if (answer.kind === "done") {
      this.#reads += 1;
      this.template = answer.value.template;
    }
    return answer;
  }
}
