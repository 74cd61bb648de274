import { expect, test } from "vitest";
import { exampleMarks } from "./examples";
import { presetScale } from "./presets";

test("examples go from everything right to nothing, and show where the pass mark lies", () => {
  const examples = exampleMarks(presetScale("ten", "en"));
  expect([examples[0], examples.at(-1)]).toEqual([
    { result: 100, mark: { text: "10.0", passed: true } },
    { result: 0, mark: { text: "0.0", passed: false } },
  ]);
  expect(new Set(examples.map(({ mark }) => mark.passed)).size).toBe(2);
});

test("a scale by score shows scores", () => {
  const examples = exampleMarks({ type: "labels", basis: "score", labels: [{ label: "good", from: 500 }, { label: "fair", from: 200 }] });
  expect(examples.map(({ result, mark }) => `${result} ${mark.text}`).slice(4, 7)).toEqual(["560 good", "500 good", "440 fair"]);
});
