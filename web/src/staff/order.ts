// The order of names and other texts, the same on every page and as the server sorts them.

/** The Vietnamese order of letters is the Latin one with more letters, so it serves English names too, in both languages alike. */
const collator = new Intl.Collator("vi", { numeric: true });

export function compareTexts(one: string | null | undefined, other: string | null | undefined): number {
  return collator.compare(one ?? "", other ?? "");
}
