// What is said once the server has done its work for a correction. Loaded when there is something to say.

import type { Correction } from "./correction";
import { correctingTexts } from "./texts/texts.svelte";

/** Of a correction that was applied or taken back, with what its question is called. */
export function whatWasDone({ revertedAt, progress }: Correction, label: string): string {
  const texts = correctingTexts();
  return revertedAt === null ? texts.done(label, progress.total) : texts.takenBack(label, progress.total);
}
