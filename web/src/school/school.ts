// The school as the server describes it, checked. Separate from its loading, which needs a browser.

export interface School {
  name: string;
  /** The address of the crest; empty without one. */
  crest: string;
  /** As `#rrggbb`; empty without one. */
  colour: string;
  /** The codes of the languages that pages offer, at least one. The first is for who has not chosen. */
  languages: string[];
  /** The name of its time zone; empty if this browser does not know it. */
  timeZone: string;
}

/** Only this address of the server's own is a crest, with the number of its version. */
const CREST = /^\/api\/school\/crest(\?[\w=.-]*)?$/;
const COLOUR = /^#[0-9a-f]{6}$/i;

/**
 * The school in an answer of the server; undefined while nobody has named it: the rest is then what every new server has,
 * and nobody's choice. `known` are the languages that the pages speak.
 */
export function schoolOf(answer: unknown, known: readonly string[]): School | undefined {
  const said = (typeof answer === "object" && answer !== null ? answer : {}) as Record<string, unknown>;
  const name = textOf(said["name"]).trim();
  if (name === "") return undefined;
  const [crest, colour] = [textOf(said["crest"]), textOf(said["colour"])];
  const languages = Array.isArray(said["languages"]) ? known.filter((code) => (said["languages"] as unknown[]).includes(code)) : [];
  const order = languages.length === 0 ? [] : (said["languages"] as string[]);
  return {
    name,
    crest: CREST.test(crest) ? crest : "",
    colour: COLOUR.test(colour) ? colour : "",
    languages: languages.length === 0 ? [...known] : languages.sort((one, other) => order.indexOf(one) - order.indexOf(other)),
    timeZone: zoneOf(textOf(said["timeZone"])),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function zoneOf(name: string): string {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return name;
  } catch {
    return "";
  }
}
