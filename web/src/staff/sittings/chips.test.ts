import { describe, expect, test } from "vitest";
import { meaningOf } from "../roster/paste";
import { chipsOf, candidateMinutes } from "./chips";
import { candidate, explained } from "./testing/school";
import en from "./texts/en";
import vi from "./texts/vi";

test("a list that was copied from the table of candidates has headings that are known", () => {
  for (const { account, note, room, seat } of [en, vi]) expect([account, note, room, seat].map(meaningOf)).toEqual(["email", "note", "room", "seat"]);
});

describe("chips", () => {
  test("say what is more than usual", () => {
    expect(chipsOf(candidate())).toEqual([]);
    expect(chipsOf(candidate({ factor: 125, extraMinutes: 10, note: "near the door" })).map(({ text }) => text)).toEqual(["+25 %", "+10 min", "near the door"]);
  });

  test("name their source when it is known", () => {
    const chips = chipsOf(candidate({ factor: 150 }), explained({ factor: { value: 150, source: "room" } }));
    expect(chips).toEqual([{ kind: "factor", text: "+50 %", source: "room" }]);
  });

  test("minutes are counted as the server counts them", () => {
    expect([candidateMinutes(60, 125, 10), candidateMinutes(45, 110, 0)]).toEqual([85, 49.5]);
  });
});
