// A number in words, for screen readers: a bar between two numbers is not read by itself.

import type { NumberRead } from "../math/number";
import type { NumberTexts } from "../texts/number/en";

export function spokenNumber({ isNegative, whole, fraction }: NumberRead, words: NumberTexts): string {
  const size = fraction === undefined ? whole : whole === "" ? words.over(fraction.above, fraction.below) : words.mixed(whole, fraction.above, fraction.below);
  return isNegative ? `${words.minus} ${size}` : size;
}
