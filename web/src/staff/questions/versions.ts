// Earlier versions of a question, worked out from the log of its edits: the question as it is, with later edits taken back.

import { CHOICES } from "../../exam/protocol";
import type { BankQuestion, QuestionEdit } from "./bank";
import { questionDraftOf, type QuestionDraft } from "./draft";
import { NUMBER, NUMBER_FORMS, NUMBER_LANGUAGES, MULTIPLE_CHOICE, type NumberDraft } from "./number_draft";

/** The question as it was after the edit at this place of the log, newest first; before all of them with the log's length. */
export function versionAfter(present: BankQuestion, edits: QuestionEdit[], place: number): QuestionDraft {
  const fields = new Map(edits.slice(0, place).flatMap(({ changes }) => changes.map(({ field, before }) => [field, before] as const)));
  const draft = questionDraftOf(present);
  const options = CHOICES.map((choice, index) => fields.get(`Option ${choice}`) ?? draft.options[index] ?? "");
  const kind = fields.get("Type");
  const type = kind === undefined ? draft.type : kind === NUMBER && options.every((option) => option === "") ? NUMBER : MULTIPLE_CHOICE;
  const answer = fields.get("Answer");
  const fixed = fields.get("Fixed options");
  return {
    ...draft,
    type,
    // The key of another type is no number.
    number: type === NUMBER ? numberAfter(draft.number, fields) : draft.number,
    question: fields.get("Question") ?? draft.question,
    // A question has no empty option between others.
    options: options.filter((option) => option !== ""),
    answer: answer === undefined ? draft.answer : CHOICES.find((choice) => choice === answer),
    explanation: fields.get("Explanation") ?? draft.explanation,
    image: fields.get("Image") ?? draft.image,
    imageDescription: fields.get("Image description") ?? draft.imageDescription,
    topic: fields.get("Topic") ?? draft.topic,
    subtopic: fields.get("Subtopic") ?? draft.subtopic,
    difficulty: Number(fields.get("Difficulty") ?? draft.difficulty),
    source: fields.get("Source") ?? draft.source,
    fixedOptions: fixed === undefined ? draft.fixedOptions : fixed === "yes",
  };
}

function numberAfter(draft: NumberDraft, fields: ReadonlyMap<string, string>): NumberDraft {
  const forms = fields.get("Forms")?.split(", ");
  return {
    answer: fields.get("Answer") ?? draft.answer,
    tolerance: fields.get("Tolerance") ?? draft.tolerance,
    unit: fields.get("Unit") ?? draft.unit,
    forms: forms === undefined ? draft.forms : NUMBER_FORMS.filter((form) => forms.includes(form)),
    language: NUMBER_LANGUAGES.find((language) => language === fields.get("Language")) ?? draft.language,
  };
}
