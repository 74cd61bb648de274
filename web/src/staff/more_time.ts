// More time as people write it: "+25 %", "1/3", "+10 min". The server reads lists by the same rules (domain/src/sitting/more_time.rs).

/** So much of the usual time in percent, or so many minutes on top of it. */
export interface MoreTime {
  kind: "factor" | "minutes";
  value: number;
}

/** What bare numbers are: percentages or minutes; undefined where nothing says so. */
export type BareNumbers = "percent" | "minutes" | undefined;

const FACTOR_MAX = 400;
const MINUTES_MAX = 600;
const DENOMINATOR_MAX = 20;
const MINUTES = /^(?:min|mins|minutes?|phút|phut|['’′])\.*$/;
const SIGNS: Record<string, [number, number]> = { "½": [1, 2], "⅓": [1, 3], "⅔": [2, 3], "¼": [1, 4], "¾": [3, 4], "⅕": [1, 5], "⅒": [1, 10] };

/** Undefined for what could mean another thing, and for what is out of limits. */
export function moreTimeIn(text: string, bare?: BareNumbers): MoreTime | undefined {
  const plain = text.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
  const isMore = plain.startsWith("+");
  const said = isMore ? plain.slice(1).trimStart() : plain;
  const share = fractionIn(said);
  if (share !== undefined) return factor(100 + share);
  const [, digits, unit = ""] = /^(\d{1,3})(?:\.0+)?(\D*)$/.exec(said) ?? [];
  if (digits === undefined) return undefined;
  const number = Number(digits);
  const word = unit.trim().replace(/\.+$/, "");
  if (word === "%" || (word === "" && bare === "percent")) return percent(number, isMore, bare);
  return MINUTES.test(word) || (word === "" && bare === "minutes") ? minutes(number) : undefined;
}

/** Nobody gets less than the usual time. 100 % may be all of it or twice as much. */
function percent(number: number, isMore: boolean, bare: BareNumbers): MoreTime | undefined {
  if (number === 100 && !isMore && bare === undefined) return undefined;
  return factor(isMore || number < 100 ? 100 + number : number);
}

function factor(value: number): MoreTime | undefined {
  return value <= FACTOR_MAX ? { kind: "factor", value } : undefined;
}

function minutes(value: number): MoreTime | undefined {
  return value <= MINUTES_MAX ? { kind: "minutes", value } : undefined;
}

/** A part of the usual time, in whole percent. */
function fractionIn(text: string): number | undefined {
  const [, above, below] = /^(\d{1,3}) ?[/⁄] ?(\d{1,3})$/.exec(text) ?? [];
  const [part, whole] = SIGNS[text] ?? [Number(above), Number(below)];
  return part > 0 && part < whole && whole <= DENOMINATOR_MAX ? Math.floor((100 * part + Math.floor(whole / 2)) / whole) : undefined;
}

/** A factor as what it adds: 125 is `+25 %`. */
export function moreTimeText({ kind, value }: MoreTime): string {
  return kind === "factor" ? `+${value - 100} %` : `+${value} min`;
}

/** What two fields say together, the one of percent and the one of minutes; each may have what belongs into the other. */
export interface SaidMoreTime {
  factor: number | undefined;
  minutes: number | undefined;
  /** Which of the fields can't be read, or says again what the other one says. */
  isFactorWrong: boolean;
  areMinutesWrong: boolean;
}

export function moreTimeOf(fields: { factor: string; extraMinutes: string }): SaidMoreTime {
  const said: SaidMoreTime = { factor: undefined, minutes: undefined, isFactorWrong: false, areMinutesWrong: false };
  const take = (text: string, bare: BareNumbers): boolean => {
    if (text.trim() === "") return true;
    const more = moreTimeIn(text, bare);
    if (more === undefined || said[more.kind] !== undefined) return false;
    said[more.kind] = more.value;
    return true;
  };
  said.isFactorWrong = !take(fields.factor, "percent");
  said.areMinutesWrong = !take(fields.extraMinutes, "minutes");
  return said;
}
