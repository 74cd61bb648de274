// The heat map of students × questions as numbers: one byte a cell, so that five thousand students take a few milliseconds.

import { CHOICES, type Selected } from "../../exam/protocol";
import type { ResultQuestion, ResultRow } from "./answer";

export type CellVerdict = "notAsked" | "right" | "wrong" | "none";

/** A cell holds the chosen option (0 for none, 1 to 4, 5 for a number that was typed) and these two. */
const IS_ASKED = 8;
const IS_RIGHT = 16;
const OPTION = 7;
const TYPED = 5;

/** The width of a digit in a cell, and what is left free beside it, in pixels. */
const CHARACTER = 7.5;
const CELL_EDGE = 5;

export interface Cell {
  verdict: CellVerdict;
  /** The letter of an option, or a number as it was typed. */
  chosen: Selected | undefined;
}

/** Rows and columns in the order in which they are shown. */
export class HeatMap {
  #cells: Uint8Array;
  /** The numbers, by the places of their cells. */
  #typed = new Map<number, string>();
  #width: number;

  constructor(
    readonly rows: ResultRow[],
    private questions: ResultQuestion[],
    /** Indices of the questions, from left to right. */
    readonly columns: number[],
    /** What the columns are called. */
    readonly labels: string[] = [],
  ) {
    this.#width = questions.length;
    this.#cells = new Uint8Array(rows.length * questions.length);
    rows.forEach(({ answers }, row) => {
      for (const [question, chosen, isRight] of answers) {
        if (question < 0 || question >= questions.length) continue;
        const place = row * this.#width + question;
        const option = chosen === null ? 0 : CHOICES.findIndex((choice) => choice === chosen) + 1 || TYPED;
        if (option === TYPED) this.#typed.set(place, chosen ?? "");
        this.#cells[place] = IS_ASKED | (isRight === 1 ? IS_RIGHT : 0) | option;
      }
    });
  }

  cell(row: number, column: number): Cell {
    const place = row * this.#width + (this.columns[column] ?? 0);
    const cell = this.#cells[place] ?? 0;
    const chosen = (cell & OPTION) === TYPED ? this.#typed.get(place) : CHOICES[(cell & OPTION) - 1];
    if ((cell & IS_ASKED) === 0) return { verdict: "notAsked", chosen: undefined };
    return { verdict: (cell & IS_RIGHT) !== 0 ? "right" : chosen === undefined ? "none" : "wrong", chosen };
  }

  question(column: number): ResultQuestion | undefined {
    return this.questions[this.columns[column] ?? -1];
  }
}

/** What a student got wrong or left out, in the order of the columns: the picture in words. */
export function mistakesOf(row: ResultRow, columns: number[]): { question: number; chosen: Selected | null }[] {
  const answers = new Map(row.answers.map(([question, chosen, isRight]) => [question, { chosen, isRight }]));
  return columns.flatMap((question) => {
    const answer = answers.get(question);
    return answer === undefined || answer.isRight === 1 ? [] : [{ question, chosen: answer.chosen }];
  });
}

/** As much of an answer as a cell has room for. */
export function shortAnswer(chosen: Selected, width: number): string {
  const characters = [...chosen];
  const room = Math.max(1, Math.floor((width - CELL_EDGE) / CHARACTER));
  return characters.length <= room ? chosen : `${characters.slice(0, room - 1).join("")}…`;
}

/** A place in the map: row −1 is the head with the questions, column −1 the names. */
export interface HeatPlace {
  row: number;
  column: number;
}

/** Where a key leads from here; undefined for a key that does not move. */
export function movedPlace(from: HeatPlace, key: string, isControl: boolean, size: { rows: number; columns: number; page: number }): HeatPlace | undefined {
  const last = { row: size.rows - 1, column: size.columns - 1 };
  const to = (row: number, column: number): HeatPlace => ({ row: clamp(row, -1, last.row), column: clamp(column, -1, last.column) });
  switch (key) {
    case "ArrowLeft":
      return to(from.row, from.column - 1);
    case "ArrowRight":
      return to(from.row, from.column + 1);
    case "ArrowUp":
      return to(from.row - 1, from.column);
    case "ArrowDown":
      return to(from.row + 1, from.column);
    case "PageUp":
      return to(from.row - size.page, from.column);
    case "PageDown":
      return to(from.row + size.page, from.column);
    case "Home":
      return to(isControl ? -1 : from.row, -1);
    case "End":
      return to(isControl ? last.row : from.row, last.column);
    default:
      return undefined;
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
