// Reads an access code as a candidate types it (domain/src/move_code.rs has the letters), and says what can't be right
// before the server is asked.

import { seenForm } from "../same";

const LETTERS = "23456789ACDEFGHJKMNPQRTVWXY";
/** Letters that no code has, and what they are taken for. */
const LOOK_ALIKES: Record<string, string> = { B: "8", S: "5", Z: "2" };
export const CODE_CHARACTERS = 10;
/** Slips that were printed before codes had ten characters still count. A code that a proctor reads aloud has as many. */
const EARLIER_CHARACTERS = 8;
/** Of the code of an exam, which is a part of its address. */
const EXAM_CHARACTERS = 5;
const GROUP = 5;

/** What was typed, as codes are written: capital letters with a hyphen in the middle. Nothing that was typed goes. */
export function asCode(typed: string): string {
  const letters = lettersOf(typed);
  if (letters.length === EARLIER_CHARACTERS) return `${letters.slice(0, EARLIER_CHARACTERS / 2)}-${letters.slice(EARLIER_CHARACTERS / 2)}`;
  return letters.length > GROUP ? `${letters.slice(0, GROUP)}-${letters.slice(GROUP)}` : letters;
}

export type CodeProblem = { kind: "letter"; letter: string } | { kind: "length"; length: number };

/** What is wrong with it, if anything is; a code that looks right may still be nobody's. */
export function problemOf(typed: string): CodeProblem | undefined {
  const letters = lettersOf(typed);
  const letter = [...letters].find((one) => !LETTERS.includes(one) && LOOK_ALIKES[one] === undefined);
  if (letter !== undefined) return { kind: "letter", letter };
  return [CODE_CHARACTERS, EARLIER_CHARACTERS].includes(letters.length) ? undefined : { kind: "length", length: letters.length };
}

/** The access code in the part of an address after `#`, where the QR code of an entry slip has it. */
export function codeIn(hash: string): string | undefined {
  const code = hash.slice(1);
  return problemOf(code) === undefined ? asCode(code) : undefined;
}

/** Whether it may be a code with which a proctor lets a test go on with another device. */
export function isProctorsCode(typed: string): boolean {
  return problemOf(typed) === undefined && lettersOf(typed).length === EARLIER_CHARACTERS;
}

/** The code of an exam, if that was typed: it stands in the address on the board. */
export function examIn(typed: string): string | undefined {
  const letters = [...lettersOf(typed)].map((letter) => LOOK_ALIKES[letter] ?? letter);
  return letters.length === EXAM_CHARACTERS && letters.every((letter) => LETTERS.includes(letter)) ? letters.join("") : undefined;
}

/** Between the letters may stand blanks and every dash, also the one that a Japanese keyboard has on the key of the hyphen. */
function lettersOf(typed: string): string {
  return seenForm(typed)
    .replace(/[\s\p{Pd}ー─]/gu, "")
    .toUpperCase();
}
