// Reads a number as it was typed, by the rules of the server (domain/src/number/reading.rs): what a student is told while they
// type is what is graded later. The cases in tests/golden/numbers.json keep the two alike.

import { TYPED_CHARACTERS_MAX } from "../exam/protocol";
import type { NumberLanguage } from "../exam/question";
import { seenForm } from "../same";

/** The ways of writing a number: `0.5`, `1/2` and `2 1/2`. */
export type NumberForm = "decimal" | "fraction" | "mixed";

/** A number, and how it is written. */
export interface NumberRead {
  form: NumberForm;
  isNegative: boolean;
  /** The digits before a fraction, or all of a decimal, with its sign in the language; empty for a fraction alone. */
  whole: string;
  fraction?: { above: string; below: string };
  /** In one line, without groups and unit: `-2 1/2`. */
  text: string;
  /** Whether the unit was typed behind it. */
  hasUnit: boolean;
  /** The value in lowest terms, with the sign above. */
  top: bigint;
  bottom: bigint;
}

/** As many digits as a key may have on each side of its point. */
const KEY_DIGITS_MAX = 18;
const FRACTION_CHARACTERS = /[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒]/g;
const DECIMAL_SIGN: Record<NumberLanguage, string> = { en: ".", vi: "," };
const GROUP_SIGN: Record<NumberLanguage, string> = { en: ",", vi: "." };

/** What was typed into a box with this unit behind it; undefined if it is no number. */
export function readNumber(typed: string, language: NumberLanguage = "en", unit = ""): NumberRead | undefined {
  const [text, shownUnit] = [plainForm(typed), plainForm(unit)];
  const hasUnit = shownUnit !== "" && text.endsWith(shownUnit);
  const signed = (hasUnit ? text.slice(0, -shownUnit.length) : text).trimEnd();
  if ((signed.match(/\d/g)?.length ?? 0) > TYPED_CHARACTERS_MAX) return undefined;
  const isNegative = signed.startsWith("-");
  const number = /^[-+]/.test(signed) ? signed.slice(1).trimStart() : signed;
  const bar = number.indexOf("/");
  const size = bar === -1 ? decimalIn(number, language) : fractionIn(number.slice(0, bar).trimEnd(), number.slice(bar + 1).trimStart());
  if (size === undefined) return undefined;
  const { top, bottom, ...shown } = size;
  const common = commonDivisor(top, bottom);
  const parts = [shown.whole, shown.fraction === undefined ? "" : `${shown.fraction.above}/${shown.fraction.below}`];
  const line = `${isNegative ? "-" : ""}${parts.filter((part) => part !== "").join(" ")}`;
  return { ...shown, isNegative, hasUnit, text: line, top: (isNegative ? -top : top) / common, bottom: bottom / common };
}

/** Whether two texts are one number, in whatever way each is written; of what is no number, whether they look the same. */
export function isSameNumber(one: string, other: string, language: NumberLanguage = "en", unit = ""): boolean {
  const [first, second] = [readNumber(one, language, unit), readNumber(other, language, unit)];
  if (first === undefined || second === undefined) return first === second && plainForm(one) === plainForm(other);
  return first.top === second.top && first.bottom === second.bottom;
}

/** The number as a decimal with a point; undefined for one that has no end, such as a third, or too many decimals. */
export function shortDecimal({ top, bottom }: NumberRead): string | undefined {
  const [sign, size] = top < 0n ? ["-", -top] : ["", top];
  for (let places = 0; places <= KEY_DIGITS_MAX; places += 1) {
    const scale = 10n ** BigInt(places);
    if (scale % bottom !== 0n) continue;
    const digits = String((size * scale) / bottom).padStart(places + 1, "0");
    return `${sign}${places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`}`;
  }
  return undefined;
}

/** A key or a tolerance, which have a point in every language, as it is written in this one. */
export function readKey(key: string, language: NumberLanguage = "en"): NumberRead | undefined {
  return readNumber(key.replace(".", DECIMAL_SIGN[language]), language);
}

/** A number as a key has it, with a point, or undefined for what can be none: a fraction, or what may have groups of digits. */
export function keyDecimal(typed: string): string | undefined {
  const text = plainForm(typed);
  const isNegative = text.startsWith("-");
  const digits = /^[-+]/.test(text) ? text.slice(1).trimStart() : text;
  if (isGrouped(digits, ",")) return undefined;
  const [, before = "", after = ""] = /^(\d*)(?:[.,](\d*))?$/.exec(digits) ?? [];
  const whole = before.replace(/^0+/, "");
  if (before + after === "" || Math.max(whole.length, after.length) > KEY_DIGITS_MAX) return undefined;
  const sign = isNegative && /[1-9]/.test(whole + after) ? "-" : "";
  return `${sign}${whole === "" ? "0" : whole}${after === "" ? "" : `.${after}`}`;
}

type Size = Omit<NumberRead, "isNegative" | "hasUnit" | "text">;

/** In the characters of a plain keyboard: digits, minus signs and blanks of one kind, and fractions with a bar. */
function plainForm(text: string): string {
  const apart = seenForm(text).replace(FRACTION_CHARACTERS, (fraction) => ` ${fraction.normalize("NFKC")} `);
  return apart.replace(/[\u2044\u2215]/g, "/").replace(/[\u2014\u207B\u2796]/g, "-").replace(/\s+/g, " ").trim();
}

/** Neither part has groups of digits: `2 100/3` could be either. */
function fractionIn(before: string, denominator: string): Size | undefined {
  const parts = before.split(" ");
  const [whole = "", numerator = ""] = parts.length === 1 ? ["", before] : [parts[0], parts.slice(1).join(" ")];
  const isWritten = areDigits(numerator) && areDigits(denominator) && (parts.length === 1 || areDigits(whole));
  if (!isWritten || BigInt(denominator) === 0n) return undefined;
  const [above, below] = [BigInt(numerator), BigInt(denominator)];
  const fraction = { above: String(above), below: String(below) };
  if (parts.length === 1) return { form: "fraction", whole: "", fraction, top: above, bottom: below };
  if (above >= below) return undefined;
  return { form: "mixed", whole: String(BigInt(whole)), fraction, top: BigInt(whole) * below + above, bottom: below };
}

/** By the rules of the language only where it could be read in two ways. */
function decimalIn(text: string, language: NumberLanguage): Size | undefined {
  const place = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
  if (place === -1) return joined(text, " ", "", language);
  const [before, after] = [text.slice(0, place), text.slice(place + 1)];
  const sign = text.charAt(place);
  const other = sign === "." ? "," : ".";
  if (before.includes(sign) || (sign === GROUP_SIGN[language] && isGrouped(text, sign))) {
    return isGrouped(text, sign) ? joined(text, sign, "", language) : undefined;
  }
  if (before.includes(other)) return isGrouped(before, other) ? joined(before, other, after, language) : undefined;
  if (before === "" && after === "") return undefined;
  return joined(before === "" ? "0" : before, " ", after, language);
}

/** The whole part, which may have groups with this sign between them, and its decimals. */
function joined(whole: string, sign: string, decimals: string, language: NumberLanguage): Size | undefined {
  if (whole.includes(sign) && !isGrouped(whole, sign)) return undefined;
  const [before, places] = [whole.replaceAll(sign, ""), decimals.length];
  if (!areDigits(before + decimals)) return undefined;
  const digits = String(BigInt(before + decimals)).padStart(places + 1, "0");
  const shown = places === 0 ? digits : `${digits.slice(0, -places)}${DECIMAL_SIGN[language]}${digits.slice(-places)}`;
  return { form: "decimal", whole: shown, top: BigInt(digits), bottom: 10n ** BigInt(places) };
}

/** Groups of three digits with this sign between them, the first of which may be shorter and does not begin with 0. */
function isGrouped(text: string, sign: string): boolean {
  const [first = "", ...rest] = text.split(sign);
  return /^[1-9]\d{0,2}$/.test(first) && rest.length > 0 && rest.every((group) => /^\d{3}$/.test(group));
}

function areDigits(text: string): boolean {
  return /^\d+$/.test(text);
}

function commonDivisor(one: bigint, other: bigint): bigint {
  return other === 0n ? (one === 0n ? 1n : one) : commonDivisor(other, one % other);
}
