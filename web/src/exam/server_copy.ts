// The server's answers, as far as this page knows them. It shows what another device has written, and is what a page
// that reloads without a network can show.

import type { Command, StoredAnswer, StoredDrawing } from "./protocol";

/** Question id to the number of its stored answer. */
export type KnownNumbers = Record<string, number>;
export type Drawings = Record<string, StoredDrawing>;
/** By question id; null for a drawing that is gone. */
export type ChangedDrawings = Record<string, StoredDrawing | null>;

/** The drawings after these changes. */
export function withDrawings(drawings: Drawings, changed: ChangedDrawings): Drawings {
  return Object.fromEntries(Object.entries({ ...drawings, ...changed }).filter((entry): entry is [string, StoredDrawing] => entry[1] !== null));
}

export class ServerCopy {
  /**
   * The highest number of this device's present line that the server has saved. Those of older lines say nothing of what it
   * has now: another device may go over them with lower ones.
   */
  savedHighest = 0;

  constructor(
    public numbers: KnownNumbers,
    public drawings: Drawings,
  ) {}

  /** Whether this is the drawing that the server had before. */
  isDrawing(questionId: string, drawing: StoredDrawing | undefined): boolean {
    return JSON.stringify(this.drawings[questionId]) === JSON.stringify(drawing);
  }

  /** The server has saved these commands of a device with this line. Returns the drawings that changed by it. */
  saved(commands: Command[], line: number | undefined): ChangedDrawings {
    const changed: ChangedDrawings = {};
    for (const command of commands) {
      if (command.type === "drawing") changed[command.questionId] = command.drawing;
      else this.numbers[command.questionId] = Math.max(this.numbers[command.questionId] ?? 0, command.seq);
      if (command.line === line) this.savedHighest = Math.max(this.savedHighest, command.seq);
    }
    this.drawings = withDrawings(this.drawings, changed);
    return changed;
  }

  /** The server has sent all that it has. Returns the drawings that changed by it. */
  stands(answers: StoredAnswer[], drawings: Drawings): ChangedDrawings {
    const ids = [...new Set([...Object.keys(this.drawings), ...Object.keys(drawings)])].filter((id) => !this.isDrawing(id, drawings[id]));
    this.numbers = Object.fromEntries(answers.map((answer) => [answer.questionId, answer.seq]));
    this.drawings = drawings;
    return Object.fromEntries(ids.map((id) => [id, drawings[id] ?? null]));
  }
}
