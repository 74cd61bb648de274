// Why a change of a template was refused, in the reader's language and with what can be done instead.

import { failure, type Answer } from "../api";
import type { TemplateTexts } from "./texts/en";

export function refusalSentence(answer: Answer<unknown>, texts: TemplateTexts): string {
  if (answer.kind === "refused") {
    const known = texts.refusals[answer.error as keyof typeof texts.refusals];
    if (known !== undefined) return known;
  }
  return failure(answer);
}
