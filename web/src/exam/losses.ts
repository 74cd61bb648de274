// Counts the answers and drawings that a test ended without. Separate because it must not be wrong in either direction:
// a student has to learn of a loss, and must not be frightened by one that did not happen.

import type { Command, Standing } from "./protocol";

/** Counts the answers and drawings among these that the server does not have. It may have some without having said so. */
export function lossesOf(unsaved: Command[], standing: Standing | undefined): number {
  const selected = new Map((standing?.answers ?? []).map((answer) => [answer.questionId, answer.selected]));
  const drawings = standing?.drawings ?? {};
  const isLost = (command: Command) => {
    if (command.type === "answer") return standing === undefined || (selected.get(command.questionId) ?? null) !== command.selected;
    if (command.type === "drawing") return JSON.stringify(drawings[command.questionId] ?? null) !== JSON.stringify(command.drawing);
    return false;
  };
  return unsaved.filter(isLost).length;
}
