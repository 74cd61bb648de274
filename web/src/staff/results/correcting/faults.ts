// Why a correction was refused, in the reader's words. What is not about corrections is said as on every page.

import { failure, type Answer } from "../../api";
import type { CorrectingTexts } from "./texts/en";

type Fault = keyof CorrectingTexts["faults"];

/** What the server says, by its status. */
const SAID: Record<number, Record<string, Fault>> = {
  400: { "Invalid options": "options" },
  403: { Forbidden: "notYours", "Not assigned to this grade": "notYours" },
  404: { "Not found": "gone", "Question not found": "gone" },
  409: { "Question has changed": "otherOptions", "Too many corrections": "tooMany", "There is another correction with this id": "meanwhile" },
  412: { "Corrections have changed": "meanwhile", "Correction has changed": "changedBefore" },
  503: { "The server is busy": "busy" },
};

/** Empty for an answer that is done. With `isMended`, the question in the bank was to be changed too, and what has changed may be that. */
export function correctionFault(answer: Answer<unknown>, texts: CorrectingTexts, isMended = false): string {
  const said = answer.kind === "refused" ? SAID[answer.status]?.[answer.error] : undefined;
  const fault = said === "otherOptions" && isMended ? "bankChanged" : said;
  return fault === undefined ? failure(answer) : texts.faults[fault];
}
