import { expect, test } from "vitest";
import golden from "../../../tests/golden/more_time.json";
import { moreTimeIn, moreTimeOf, moreTimeText, type BareNumbers } from "./more_time";

const BARE: BareNumbers[] = ["percent", "minutes", undefined];

test("what says what it is means the same wherever it stands, as the server reads it", () => {
  expect(golden.said.length).toBeGreaterThan(10);
  for (const bare of BARE) {
    for (const [text, kind, value] of golden.said) expect(moreTimeIn(String(text), bare), `${text} with ${bare}`).toEqual({ kind, value });
    for (const text of golden.unsaid) expect(moreTimeIn(text, bare), `${text} with ${bare}`).toBeUndefined();
  }
});

test("a bare number is what the column or the field is about, and nothing where that is not said", () => {
  for (const [text, factor, minutes] of golden.bare) {
    expect(moreTimeIn(String(text), "percent")?.value ?? null, `${text} percent`).toBe(factor);
    expect(moreTimeIn(String(text), "minutes")?.value ?? null, `${text} minutes`).toBe(minutes);
    expect(moreTimeIn(String(text)), `${text}`).toBeUndefined();
  }
  expect([moreTimeIn("100 %", "percent")?.value, moreTimeIn("100 %")]).toEqual([100, undefined]);
});

test("it is said as what it adds", () => {
  expect([moreTimeText({ kind: "factor", value: 133 }), moreTimeText({ kind: "minutes", value: 10 })]).toEqual(["+33 %", "+10 min"]);
});

test("two fields are read together, and nothing is said twice", () => {
  const said = (factor: string, extraMinutes: string) => {
    const { factor: percent, minutes, isFactorWrong, areMinutesWrong } = moreTimeOf({ factor, extraMinutes });
    return [percent, minutes, isFactorWrong, areMinutesWrong];
  };
  expect(said("+25 %", "10")).toEqual([125, 10, false, false]);
  expect(said("", " ")).toEqual([undefined, undefined, false, false]);
  expect(said("+10 min", "")).toEqual([undefined, 10, false, false]);
  expect(said("", "1/3")).toEqual([133, undefined, false, false]);
  expect(said("25", "1/3")).toEqual([125, undefined, false, true]);
  expect(said("1.25", "12.5")).toEqual([undefined, undefined, true, true]);
});
