// What all pages may say, by the server's rules (domain/src/status_message.rs).

export const STATUS_LANGUAGES = ["en", "vi"] as const;
/** Of one language. */
export const STATUS_LETTERS_MAX = 300;

/** The text as it is sent: one line; undefined if it is too long. */
export function statusText(typed: string): string | undefined {
  const line = typed.trim().replace(/\s+/g, " ");
  return [...line].length <= STATUS_LETTERS_MAX ? line : undefined;
}
