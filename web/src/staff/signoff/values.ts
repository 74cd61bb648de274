// The value of a field as a page says it: marks and names are logged in English.

type FieldWords = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The ways of writing a number are several in one value. */
export function shownValue(field: string, text: string, words: FieldWords): string {
  const of = Object.hasOwn(words, field) ? words[field] : undefined;
  if (of === undefined) return text;
  return text.split(", ").map((one) => (Object.hasOwn(of, one) ? (of[one] ?? one) : one)).join(", ");
}
