import { expect, test } from "vitest";
import { faultsNow, goneOf, type RoomFault, type Gone } from "./faults";
import { candidateRow } from "./testing/rows";

const NINE = Date.parse("2026-01-05T09:00:00.000Z");
/** Students of a hall by the seconds at which they went, in some order. */
const gone = (room: string, ...seconds: number[]): Gone[] => seconds.map((second, index) => ({ key: `${room}${index}`, room, at: NINE + second * 1_000 }));
const look = (away: Gone[], here: Record<string, number>, second: number, before: RoomFault[] = []) => faultsNow(before, away, new Map(Object.entries(here)), NINE + second * 1_000);
const shown = (faults: RoomFault[]) => faults.map(({ room, since, keys }) => [room, (since - NINE) / 1_000, keys.size]);

test.each<[string, Gone[], Record<string, number>, number, unknown[]]>([
  ["fifteen of thirty within ten seconds", gone("B", ...Array.from({ length: 15 }, (_, index) => index * 0.6)), { B: 30 }, 20, [["B", 0, 15]]],
  ["five of fifteen", gone("B", 0, 2, 4, 6, 10), { B: 15 }, 20, [["B", 0, 5]]],
  ["five of sixteen are less than a third", gone("B", 0, 2, 4, 6, 10), { B: 16 }, 20, []],
  ["four of four are too few", gone("B", 0, 1, 2, 3), { B: 4 }, 20, []],
  ["five within more than ten seconds", gone("B", 0, 3, 6, 9, 10.1), { B: 5 }, 20, []],
  ["somebody went long before", gone("B", -300, 0, 1, 2, 3, 4), { B: 9 }, 20, [["B", 0, 5]]],
  ["others follow one after another", gone("B", 0, 1, 2, 3, 4, 13, 22, 40), { B: 12 }, 60, [["B", 0, 7]]],
  ["a network that blinks", gone("B", 0, 0, 0, 0, 0), { B: 5 }, 4.9, []],
  ["halls are counted each for itself", [...gone("B", 0, 1, 2, 3), ...gone("C", 0, 0, 0, 0, 0, 0)], { B: 4, C: 6 }, 20, [["C", 0, 6]]],
  ["without halls", gone("", 0, 1, 2, 3, 4), { "": 10 }, 20, [["", 0, 5]]],
])("%s", (_, away, here, second, faults) => expect(shown(look(away, here, second))).toEqual(faults));

test("a fault lasts until fewer than five are away, and keeps its beginning", () => {
  const all = gone("B", 0, 1, 2, 3, 4, 5, 6, 7);
  let faults = look(all, { B: 12 }, 20);
  expect(shown(faults)).toEqual([["B", 0, 8]]);
  faults = look(all.slice(3), { B: 12 }, 60, faults);
  expect(shown(faults), "five are less than half, and still one entry").toEqual([["B", 0, 5]]);
  expect(shown(look(all.slice(4), { B: 12 }, 70, faults))).toEqual([]);
  const again = [...all.slice(4), ...gone("B", 100, 101, 102, 103, 104).map((one) => ({ ...one, key: `again ${one.key}` }))];
  expect(shown(look(again, { B: 12 }, 110)), "those who come later are another one").toEqual([["B", 100, 5]]);
});

test("any order of those who go and come back: nobody is in two faults, and nobody in one who is here", () => {
  let state = 7;
  const random = () => (state = (state * 1_664_525 + 1_013_904_223) >>> 0) / 2 ** 32;
  for (let round = 0; round < 200; round += 1) {
    const students = Array.from({ length: 5 + Math.floor(random() * 30) }, (_, index) => ({ key: `s${index}`, room: random() < 0.7 ? "B" : "C" }));
    const away = new Map<string, Gone>();
    let faults: RoomFault[] = [];
    for (let second = 0; second < 120; second += 2) {
      for (const { key, room } of students) {
        if (away.has(key) ? random() < 0.05 : random() < (second > 40 && second < 50 ? 0.4 : 0.01)) {
          if (!away.delete(key)) away.set(key, { key, room, at: NINE + second * 1_000 });
        }
      }
      const here = new Map(["B", "C"].map((room) => [room, students.filter((one) => one.room === room).length]));
      faults = faultsNow(faults, [...away.values()], here, NINE + second * 1_000);
      const keys = faults.flatMap(({ keys }) => [...keys]);
      expect(new Set(keys).size, `round ${round}, second ${second}`).toBe(keys.length);
      for (const { room, keys } of faults) for (const key of keys) expect(away.get(key)?.room).toBe(room);
      for (const fault of faults) expect(fault.keys.size).toBeGreaterThanOrEqual(5);
    }
  }
});

test("away is who has no connection and works not over HTTPS either", () => {
  const at = (second: number) => new Date(NINE + second * 1_000).toISOString();
  const rows = new Map(
    [
      candidateRow("1"),
      candidateRow("2", { connected: false, lastSeenAt: at(5) }),
      candidateRow("3", { connected: false, lastSeenAt: at(20) }),
      candidateRow("4", { connected: false, lastSeenAt: at(3) }),
      candidateRow("5", { connected: false, state: "submitted" }),
      candidateRow("6", { connected: false, state: "expected", sessionId: null, lastSeenAt: null }),
      candidateRow("7", { room: "C3", state: "ready" }),
    ].map((row) => [row.candidateId as string, row]),
  );
  const { gone, here } = goneOf(rows, new Map(["2", "3"].map((key) => [key, NINE + 10_000])));
  expect(gone.map(({ key, at }) => [key, (at - NINE) / 1_000])).toEqual([["2", 10], ["4", 3]]);
  expect([...here]).toEqual([["B12", 4], ["C3", 1]]);
});
