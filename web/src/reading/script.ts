// The script of a question that is read aloud, piece by piece: its text, its picture and its options, with signs and
// formulas in words.

import { seenChoices, seenLetter } from "../exam/option_order";
import { CHOICES, type Choice } from "../exam/protocol";
import type { Question } from "../exam/question";
import { pieces } from "../math/pieces";
import { formulaWords } from "./formula";
import type { Tongue } from "./tongues";

export type SpokenPart = "question" | "picture" | Choice;

export interface SpokenPiece {
  part: SpokenPart;
  text: string;
}

/** Some voices stop in the middle of what is longer. */
const LENGTH_MAX = 180;
const SIGNS = /[×÷−=≠≤≥≈±√∠△∥⊥°²³<>+%∞π]/g;

export function scriptOf(question: Pick<Question, "question" | "options" | "order" | "image"> & { imageDescription?: string; unit?: string }, tongue: Tongue): SpokenPiece[] {
  const { image = "", imageDescription = "", unit = "" } = question;
  const picture = image === "" ? "" : imageDescription === "" ? tongue.picture : spoken(imageDescription, tongue);
  const parts: [SpokenPart, string][] = [
    ["question", spoken(question.question, tongue)],
    ["picture", picture],
    ...seenChoices(question).map((choice): [SpokenPart, string] => [choice, `${seenLetter(choice, question.order)}: ${spoken(question.options[CHOICES.indexOf(choice)] ?? "", tongue)}`]),
    // It stands behind the box.
    ["question", spoken(unit, tongue)],
  ];
  return parts.flatMap(([part, text]) => sentences(text).map((sentence) => ({ part, text: sentence })));
}

/** A text of a question in words. */
export function spoken(text: string, tongue: Tongue): string {
  const words = pieces(text).map((piece) => (piece.isMath ? ` ${formulaWords(piece.text, tongue)} ` : plain(piece.text, tongue)));
  return words.join("").replace(/\s+/g, " ").replace(/ (?=[.,;?!])/g, "").trim();
}

/** Text without formulas, in which signs stand for themselves. */
function plain(text: string, tongue: Tongue): string {
  return text
    .replace(/_{2,}|\.{4,}|…/g, ` ${tongue.blank} `)
    .replace(/(^|[^\d/])(\d{1,3})\/(\d{1,3})(?![\d/])/g, (_, before: string, above: string, below: string) => `${before}${tongue.fraction(above, below, true)}`)
    .replace(/(^|[(=+×÷<>:,]\s*)[-−](?=\d)/g, (_, before: string) => `${before}${tongue.negative} `)
    .replace(/ [-−–] (?=\d)/g, ` ${tongue.signs["-"]} `)
    .replace(SIGNS, (sign) => ` ${tongue.signs[sign] ?? sign} `);
}

/** Sentences, and parts of those that are too long. */
function sentences(text: string): string[] {
  const whole = text.match(/[^.?!]+(?:[.?!](?=\d)[^.?!]*)*[.?!]*\s*/g) ?? [];
  return whole.flatMap((sentence) => cut(sentence.trim())).filter((sentence) => sentence !== "");
}

function cut(sentence: string): string[] {
  if (sentence.length <= LENGTH_MAX) return [sentence];
  const comma = sentence.lastIndexOf(", ", LENGTH_MAX) + 1;
  const space = sentence.lastIndexOf(" ", LENGTH_MAX);
  const end = comma > LENGTH_MAX / 2 ? comma : space > 0 ? space : LENGTH_MAX;
  return [sentence.slice(0, end).trim(), ...cut(sentence.slice(end).trim())];
}
