// The banks of the grades of a form, read once each: how many questions there are, and which ones can be chosen.

import { SvelteMap } from "svelte/reactivity";
import { get } from "../api";
import { entriesOf, type BankEntry } from "./bank";

/** A bank of thousands of questions is several megabytes. */
const PATIENCE_MS = 60_000;

export class Stock {
  #grades = new SvelteMap<number, BankEntry[] | "reading" | "failed">();

  /** Reads the banks of these grades that are not known yet. */
  read(grades: number[]): void {
    for (const grade of grades) if (!this.#grades.has(grade)) void this.#readOne(grade);
  }

  async #readOne(grade: number): Promise<void> {
    this.#grades.set(grade, "reading");
    const answer = await get("/api/review/questions", { grade }, PATIENCE_MS);
    this.#grades.set(grade, answer.kind === "done" ? entriesOf(answer.value) : "failed");
  }

  hasFailed(grades: number[]): boolean {
    return grades.some((grade) => this.#grades.get(grade) === "failed");
  }

  /** Of all these grades together; undefined until each is known. */
  of(grades: number[]): BankEntry[] | undefined {
    const banks = grades.map((grade) => this.#grades.get(grade));
    return banks.length > 0 && banks.every((bank) => Array.isArray(bank)) ? banks.flat() : undefined;
  }
}
