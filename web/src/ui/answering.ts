// The actions of a student on the answer to a question, for the parts that show it: the card and the sheet.

import type { Choice, Selected } from "../exam/protocol";
import type { NumberTools } from "../number/tools";

export interface Answering {
  selected: Selected | null;
  /** The options that are crossed out. */
  eliminated: readonly Choice[];
  isReadOnly: boolean;
  choose: (choice: Choice) => void;
  /** Crosses an option out, or restores it. */
  eliminate: (choice: Choice) => void;
  /**
   * Takes what stands in the box for a number; `isDone` when the student turns away from it, `isHeld` while an input method is
   * at work on it. The question is named, since a box that is taken away may tell its last text when the next question is
   * there already. Missing in a preview.
   */
  type?: (questionId: string, text: string, isDone: boolean, isHeld: boolean) => void;
  /** What reads a number that is typed, once it is here. */
  numbers?: NumberTools | undefined;
}
