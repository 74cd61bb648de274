// Keeps a name from turning the text around it, where there is no element that could: in sentences, titles, and what screen
// readers say. A name of right-to-left letters, or with marks of direction, is isolated, and marks that turn what follows are
// taken out. `domain/src/text/direction.rs` does the same on the server, and elements of the pages have `<bdi>`.

/** Marks that turn what follows, and what is isolated already. */
const TURNING = /(\u2068[^\u202a-\u202e\u2066-\u2069]*\u2069)|[\u202a-\u202e\u2066-\u2069]/g;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

export function isolated(name: string): string {
  const kept = name.replace(TURNING, "$1");
  return RIGHT_TO_LEFT.test(kept) ? `\u2068${kept}\u2069` : kept;
}

/** The texts of a catalogue, which isolate whatever they are told. */
export function isolating<T>(texts: T): T {
  if (typeof texts === "function") {
    const said = texts as unknown as (...told: unknown[]) => unknown;
    return ((...told: unknown[]) => said(...told.map(within))) as T;
  }
  if (typeof texts !== "object" || texts === null || Array.isArray(texts)) return texts;
  return Object.fromEntries(Object.entries(texts).map(([name, inner]) => [name, isolating(inner)])) as T;
}

function within(told: unknown): unknown {
  return typeof told === "string" ? isolated(told) : Array.isArray(told) ? told.map(within) : told;
}
