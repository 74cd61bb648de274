// Tells what each of the texts is that somebody drops on the page: receipts, a proof, a checkpoint or keys.

import { isProof, readNote } from "../receipts/note";
import { receiptsIn } from "../receipts/receipt";

/** The texts of the page's fields. */
export interface GivenTexts {
  receipt: string;
  proof: string;
  checkpoint: string;
  keys: string;
}

/** The fields with what these texts belong to; several receipts follow each other, and of all else the last one counts. */
export function sortedTexts(texts: string[]): Partial<GivenTexts> {
  const found: Partial<GivenTexts> = {};
  for (const text of texts) {
    if (isProof(text)) found.proof = text;
    else if (receiptsIn(text).length > 0) found.receipt = found.receipt === undefined ? text.trim() : `${found.receipt}\n${text.trim()}`;
    else if (readNote(text) !== undefined) found.checkpoint = text;
    else if (/"keys"\s*:|\+[0-9a-f]{8}\+/.test(text)) found.keys = text;
    // What nothing is known of is shown where a receipt is looked for, and refused there.
    else found.receipt ??= text;
  }
  return found;
}
