// What a question that asks for a number needs beside its box: how the number is read, and a pad of keys. Loaded only for tests
// that have such a question.

import NumberPad from "./NumberPad.svelte";
import NumberReading from "./NumberReading.svelte";

/** Whether the keys of this device would cover half of the page and hide the fraction bar: a phone or a tablet. */
function hasPad(): boolean {
  return matchMedia("(pointer: coarse)").matches;
}

export const numberTools = { NumberPad, NumberReading, hasPad };
export type NumberTools = typeof numberTools;
