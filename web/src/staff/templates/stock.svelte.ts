// How many questions of each difficulty the bank has in the grades of a form.

import { SvelteMap } from "svelte/reactivity";
import { get } from "../api";
import { mixOf } from "./lists";
import { DIFFICULTIES } from "./shapes";

/** A bank of thousands of questions is several megabytes. */
const PATIENCE_MS = 60_000;

export class Stock {
  #grades = new SvelteMap<number, number[] | "reading" | "failed">();

  /** Reads the banks of these grades that are not known yet. */
  read(grades: number[]): void {
    for (const grade of grades) if (!this.#grades.has(grade)) void this.#readOne(grade);
  }

  async #readOne(grade: number): Promise<void> {
    this.#grades.set(grade, "reading");
    const answer = await get("/api/review/questions", { grade }, PATIENCE_MS);
    this.#grades.set(grade, answer.kind === "done" ? mixOf(answer.value.questions) : "failed");
  }

  hasFailed(grades: number[]): boolean {
    return grades.some((grade) => this.#grades.get(grade) === "failed");
  }

  /** Of all these grades together; undefined until each is known. */
  of(grades: number[]): number[] | undefined {
    const mixes = grades.map((grade) => this.#grades.get(grade));
    if (mixes.length === 0 || !mixes.every((mix) => Array.isArray(mix))) return undefined;
    return DIFFICULTIES.map((_, index) => mixes.reduce((sum, mix) => sum + (mix[index] ?? 0), 0));
  }
}
