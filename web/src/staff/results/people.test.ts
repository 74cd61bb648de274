import { expect, test } from "vitest";
import { folded } from "../search";
import { sortedByName, byRight, byScore, choicesOf, compareNumbers, filteredResults, type ResultFilters } from "./people";
import { studentName } from "./answer";
import { resultRow } from "./testing/results";

const ALL: ResultFilters = { search: "", room: "", state: "", measure: "right", least: undefined, most: undefined, mark: "" };
const names = (rows: { student: string }[]) => rows.map(({ student }) => student);

test("names are in the order of the Vietnamese alphabet, and numbers in that of their values", () => {
  const rows = ["Đỗ Minh", "Êmily", "Dương An", "Eva", "Ân", "Anh", "Ăn", "Student 10", "Student 9"].map((name) => resultRow(name));
  expect(names(sortedByName(rows))).toEqual(["Anh", "Ăn", "Ân", "Dương An", "Đỗ Minh", "Eva", "Êmily", "Student 9", "Student 10"]);
});

test("the best come first, then by right answers and name, and those without a result last", () => {
  const same = [resultRow("Cy", { score: 300 }), resultRow("Al", { score: 300 }), resultRow("Ed", { score: 300, right: 11 })];
  const rows = [resultRow("Bo", { score: null, right: null }), ...same, resultRow("Di", { score: 700 })];
  expect(names(byScore(rows))).toEqual(["Di", "Ed", "Al", "Cy", "Bo"]);
});

test("by right answers their share counts, whatever they bring, then the score and the name", () => {
  const of = (name: string, right: number | null, questions: number | null, score: number | null) => resultRow(name, { right, questions, score });
  const rows = [of("Bo", null, null, null), of("Cy", 5, 10, 700), of("Al", 10, 20, 500), of("Di", 6, 10, 400), of("Ed", 0, 0, 200)];
  expect(names(byRight(rows))).toEqual(["Di", "Cy", "Al", "Ed", "Bo"]);
});

test("nobody's value is lower than the lowest, and two without one are equal", () => {
  expect([compareNumbers(null, 0), compareNumbers(1, undefined), compareNumbers(null, undefined)].map(Math.sign)).toEqual([-1, 1, 0]);
});

test("a search needs no accents, finds accounts, rooms and seats, and wants every word", () => {
  const rows = [
    resultRow("Nguyễn Văn Đức", { account: "duc@school.example", room: "B12", seat: "14" }),
    resultRow("Ada Lovelace", { account: "ada@school.example", room: "B12" }),
  ];
  const found = (search: string) => names(filteredResults(rows, { ...ALL, search }));
  expect(found("nguyen duc")).toEqual(["Nguyễn Văn Đức"]);
  expect(found("ĐỨC")).toEqual(["Nguyễn Văn Đức"]);
  expect(found("b12 lovelace")).toEqual(["Ada Lovelace"]);
  expect(found("@school.example")).toHaveLength(2);
  expect(found("ada duc")).toEqual([]);
  expect(folded("Đặng")).toBe("dang");
});

test("rooms, states and a range narrow down together", () => {
  const rows = [
    resultRow("in", { room: "A1", right: 10, questions: 20 }),
    resultRow("other room", { room: "A2", right: 10, questions: 20 }),
    resultRow("too good", { room: "A1", right: 12, questions: 20 }),
    resultRow("absent", { room: "A1", state: "absent", right: null, questions: null }),
  ];
  expect(names(filteredResults(rows, { ...ALL, room: "A1", least: 50, most: 60 }))).toEqual(["in"]);
  expect(names(filteredResults(rows, { ...ALL, state: "absent" }))).toEqual(["absent"]);
  expect(names(filteredResults(rows, { ...ALL, least: 0 }))).toEqual(["in", "other room", "too good"]);
});

test("the end of the scale belongs to the last range", () => {
  const rows = [resultRow("full", { right: 20, questions: 20, score: 800 }), resultRow("most", { right: 18, questions: 20, score: 750 })];
  expect(names(filteredResults(rows, { ...ALL, least: 90, most: 100 }))).toEqual(["full", "most"]);
  expect(names(filteredResults(rows, { ...ALL, measure: "score", least: 750, most: 800 }))).toEqual(["full", "most"]);
  expect(names(filteredResults(rows, { ...ALL, measure: "score", least: 700, most: 750 }))).toEqual([]);
});

test("only rooms and states that occur can be chosen", () => {
  const rows = [resultRow("a", { room: "B2" }), resultRow("b", { room: "B10", state: "absent" }), resultRow("c", { room: null })];
  expect(choicesOf(rows)).toEqual({ rooms: ["B2", "B10"], states: ["submitted", "absent"] });
});

test("whoever has given no name is called by the account, or by their test", () => {
  const rows = [resultRow("", { account: "ada@school.example" }), resultRow("", { sessionId: "0b0e7c1d-31c1-4a60" })];
  expect(rows.map(studentName)).toEqual(["ada@school.example", "0b0e7c1d"]);
  expect(filteredResults(rows, { ...ALL, search: "0b0e" })).toEqual([rows[1]]);
});
