// What the hall is called: by the school's name, or by the program's own while nobody has named the school.

import { school } from "../school/shown.svelte";
import { staffTexts } from "./texts/texts.svelte";

export function hallName(): string {
  return school()?.name ?? staffTexts().hall;
}
