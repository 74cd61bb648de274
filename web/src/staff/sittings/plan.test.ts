import { describe, expect, test } from "vitest";
import { differences, inverse, inverseOfCandidate, overlap } from "./differences";
import { MINUTE } from "../moments";
import { companionsOf, ownTimes, postponed } from "./postpone";
import { candidate, explained, room, sitting } from "./testing/school";

const TEN = 10 * MINUTE;

describe("postponing", () => {
  const full = sitting({
    doorsAt: "2027-06-01T01:00:00.000Z",
    entryUntil: "2027-06-01T02:20:00.000Z",
    endsAt: "2027-06-01T03:10:00.000Z",
    results: "2027-06-02T02:00:00.000Z",
    rooms: [room({ startsAt: "2027-06-01T02:30:00.000Z" }), room({ id: "r2", name: "B13" })],
  });

  test("what has a time of its own can go along", () => {
    expect(companionsOf(sitting())).toEqual([]);
    expect(companionsOf(full)).toEqual(["doors", "entry", "end", "results", "rooms"]);
    expect(companionsOf({ ...full, openedAt: full.doorsAt })).toEqual(["entry", "end", "results", "rooms"]);
  });

  test("the start moves alone, or with those who are chosen", () => {
    expect(postponed(sitting(), TEN, new Set())).toEqual({ startsAt: "2027-06-01T02:10:00.000Z", doorsAt: null });
    expect(postponed(full, TEN, new Set())).toEqual({ startsAt: "2027-06-01T02:10:00.000Z" });
    const all = postponed(full, TEN, new Set(companionsOf(full)));
    expect(all).toMatchObject({
      doorsAt: "2027-06-01T01:10:00.000Z",
      entryUntil: "2027-06-01T02:30:00.000Z",
      endsAt: "2027-06-01T03:20:00.000Z",
      results: "2027-06-02T02:10:00.000Z",
    });
    expect(all.rooms).toEqual([
      { id: "r1", name: "B12", proctors: [], startsAt: "2027-06-01T02:40:00.000Z", endsAt: null, factor: null, extraMinutes: null },
      { id: "r2", name: "B13", proctors: [], startsAt: null, endsAt: null, factor: null, extraMinutes: null },
    ]);
  });

  test("doors that are open stay open", () => {
    expect(postponed(sitting({ openedAt: "2027-06-01T01:30:00.000Z", state: "open" }), TEN, new Set())).toEqual({
      startsAt: "2027-06-01T02:10:00.000Z",
      doorsAt: "2027-06-01T01:30:00.000Z",
    });
  });

  test("candidates with times of their own are named, since nothing moves them", () => {
    expect(ownTimes([candidate(), candidate({ id: "c2", endsAt: "2027-06-01T03:10:00.000Z" })]).map(({ id }) => id)).toEqual(["c2"]);
  });
});

describe("two people at once", () => {
  test("what the other one has changed is found, and whether it is the same field", () => {
    const theirs = differences(
      sitting(),
      sitting({ startsAt: "2027-06-01T02:10:00.000Z", name: "Finals B", version: 2, counts: { ...sitting().counts, total: 3 } }),
    );
    expect(theirs.map(({ field }) => field)).toEqual(["name", "startsAt"]);
    expect(overlap({ startsAt: "2027-06-01T02:20:00.000Z" }, theirs)).toEqual(["startsAt"]);
    expect(overlap({ endsAt: null }, theirs)).toEqual([]);
  });

  test("a room counts as changed by what was planned of it, and not by who sits there", () => {
    expect(differences(sitting({ rooms: [room()] }), sitting({ rooms: [room({ candidates: 4 })] }))).toEqual([]);
    expect(differences(sitting({ rooms: [room()] }), sitting({ rooms: [room({ proctors: ["an@school.example"] })] })).map(({ field }) => field)).toEqual([
      "rooms",
    ]);
  });
});

describe("undo", () => {
  test("goes back to what was there, and doors that followed the start follow it again", () => {
    expect(inverse(sitting(), { startsAt: "2027-06-01T02:10:00.000Z", doorsAt: null, endsAt: "2027-06-01T03:10:00.000Z" })).toEqual({
      startsAt: "2027-06-01T02:00:00.000Z",
      doorsAt: null,
      endsAt: null,
    });
    expect(inverse(sitting({ doorsAt: "2027-06-01T01:00:00.000Z" }), { doorsAt: null })).toEqual({ doorsAt: "2027-06-01T01:00:00.000Z" });
  });

  test("gives a candidate back only what was their own", () => {
    const ada = candidate({ factor: 125, seat: "4" });
    const register = explained({ factor: { value: 125, source: "accommodation" } });
    expect(inverseOfCandidate(ada, register, { factor: 150, seat: "5", externalId: "7" })).toEqual({ factor: null, seat: "4", externalId: null });
    expect(inverseOfCandidate(ada, explained({ factor: { value: 125, source: "candidate" } }), { factor: 150 })).toEqual({ factor: 125 });
  });
});
