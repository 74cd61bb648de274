import { expect, test } from "vitest";
import golden from "../../../../tests/golden/marks.json";
import type { MarkScale } from "../../marks/scale";
import { chosenScale, isScaleChanged, isScaleWrong, numberTyped, scaleDraft, scaleFaults, sentScale, withBasis, withChoice, withoutRow, withRow, type OwnScale, type ScaleDraft } from "./draft";
import { isSameScale, presetOf, PRESETS, presetScale } from "./presets";

const own = (changes: Partial<OwnScale>, from: MarkScale = presetScale("ten", "en")): ScaleDraft => {
  const draft = withChoice(scaleDraft(from), "own", "en");
  return { ...draft, own: { ...draft.own, ...changes } };
};
const ofWords = (changes: Partial<OwnScale> = {}) => own(changes, presetScale("letters", "en"));
const faults = (changes: Partial<OwnScale>) => scaleFaults(own(changes));

test("every scale that the server takes goes through the fields and comes out as it was", () => {
  const scales = [...golden.scales, ...golden.marks.map(({ scale }) => scale)] as unknown as MarkScale[];
  expect(scales.length).toBeGreaterThan(10);
  for (const scale of scales) {
    const draft = scaleDraft(scale);
    expect(isScaleWrong({ ...draft, choice: "own" }), JSON.stringify(scale)).toBe(false);
    expect(isSameScale(chosenScale({ ...draft, choice: "own" }), scale), JSON.stringify(scale)).toBe(true);
  }
});

test("a ready-made scale is found again, whatever the language in which it was chosen", () => {
  for (const preset of PRESETS) {
    const draft = withChoice(scaleDraft(null), preset, "vi");
    expect(chosenScale(draft)).toEqual(presetScale(preset, "vi"));
    expect([isScaleWrong(draft), scaleDraft(presetScale(preset, "vi")).choice]).toEqual([false, preset]);
  }
  expect(presetOf({ ...presetScale("ten", "en"), basis: "points" })).toBeUndefined();
});

test("none, the school's and the template's have no scale of their own", () => {
  expect([scaleDraft("school"), scaleDraft(undefined), scaleDraft("template")].map(({ choice }) => choice)).toEqual(["school", "none", "template"]);
  expect([sentScale(scaleDraft("school")), sentScale(scaleDraft(null)), chosenScale(scaleDraft("school"))]).toEqual(["school", null, null]);
});

test("numbers are read with either decimal sign, and with two decimals at most", () => {
  expect(["7,5", " 7.25 ", "-1", "−1", "10"].map(numberTyped)).toEqual([7.5, 7.25, -1, -1, 10]);
  expect(["", "a", "1.", "1.234", "1e3", "--1", "1 000"].map(numberTyped)).toEqual(Array(7).fill(NaN));
});

test("what is wrong with a scale of numbers stands at its field", () => {
  expect(faults({})).toEqual({});
  expect(faults({ worst: "x", best: "1001" })).toEqual({ worst: "number", best: "number" });
  expect(faults({ worst: "10" })).toEqual({ best: "same" });
  expect(faults({ best: "9.75" })).toEqual({ best: "steps" });
  expect([faults({ pass: "11" }), faults({ pass: "viel" }), faults({ pass: " " })]).toEqual([{ pass: "pass" }, { pass: "number" }, {}]);
  expect(faults({ worst: "6", best: "1", pass: "4" })).toEqual({});
});

test("what is wrong with words stands at its row", () => {
  const rows = (...list: [string, string][]) => scaleFaults(ofWords({ rows: list.map(([label, from]) => ({ label, from })) }));
  expect(rows(["A", "50"], ["B", ""])).toEqual({});
  expect(rows(["Hoàn thành tốt", "90"], ["Hoàn thành", "50"], ["Chưa hoàn thành", ""]), "what law calls the marks of Vietnamese primary schools").toEqual({});
  expect(rows(["A", ""])).toEqual({ rows: "few" });
  expect(rows([" ", "90"], ["twenty-five characters so", "80"], ["C", "x"], ["C", ""])).toEqual({ "row-0": "label", "row-1": "longLabel", "row-2": "from", "row-3": "twice" });
  expect(rows(["A", "50"], ["B", "50"], ["C", "101"], ["D", ""])).toEqual({ "row-1": "order", "row-2": "from" });
  // Nobody has less than the lowest result, so the first word would be everybody's.
  expect(rows(["A", "0"], ["B", ""])).toEqual({ "row-1": "order" });
  expect(scaleFaults(ofWords({ basis: "score", rows: [{ label: "A", from: "650,5" }, { label: "B", from: "" }] }))).toEqual({ "row-0": "from" });
});

test("words stay at their place when they are of something else from now on", () => {
  const { own: before } = ofWords();
  const after = withBasis(before, "score");
  expect(after.rows.map(({ from }) => from)).toEqual(["740", "680", "620", "560", ""]);
  expect(withBasis(after, "points").rows).toEqual(before.rows);
  expect(withBasis({ ...before, rows: [{ label: "A", from: "x" }, { label: "B", from: "" }] }, "score").rows[0]?.from).toBe("x");
});

test("rows come before the last one, and the pass mark stays with its word", () => {
  const { own: before } = ofWords();
  const labels = ({ rows }: OwnScale) => rows.map(({ label }) => label);
  const more = withRow(before);
  expect([labels(more), more.passRow]).toEqual([["A", "B", "C", "D", "", "F"], 3]);
  expect([labels(withoutRow(before, 0)), withoutRow(before, 0).passRow]).toEqual([["B", "C", "D", "F"], 2]);
  expect(withoutRow(before, 3).passRow).toBe(-1);
  expect(withoutRow(before, 4).rows.at(-1)).toEqual({ label: "D", from: "" });
});

test("a scale that is being typed is changed, also while it is wrong", () => {
  const before = presetScale("ten", "en");
  const draft = withChoice(scaleDraft(before), "own", "en");
  expect([isScaleChanged(scaleDraft(before), before), isScaleChanged(draft, before), isScaleChanged(scaleDraft(null), undefined)]).toEqual([false, false, false]);
  expect([isScaleChanged(scaleDraft(null), before), isScaleChanged({ ...draft, own: { ...draft.own, best: "9" } }, before)]).toEqual([true, true]);
  expect(isScaleChanged({ ...draft, own: { ...draft.own, best: "" } }, before)).toBe(true);
});
