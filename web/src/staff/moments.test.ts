import { expect, test } from "vitest";
import { dateOf, dayIn, dayStart, momentOf, nextFull, shownEnd, timeOf, zoneOf } from "./moments";

function inZone(zone: string, what: () => void) {
  const before = process.env["TZ"];
  process.env["TZ"] = zone;
  try {
    what();
  } finally {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  }
}

test("a day and a time are a moment of the browser's zone", () => {
  inZone("Asia/Ho_Chi_Minh", () => {
    const ms = Date.parse("2027-06-01T02:00:00Z");
    expect([dateOf(ms), timeOf(ms)]).toEqual(["2027-06-01", "09:00"]);
    expect(momentOf("2027-06-01", "09:00")).toBe(ms);
    expect(zoneOf(ms)).toMatch(/^Asia\/(Ho_Chi_Minh|Saigon), UTC\+7$/);
  });
});

test("what is no time is none", () => {
  inZone("Europe/Berlin", () => {
    for (const [date, time] of [
      ["", "09:00"],
      ["2027-02-30", "09:00"],
      ["2027-06-01", ""],
      ["2027-06-01", "25:00"],
    ] as const)
      expect(momentOf(date, time)).toBeUndefined();
    // The clock is put forward from two to three.
    expect(momentOf("2027-03-28", "02:30")).toBeUndefined();
    expect(momentOf("2027-03-28", "03:30")).toBe(Date.parse("2027-03-28T01:30:00Z"));
  });
});

test("days begin at midnight, also when they are shorter", () => {
  inZone("Europe/Berlin", () => {
    const ms = Date.parse("2027-03-28T10:00:00Z");
    expect(new Date(dayStart(ms)).toISOString()).toBe("2027-03-27T23:00:00.000Z");
    expect(new Date(dayStart(ms, 1)).toISOString()).toBe("2027-03-28T22:00:00.000Z");
    expect(zoneOf(ms)).toBe("Europe/Berlin, UTC+2");
  });
});

test("zones with half hours, and UTC, are written out", () => {
  inZone("Asia/Kolkata", () => expect(zoneOf(0)).toMatch(/UTC\+5:30$/));
  inZone("UTC", () => expect(zoneOf(0)).toBe("UTC"));
  inZone("America/New_York", () => expect(zoneOf(0)).toMatch(/UTC−5$/));
});

test("the next full time", () => {
  expect(new Date(nextFull(Date.parse("2027-06-01T08:01:00Z"), 60)).toISOString()).toBe("2027-06-01T09:00:00.000Z");
  expect(new Date(nextFull(Date.parse("2027-06-01T08:00:00Z"), 60)).toISOString()).toBe("2027-06-01T08:00:00.000Z");
});

test("what holds until the end of a day says that day of the school, wherever the reader is", () => {
  for (const here of ["Asia/Tokyo", "America/New_York"])
    inZone(here, () => {
      for (const [zone, last] of [
        ["America/New_York", "2026-05-06T03:59:59.999Z"],
        ["Asia/Ho_Chi_Minh", "2026-05-05T16:59:59.999Z"],
      ] as const) {
        expect(dayIn(Date.parse(last), zone)).toBe("2026-05-05");
        expect(shownEnd(Date.parse(last), "en", zone)).toBe("May 5, 2026");
      }
      expect(shownEnd(Date.parse("2026-05-05T10:00:00Z"), "en", "America/New_York")).toMatch(/\d\d:00/);
    });
});
