// What did not arrive: a student whose test has ended is told of it, and nobody is told so falsely.

import type { Command, Standing } from "./protocol";

/** Answers and drawings among these that the server does not have; it is asked, since it may have them without having said so. */
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
