// Why a class could not be made or changed, in the reader's language.

import { failure, type Answer } from "../api";
import { classTexts } from "./texts/texts.svelte";

const EXISTS = "Class exists";

export function classFault(answer: Answer<unknown>): string {
  return answer.kind === "refused" && answer.error === EXISTS ? classTexts().exists : failure(answer);
}
