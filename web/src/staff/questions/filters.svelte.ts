// The filters of the questions, kept in the address, so that a narrowed list can be sent and found again.

import { inAddress } from "../address.svelte";
import { me } from "../me.svelte";
import { oneOf } from "../format";
import type { ReviewState } from "./bank";
import { MARK_KINDS, type MarkKind } from "./marks/marks";
import { QUESTION_TYPES, type QuestionType } from "./number_draft";
import { ORDERS, type QuestionFilters, type QuestionOrder } from "./rows";

const STATES: readonly [ReviewState | "", ...(ReviewState | "")[]] = ["", "pending", "approved", "flagged"];
const TYPES: readonly [QuestionType | "", ...(QuestionType | "")[]] = ["", ...QUESTION_TYPES];
const KINDS: readonly [MarkKind | "", ...(MarkKind | "")[]] = ["", ...MARK_KINDS];

export class BankFilters {
  #state = inAddress("state");
  #topic = inAddress("topic");
  #type = inAddress("type");
  #search = inAddress("find");
  #mine = inAddress("mine");
  #doubts = inAddress("doubts");
  #labels = inAddress("labels");
  #mark = inAddress("mark");
  #order = inAddress("order", "id");

  get state(): ReviewState | "" {
    return oneOf(STATES, this.#state.value);
  }

  set state(state: ReviewState | "") {
    this.#state.value = state;
  }

  get topic(): string {
    return this.#topic.value;
  }

  set topic(topic: string) {
    this.#topic.value = topic;
  }

  get type(): QuestionType | "" {
    return oneOf(TYPES, this.#type.value);
  }

  set type(type: QuestionType | "") {
    this.#type.value = type;
  }

  get search(): string {
    return this.#search.value;
  }

  set search(text: string) {
    this.#search.value = text;
  }

  get areMine(): boolean {
    return this.#mine.value === "yes";
  }

  set areMine(areMine: boolean) {
    this.#mine.value = areMine ? "yes" : "";
  }

  get areDoubted(): boolean {
    return this.#doubts.value === "yes";
  }

  set areDoubted(areDoubted: boolean) {
    this.#doubts.value = areDoubted ? "yes" : "";
  }

  get areMislabelled(): boolean {
    return this.#labels.value === "wrong";
  }

  set areMislabelled(areMislabelled: boolean) {
    this.#labels.value = areMislabelled ? "wrong" : "";
  }

  get mark(): MarkKind | "" {
    return oneOf(KINDS, this.#mark.value);
  }

  set mark(mark: MarkKind | "") {
    this.#mark.value = mark;
  }

  get order(): QuestionOrder {
    return oneOf(ORDERS, this.#order.value);
  }

  set order(order: QuestionOrder) {
    this.#order.value = order;
  }

  get isNarrow(): boolean {
    return this.state !== "" || this.topic !== "" || this.type !== "" || this.search !== "" || this.areMine || this.areDoubted || this.areMislabelled || this.mark !== "";
  }

  get all(): QuestionFilters {
    const { state, topic, type, search, areDoubted, areMislabelled, mark } = this;
    return { state, topic, type, search, areDoubted, areMislabelled, mark, reviewer: this.areMine ? (me()?.email ?? "") : "" };
  }

  clear(): void {
    [this.state, this.topic, this.type, this.search, this.areMine, this.areDoubted, this.areMislabelled, this.mark] = ["", "", "", "", false, false, false, ""];
  }
}
