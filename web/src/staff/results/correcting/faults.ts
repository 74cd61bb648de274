// Why a correction was refused, in the reader's words. What is not about corrections is said as on every page.

import { failure, type Answer } from "../../api";
import type { CorrectingTexts } from "./texts/en";

type Fault = keyof CorrectingTexts["faults"];

/** What the server says, by its status. */
const SAID: Record<number, Record<string, Fault>> = {
  400: { "Invalid options": "options" },
  403: { Forbidden: "notYours", "Not assigned to this grade": "notYours" },
  404: { "Not found": "gone", "Question not found": "gone" },
  409: { "Question has changed": "bankChanged", "Too many corrections": "tooMany" },
  412: { "Corrections have changed": "meanwhile", "Correction has changed": "changedBefore" },
};

/** Empty for an answer that is done. */
export function correctionFault(answer: Answer<unknown>, texts: CorrectingTexts): string {
  const fault = answer.kind === "refused" ? SAID[answer.status]?.[answer.error] : undefined;
  return fault === undefined ? failure(answer) : texts.faults[fault];
}
