// Inserts a piece of the palette at the cursor of a field: into the formula that it stands in, or with dollar signs of its own.

import { isInFormula } from "../../math/inside";
import { GAP, type PalettePiece } from "./palette_pieces";

/** Braces that wait for something. */
const EMPTY = "{}";

export interface Insertion {
  /** What is replaced. */
  from: number;
  to: number;
  text: string;
  /** Where the cursor goes: into the first gap that is empty, or behind what was inserted. */
  cursor: number;
}

/** Selected text goes into the first gap, unless it is partly a formula and partly not. */
export function insertion(text: string, from: number, to: number, { tex, plain }: PalettePiece): Insertion {
  const isWithin = isInFormula(text, from) && isInFormula(text, to) && !text.slice(from, to).includes("$");
  if (!isWithin && plain !== undefined) return placed(to, unitAt(text, to, plain));
  if (!tex.includes(GAP)) return placed(to, tex);
  const selected = text.slice(from, to);
  const filling = isWithin ? selected : fillingOf(selected);
  const begin = filling === undefined ? to : from;
  const { written, gap } = filled(tex, filling ?? "");
  if (isWithin) return { from: begin, to, text: written, cursor: begin + (gap ?? written.length) };
  // A dollar sign before a digit closes nothing.
  const around = `$${written}$${/\d/.test(text[to] ?? "") ? " " : ""}`;
  return { from: begin, to, text: around, cursor: begin + (gap === undefined ? around.length : gap + 1) };
}

/** Where the Tab key leads within a formula: into its next empty braces; undefined without any, so that the key leaves the field. */
export function nextGap(text: string, at: number): number | undefined {
  const gap = text.indexOf(EMPTY, at) + 1;
  const isSame = gap > 0 && isInFormula(text, at) && isInFormula(text, gap) && !text.slice(at, gap).includes("$");
  return isSame ? gap : undefined;
}

/** What is selected as LaTeX: text without a formula, or one formula with nothing beside it. */
function fillingOf(selected: string): string | undefined {
  const [, formula] = /^\$([^$\s](?:[^$]*[^$\s])?)\$$/.exec(selected) ?? [];
  return formula ?? (selected.includes("$") ? undefined : selected.trim());
}

function filled(tex: string, selected: string): { written: string; gap: number | undefined } {
  const first = tex.indexOf(GAP);
  const written = first < 0 || selected === "" ? tex : tex.replace(GAP, () => selected);
  const gap = written.indexOf(GAP, selected === "" || first < 0 ? 0 : first + selected.length);
  return { written: written.replaceAll(GAP, ""), gap: gap < 0 ? undefined : gap };
}

/** A unit has its blank after a number, and not after another blank or at the beginning. */
function unitAt(text: string, at: number, plain: string): string {
  return /\s|^$/.test(text.slice(at - 1, at)) ? plain.trimStart() : plain;
}

/** What is selected stays. */
function placed(at: number, text: string): Insertion {
  return { from: at, to: at, text, cursor: at + text.length };
}
