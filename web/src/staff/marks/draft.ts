// A scale of marks while somebody chooses it: one that is ready-made, or the fields of an own one as they are typed,
// and what is wrong with them.

import { hundredths, SCORE_LEAST, SCORE_MOST, type LabelScale, type MarkBasis, type MarkScale, type NumberScale } from "../../marks/scale";
import type { Language } from "../../texts/choice.svelte";
import { isSameScale, presetOf, presetScale, PRESETS, type ScalePreset } from "./presets";

/** `school` stands for whatever the school has at the time when a test is made from a template. */
export type SentScale = MarkScale | "school" | null;
export type ScaleChoice = "school" | "template" | "none" | ScalePreset | "own";

export interface LabelRow {
  label: string;
  /** What is typed; of the last row nothing, since it begins at the lowest result. */
  from: string;
}

export interface OwnScale {
  type: MarkScale["type"];
  basis: MarkBasis;
  worst: string;
  best: string;
  step: number;
  rounding: NumberScale["rounding"];
  /** Empty for none. */
  pass: string;
  rows: LabelRow[];
  /** The last row with which a test is passed; -1 for none. */
  passRow: number;
}

export interface ScaleDraft {
  choice: ScaleChoice;
  /** What the fields of an own scale hold, whether or not they are shown. */
  own: OwnScale;
}

export type ScaleFault = "number" | "same" | "steps" | "pass" | "few" | "label" | "longLabel" | "twice" | "from" | "order";
/** By the fields of numbers, or by the rows of words: `row-0` and so on. */
export type ScaleFaults = Partial<Record<string, ScaleFault>>;

export const NUMBER_MAX = 1_000;
export const LABELS_MIN = 2;
export const LABELS_MAX = 20;
export const LABEL_MAX = 24;
const NUMBER = /^[-−]?\d{1,4}([.,]\d{1,2})?$/;

/** A number with two decimals at most, by either decimal sign; NaN for anything else. */
export function numberTyped(text: string): number {
  const trimmed = text.trim();
  return NUMBER.test(trimmed) ? Number(trimmed.replace("−", "-").replace(",", ".")) : NaN;
}

const leastOf = (basis: MarkBasis) => (basis === "score" ? SCORE_LEAST : 0);
const mostOf = (basis: MarkBasis) => (basis === "score" ? SCORE_MOST : 100);

/** What stands in the fields of an own scale if nothing was chosen before. */
const usual = () => ownOf(presetScale("ten", "en"));

export function scaleDraft(scale: SentScale | "template" | undefined): ScaleDraft {
  if (scale === "school" || scale === "template") return { choice: scale, own: usual() };
  if (scale == null) return { choice: "none", own: usual() };
  return { choice: presetOf(scale) ?? "own", own: ownOf(scale) };
}

/** Another choice. Whoever makes an own scale begins with what was chosen before. */
export function withChoice(draft: ScaleDraft, choice: ScaleChoice, language: Language): ScaleDraft {
  const preset = PRESETS.find((name) => name === choice);
  return { choice, own: preset === undefined ? draft.own : ownOf(presetScale(preset, language)) };
}

function ownOf(scale: MarkScale): OwnScale {
  const unused = { worst: "0", best: "10", step: 0.5, rounding: "nearest" as const, pass: "5", rows: [{ label: "A", from: "50" }, { label: "B", from: "" }], passRow: -1 };
  const { type, basis } = scale;
  if (scale.type === "numbers") {
    const { worst, best, step, rounding, pass } = scale;
    const rows = unused.rows.map((row, index) => (index === 0 ? { ...row, from: String((leastOf(basis) + mostOf(basis)) / 2) } : row));
    return { ...unused, rows, type, basis, worst: String(worst), best: String(best), step, rounding, pass: pass == null ? "" : String(pass) };
  }
  const rows = scale.labels.map(({ label, from }, index) => ({ label, from: index === scale.labels.length - 1 ? "" : String(from) }));
  return { ...unused, type, basis, rows, passRow: scale.labels.findIndex(({ label }) => label === scale.pass) };
}

/** Words are of something else from now on, and are given from the same place between all and nothing. */
export function withBasis(own: OwnScale, basis: MarkBasis): OwnScale {
  const [from, to] = [own.basis, basis];
  if (mostOf(from) === mostOf(to)) return { ...own, basis };
  const moved = (text: string) => {
    const typed = numberTyped(text);
    const share = (typed - leastOf(from)) / (mostOf(from) - leastOf(from));
    const value = leastOf(to) + share * (mostOf(to) - leastOf(to));
    // Scores are whole numbers.
    return Number.isNaN(typed) ? text : String(to === "score" ? Math.round(value) : hundredths(value) / 100);
  };
  return { ...own, basis, rows: own.rows.map((row) => ({ ...row, from: moved(row.from) })) };
}

/** One more word before the last one. */
export function withRow(own: OwnScale): OwnScale {
  const last = own.rows.length - 1;
  const rows = [...own.rows.slice(0, last), { label: "", from: "" }, ...own.rows.slice(last)];
  return { ...own, rows, passRow: own.passRow >= last ? own.passRow + 1 : own.passRow };
}

export function withoutRow(own: OwnScale, place: number): OwnScale {
  const rows = own.rows.filter((_, index) => index !== place);
  // The last word begins at the lowest result, whichever it is.
  const lowest = rows.map((row, index) => (index === rows.length - 1 ? { ...row, from: "" } : row));
  const passRow = own.passRow === place ? -1 : own.passRow > place ? own.passRow - 1 : own.passRow;
  return { ...own, rows: lowest, passRow };
}

/** The scale that is chosen here; null for none, and for one from elsewhere. Of what is wrong, numbers are NaN. */
export function chosenScale({ choice, own }: ScaleDraft): MarkScale | null {
  if (choice === "school" || choice === "template" || choice === "none") return null;
  return own.type === "numbers" ? numbersOf(own) : labelsOf(own);
}

/** Whether a scale has been chosen or typed, right or wrong, that is not the one of before. */
export function isScaleChanged(draft: ScaleDraft, before: MarkScale | null | undefined): boolean {
  return isScaleWrong(draft) || !isSameScale(chosenScale(draft), before);
}

/** What a template is sent. */
export function sentScale(draft: ScaleDraft): SentScale {
  return draft.choice === "school" ? "school" : chosenScale(draft);
}

function numbersOf({ basis, worst, best, step, rounding, pass }: OwnScale): NumberScale {
  const passing = pass.trim() === "" ? {} : { pass: numberTyped(pass) };
  return { type: "numbers", basis, worst: numberTyped(worst), best: numberTyped(best), step, rounding, ...passing };
}

function labelsOf({ basis, rows, passRow }: OwnScale): LabelScale {
  const last = rows.length - 1;
  const labels = rows.map(({ label, from }, index) => ({ label: label.trim(), from: index === last ? leastOf(basis) : numberTyped(from) }));
  const pass = labels[passRow]?.label;
  return { type: "labels", basis, labels, ...(pass === undefined ? {} : { pass }) };
}

/** What is wrong with an own scale. Whether its pass mark lies within it is asked once the rest is right. */
export function scaleFaults({ choice, own }: ScaleDraft): ScaleFaults {
  if (choice !== "own") return {};
  return own.type === "numbers" ? numberFaults(numbersOf(own)) : labelFaults(labelsOf(own));
}

function numberFaults({ worst, best, step, pass }: NumberScale): ScaleFaults {
  const faults: ScaleFaults = {};
  const isNumber = (value: number) => !Number.isNaN(value) && Math.abs(value) <= NUMBER_MAX;
  const isStep = (value: number) => hundredths(value) % hundredths(step) === 0;
  for (const [name, value] of [["worst", worst], ["best", best]] as const) {
    if (!isNumber(value)) faults[name] = "number";
    else if (!isStep(value)) faults[name] = "steps";
  }
  if (faults["worst"] === undefined && worst === best) faults["best"] = "same";
  if (pass == null) return faults;
  const [least, most] = [Math.min(worst, best), Math.max(worst, best)];
  if (!isNumber(pass)) faults["pass"] = "number";
  else if (Object.keys(faults).length === 0 && (pass < least || pass > most)) faults["pass"] = "pass";
  return faults;
}

/** Whether a result can be so: a share in per cent, or a score, which is a whole number. */
function isResult(from: number, basis: MarkBasis): boolean {
  return from >= leastOf(basis) && from <= mostOf(basis) && (basis !== "score" || Number.isInteger(from));
}

function labelFaults({ basis, labels }: LabelScale): ScaleFaults {
  const faults: ScaleFaults = {};
  if (labels.length < LABELS_MIN) faults["rows"] = "few";
  labels.forEach(({ label, from }, index) => {
    const above = labels[index - 1]?.from ?? Infinity;
    const name = `row-${index}`;
    if (label === "") faults[name] = "label";
    else if ([...label].length > LABEL_MAX) faults[name] = "longLabel";
    else if (labels.findIndex((other) => other.label === label) < index) faults[name] = "twice";
    else if (!isResult(from, basis)) faults[name] = "from";
    else if (from >= above) faults[name] = "order";
  });
  return faults;
}

export function isScaleWrong(draft: ScaleDraft): boolean {
  return Object.keys(scaleFaults(draft)).length > 0;
}
