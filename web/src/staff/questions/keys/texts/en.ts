// What the pages of questions say of types of questions and of numbers as keys, in English.

import type { NumberLanguage } from "../../../../exam/question";
import type { NumberForm } from "../../../../math/number";
import type { QuestionType } from "../../number_draft";

const en = {
  type: "Type of question",
  allTypes: "All types",
  types: { "multiple-choice": "Multiple choice", number: "A number" } satisfies Record<QuestionType, string>,
  typeHint: "Of four options, one can be guessed. A number is typed, and read as it was meant: 0.5, ½ and 2/4 are the same.",
  numberAndKey: "The right number",
  answer: "Number",
  answerHint: "In digits, without groups: 12, -3 or 0.5. A fraction such as 31/20 is stored as its decimal, 1.55.",
  tolerance: "Tolerance",
  toleranceHint: "How far an answer may be from it. Empty: not at all.",
  unit: "Unit",
  unitHint: "Stands behind the box, such as cm. Students need not type it.",
  forms: "Ways of writing that count",
  formNames: { decimal: "Decimal (0.5)", fraction: "Fraction (1/2)", mixed: "Mixed number (2 1/2)" } satisfies Record<NumberForm, string>,
  formsHint: "A whole number counts in each. Leave the fraction out where the question is a division, or its own text would be an answer.",
  language: "How digits are read",
  languages: { en: "As in English: 1,234.5", vi: "As in Vietnamese: 1.234,5" } satisfies Record<NumberLanguage, string>,
  /** Before the right number. */
  right: "Right:",
  onlyForms: (forms: string) => `only as: ${forms}`,
  noNumber: "No number is right yet.",
  given: "Numbers that were given",
  moreGave: (text: string) => `More gave ${text} than the right number`,
  otherType: "The question was of another type then, so this version can’t be restored. Write a new question instead.",
};

export default en;
export type KeyTexts = typeof en;
