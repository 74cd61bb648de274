// A text without marks of direction, for a field or a file: there it stands alone, and may become a name itself.

export function unmarked(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "");
}
