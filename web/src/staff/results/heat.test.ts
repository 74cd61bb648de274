import { expect, test } from "vitest";
import { HeatMap, mistakesOf, movedPlace, shortAnswer } from "./heat";
import { answers, numberResult, resultQuestion, resultRow } from "./testing/results";

const questions = ["a", "b", "c"].map((id, index) => resultQuestion({ id, number: index + 1 }));

test("each cell says what was chosen and whether it was right, in the order of the columns", () => {
  const map = new HeatMap([resultRow("Ada", { answers: answers("Bc-") }), resultRow("Bo", { answers: answers(" D ") })], questions, [2, 1, 0]);
  const shown = [0, 1].map((row) => [0, 1, 2].map((column) => map.cell(row, column)));
  expect(shown).toEqual([
    [{ verdict: "none", chosen: undefined }, { verdict: "wrong", chosen: "C" }, { verdict: "right", chosen: "B" }],
    [{ verdict: "notAsked", chosen: undefined }, { verdict: "right", chosen: "D" }, { verdict: "notAsked", chosen: undefined }],
  ]);
  expect([map.question(0)?.id, map.question(3)]).toEqual(["c", undefined]);
});

test("an answer to a question that is not there spoils no other cell", () => {
  const map = new HeatMap([resultRow("Ada", { answers: [[7, "A", 1], [-1, "A", 1]] }), resultRow("Bo")], questions, [0, 1, 2]);
  expect([0, 1].flatMap((row) => [0, 1, 2].map((column) => map.cell(row, column).verdict))).toEqual(Array(6).fill("notAsked"));
});

test("five thousand students and forty questions are ready without a wait", () => {
  const many = Array.from({ length: 40 }, (_, index) => resultQuestion({ number: index + 1 }));
  const rows = Array.from({ length: 5_000 }, (_, index) => resultRow(`Student ${index}`, { answers: answers("BcD-".repeat(10)) }));
  const startedAt = performance.now();
  const map = new HeatMap(rows, many, many.map((_, index) => index));
  const takenMs = performance.now() - startedAt;
  expect(map.cell(4_999, 38)).toEqual({ verdict: "right", chosen: "D" });
  // It takes some 50 ms. Work that grew with the square would take minutes, and a busy machine must not fail the test.
  expect(takenMs).toBeLessThan(5_000);
});

test("in words the picture is what each got wrong or left out", () => {
  expect(mistakesOf(resultRow("Ada", { answers: answers("Bc-A") }), [3, 2, 1, 0])).toEqual([
    { question: 2, chosen: null },
    { question: 1, chosen: "C" },
  ]);
});

test("keys move through cells, names and the head, and stop at the edges", () => {
  const size = { rows: 100, columns: 20, page: 10 };
  const from = { row: 0, column: 0 };
  const go = (key: string, place = from, isControl = false) => movedPlace(place, key, isControl, size);
  expect(go("ArrowUp")).toEqual({ row: -1, column: 0 });
  expect(go("ArrowLeft")).toEqual({ row: 0, column: -1 });
  expect(go("ArrowLeft", { row: 0, column: -1 })).toEqual({ row: 0, column: -1 });
  expect(go("PageDown", { row: 95, column: 3 })).toEqual({ row: 99, column: 3 });
  expect(go("PageUp", { row: 5, column: 3 })).toEqual({ row: -1, column: 3 });
  expect(go("End")).toEqual({ row: 0, column: 19 });
  expect(go("End", from, true)).toEqual({ row: 99, column: 19 });
  expect(go("Home", { row: 50, column: 7 })).toEqual({ row: 50, column: -1 });
  expect(go("Home", { row: 50, column: 7 }, true)).toEqual({ row: -1, column: -1 });
  expect(go("x")).toBeUndefined();
});

test("a cell of a number has what was typed, and shows as much of it as there is room for", () => {
  const mixed = [resultQuestion({ id: "a" }), numberResult({ id: "b" })];
  const rows = [resultRow("Ada", { answers: [[0, "C", 0], [1, "0,75", 1]] }), resultRow("Bo", { answers: [[0, null, 0], [1, "2 1/2", 0]] })];
  const map = new HeatMap(rows, mixed, [1, 0]);
  expect([map.cell(0, 0), map.cell(1, 0), map.cell(0, 1)]).toEqual([
    { verdict: "right", chosen: "0,75" },
    { verdict: "wrong", chosen: "2 1/2" },
    { verdict: "wrong", chosen: "C" },
  ]);
  expect(mistakesOf(rows[1] ?? resultRow(""), [0, 1])).toEqual([
    { question: 0, chosen: null },
    { question: 1, chosen: "2 1/2" },
  ]);
  expect([shortAnswer("C", 28), shortAnswer("2/3", 28), shortAnswer("2 1/2", 28), shortAnswer("2 1/2", 64)]).toEqual(["C", "2/3", "2 …", "2 1/2"]);
});
