import { expect, test } from "vitest";
import { candidateRow } from "../desk/testing/rows";
import { byHall } from "./by_hall";

test("names stand below those of their halls", () => {
  const rows = [candidateRow("1"), candidateRow("2", { room: "C3" }), candidateRow("3")];
  const { room: _, ...nowhere } = candidateRow("4");
  expect(byHall([...rows, nowhere]).map(([hall, those]) => [hall, those.map(({ student }) => student)])).toEqual([["B12", ["1", "3"]], ["C3", ["2"]], ["", ["4"]]]);
  expect(byHall([])).toEqual([]);
});
