// What speaks against a key, in words: beside the question, and before its results are released.

import type { KeyDoubt } from "./key_doubts";
import type { ResultsTexts } from "./texts/en";

export function doubtWords(doubts: KeyDoubt[], isNumber: boolean, texts: ResultsTexts): string {
  const said = (doubt: KeyDoubt) => {
    if (doubt.kind === "another") return (isNumber ? texts.doubts.anotherNumber : texts.doubts.another)(doubt.choice, doubt.count, doubt.right);
    return doubt.kind === "few" ? texts.doubts.few(doubt.right, doubt.asked) : texts.doubts.backwards;
  };
  return doubts.map(said).join(" ");
}
