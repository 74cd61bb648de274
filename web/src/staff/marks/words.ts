// A scale of marks in one line of words.

import type { MarkScale } from "../../marks/scale";
import { writtenMark, writtenNumber } from "../../marks/written";
import type { Language } from "../../texts/choice.svelte";
import type { MarksTexts } from "./texts/en";

export function scaleInWords(scale: MarkScale | null | undefined, texts: MarksTexts, language: Language): string {
  if (scale == null) return texts.noScale;
  const said =
    scale.type === "labels"
      ? texts.labelsSaid(scale.labels.map(({ label }) => label))
      : texts.numbersSaid(writtenNumber(scale.worst, language), writtenNumber(scale.best, language), writtenNumber(scale.step, language));
  const pass = scale.pass == null ? [] : [texts.passSaid(writtenMark(String(scale.pass), language))];
  return [said, ...pass, texts.basisSaid[scale.basis]].join("; ");
}
