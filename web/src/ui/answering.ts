// What a student may do with the options of a question, for those who show them: the card and the sheet.

import type { Choice } from "../exam/protocol";

export interface Answering {
  selected: Choice | null;
  /** The options that are crossed out. */
  eliminated: readonly Choice[];
  isReadOnly: boolean;
  choose: (choice: Choice) => void;
  /** Crosses an option out, or restores it. */
  eliminate: (choice: Choice) => void;
}
