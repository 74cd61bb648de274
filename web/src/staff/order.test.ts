import { expect, test } from "vitest";
import { byRowName, bySeat, type Row } from "./desk/row";
import { compareTexts } from "./order";
import { sittingsByDay } from "./sittings/days";
import type { Sitting } from "./sittings/shapes";

const NAMES = ["Ánh Trần", "Dũng", "Đức", "Emma", "Nguyễn Thị Minh Khai", "Nguyễn Thu Hà", "Room 2", "Room 10"];

test("names stand in the order of their language, on lists, on the desk and in rooms", () => {
  const mixed = NAMES.toReversed();
  expect(mixed.toSorted(compareTexts)).toEqual(NAMES);
  const row = (student: string) => ({ student }) as Row;
  expect(
    mixed
      .map(row)
      .toSorted(byRowName)
      .map(({ student }) => student),
  ).toEqual(NAMES);
  expect(
    mixed
      .map((room) => ({ room, student: "" }) as Row)
      .toSorted(bySeat)
      .map(({ room }) => room),
  ).toEqual(NAMES);
  const sitting = (name: string) => ({ name, startsAt: "2026-03-02T09:00:00Z" }) as Sitting;
  expect(sittingsByDay(mixed.map(sitting), 0).flatMap(({ sittings }) => sittings.map(({ name }) => name))).toEqual(NAMES);
});
