// The filters of the students, kept in the address, so that a narrowed list can be sent and found again.

import { inAddress } from "../address.svelte";
import type { ResultRow } from "./answer";
import { numberIn, oneOf } from "../format";
import { filteredResults, type ResultFilters } from "./people";

export class FiltersInAddress {
  #search = inAddress("search");
  #room = inAddress("room");
  #state = inAddress("state");
  #measure = inAddress("by", "right");
  #least = inAddress("least");
  #most = inAddress("most");
  #mark = inAddress("mark");

  get search(): string {
    return this.#search.value;
  }

  set search(text: string) {
    this.#search.value = text;
  }

  get room(): string {
    return this.#room.value;
  }

  set room(name: string) {
    this.#room.value = name;
  }

  get state(): string {
    return this.#state.value;
  }

  set state(name: string) {
    this.#state.value = name;
  }

  get least(): number | undefined {
    return numberIn(this.#least.value);
  }

  get most(): number | undefined {
    return numberIn(this.#most.value);
  }

  /** The one mark whose students are shown; empty for all of them. */
  get mark(): string {
    return this.#mark.value;
  }

  set mark(text: string) {
    this.#mark.value = text;
  }

  get isNarrow(): boolean {
    return [this.search, this.room, this.state, this.mark].some((text) => text !== "") || this.least !== undefined || this.most !== undefined;
  }

  range(least: number | undefined, most: number | undefined): void {
    this.#least.value = least === undefined ? "" : String(least);
    this.#most.value = most === undefined ? "" : String(most);
  }

  clearRange(): void {
    this.range(undefined, undefined);
    this.mark = "";
  }

  clear(): void {
    this.clearRange();
    this.search = "";
    this.room = "";
    this.state = "";
  }

  among(rows: ResultRow[]): ResultRow[] {
    return filteredResults(rows, this.#all());
  }

  /** All but the range of results, or their mark: a picture of one alone would say nothing. */
  withoutRange(rows: ResultRow[]): ResultRow[] {
    return filteredResults(rows, { ...this.#all(), least: undefined, most: undefined, mark: "" });
  }

  #all(): ResultFilters {
    const { search, room, state, least, most, mark } = this;
    return { search, room, state, least, most, mark, measure: oneOf(["right", "score"], this.#measure.value) };
  }
}
