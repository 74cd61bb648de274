// What the palette of formulas inserts: LaTeX for a formula, and for signs and units also plain characters for the text around it.

export const PIECE_GROUPS = ["structures", "signs", "units"] as const;
export type PieceGroup = (typeof PIECE_GROUPS)[number];

/** Stands for what is written next; the first one takes what is selected. */
export const GAP = "▢";

/** What a button shows, what it inserts into a formula, and what into plain text if that needs no formula. */
const PIECES = {
  fraction: { group: "structures", shown: "½", tex: "\\frac{▢}{▢}" },
  mixed: { group: "structures", shown: "2⅓", tex: "▢\\frac{▢}{▢}" },
  power: { group: "structures", shown: "xⁿ", tex: "▢^{▢}" },
  squared: { group: "structures", shown: "x²", tex: "▢^2" },
  index: { group: "structures", shown: "xₙ", tex: "▢_{▢}" },
  root: { group: "structures", shown: "√", tex: "\\sqrt{▢}" },
  nthRoot: { group: "structures", shown: "ⁿ√", tex: "\\sqrt[▢]{▢}" },
  brackets: { group: "structures", shown: "( )", tex: "\\left(▢\\right)" },
  absolute: { group: "structures", shown: "|x|", tex: "\\left|▢\\right|" },
  formula: { group: "structures", shown: "$ $", tex: "▢" },
  times: { group: "signs", shown: "×", tex: "\\times ", plain: "×" },
  divided: { group: "signs", shown: "÷", tex: "\\div ", plain: "÷" },
  minus: { group: "signs", shown: "−", tex: "-", plain: "−" },
  plusMinus: { group: "signs", shown: "±", tex: "\\pm ", plain: "±" },
  atMost: { group: "signs", shown: "≤", tex: "\\le ", plain: "≤" },
  atLeast: { group: "signs", shown: "≥", tex: "\\ge ", plain: "≥" },
  notEqual: { group: "signs", shown: "≠", tex: "\\ne ", plain: "≠" },
  about: { group: "signs", shown: "≈", tex: "\\approx ", plain: "≈" },
  pi: { group: "signs", shown: "π", tex: "\\pi ", plain: "π" },
  angle: { group: "signs", shown: "∠", tex: "\\angle ", plain: "∠" },
  parallel: { group: "signs", shown: "∥", tex: "\\parallel ", plain: "∥" },
  perpendicular: { group: "signs", shown: "⊥", tex: "\\perp ", plain: "⊥" },
  triangle: { group: "signs", shown: "△", tex: "\\triangle ", plain: "△" },
  degree: { group: "units", shown: "°", tex: "^\\circ ", plain: "°" },
  percent: { group: "units", shown: "%", tex: "\\%", plain: "%" },
  centimetre: { group: "units", shown: "cm", tex: "\\text{ cm}", plain: " cm" },
  squareCentimetre: { group: "units", shown: "cm²", tex: "\\text{ cm}^2", plain: " cm²" },
  cubicCentimetre: { group: "units", shown: "cm³", tex: "\\text{ cm}^3", plain: " cm³" },
  metre: { group: "units", shown: "m", tex: "\\text{ m}", plain: " m" },
  squareMetre: { group: "units", shown: "m²", tex: "\\text{ m}^2", plain: " m²" },
  kilogram: { group: "units", shown: "kg", tex: "\\text{ kg}", plain: " kg" },
  litre: { group: "units", shown: "l", tex: "\\text{ l}", plain: " l" },
  speed: { group: "units", shown: "km/h", tex: "\\text{ km/h}", plain: " km/h" },
} as const satisfies Record<string, PalettePiece>;

export type PieceName = keyof typeof PIECES;

export interface PalettePiece {
  group: PieceGroup;
  shown: string;
  tex: string;
  plain?: string;
}

export function pieceNamed(name: PieceName): PalettePiece {
  return PIECES[name];
}

export function piecesOf(group: PieceGroup): PieceName[] {
  return (Object.keys(PIECES) as PieceName[]).filter((name) => PIECES[name].group === group);
}
