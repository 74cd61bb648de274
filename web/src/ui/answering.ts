// The actions of a student on the options of a question, for the parts that show them: the card and the sheet.

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
