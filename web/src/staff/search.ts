// How texts are compared when people search: without regard to case and accents.

/** The letters of a text without case, accents, and the bar of the Vietnamese đ: “duc” finds “Đức”. */
export function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("đ", "d");
}

/** The words that somebody has typed, folded. */
export function wordsOf(typed: string): string[] {
  return folded(typed)
    .split(/\s+/)
    .filter((word) => word !== "");
}
