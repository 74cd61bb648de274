// Why a class could not be made, changed or removed, in the reader's language.

import { failure, type Answer } from "../api";
import { classTexts } from "./texts/texts.svelte";

const EXISTS = "Class exists";
const IN_TEMPLATES = "Templates are for this class";

export function classFault(answer: Answer<unknown>): string {
  if (answer.kind !== "refused") return failure(answer);
  if (answer.error === EXISTS) return classTexts().exists;
  return answer.error === IN_TEMPLATES ? classTexts().inTemplates(templatesOf(answer.body)) : failure(answer);
}

function templatesOf(body: unknown): string[] {
  const { templates } = (body ?? {}) as { templates?: unknown };
  return Array.isArray(templates) ? templates.filter((name) => typeof name === "string") : [];
}
