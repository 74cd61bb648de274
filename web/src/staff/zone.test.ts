import { afterEach, expect, test } from "vitest";
import { dateOf, dayStart, momentOf, timeOf, zoneOf } from "./moments";
import { dayOf, daysBetween, timeOfDay } from "./times";
import { inZone, momentAt, takeZone, wallOf, zoneName } from "./zone";

const at = Date.parse;
afterEach(() => takeZone(() => ""));

test("times are by the school's clocks, wherever the device is", () => {
  takeZone(() => "Asia/Ho_Chi_Minh");
  const ms = at("2027-06-01T18:30:00Z");
  expect([dateOf(ms), timeOf(ms), timeOfDay(ms, "en-GB")]).toEqual(["2027-06-02", "01:30", "01:30"]);
  expect(momentOf("2027-06-02", "01:30")).toBe(ms);
  expect([dayStart(ms), dayStart(ms, 1)]).toEqual([at("2027-06-01T17:00:00Z"), at("2027-06-02T17:00:00Z")]);
  expect(zoneOf(ms)).toBe("Asia/Ho_Chi_Minh, UTC+7");
  expect([inZone(), zoneName()]).toEqual([{ timeZone: "Asia/Ho_Chi_Minh" }, "Asia/Ho_Chi_Minh"]);
  expect(daysBetween(at("2027-06-01T16:59:00Z"), at("2027-06-01T17:00:00Z"))).toBe(1);
  expect(dayOf(at("2027-06-01T17:00:00Z"), at("2027-06-01T16:59:00Z"), "en-GB")).toBe("tomorrow");
});

test("clocks that are put forward or back skip a time or show it twice", () => {
  takeZone(() => "Europe/Berlin");
  expect(momentOf("2027-03-28", "02:30")).toBeUndefined();
  expect(momentOf("2027-03-28", "03:30")).toBe(at("2027-03-28T01:30:00Z"));
  expect([dayStart(at("2027-03-28T12:00:00Z")), dayStart(at("2027-03-28T12:00:00Z"), 1)]).toEqual([at("2027-03-27T23:00:00Z"), at("2027-03-28T22:00:00Z")]);
  expect(timeOf(momentOf("2027-10-31", "02:30") ?? 0)).toBe("02:30");
});

test("a moment and what the clocks show at it lead to one another", () => {
  for (const zone of ["", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati"]) {
    takeZone(() => zone);
    for (let hour = 0; hour < 24 * 400; hour += 7) {
      const ms = at("2027-01-01T00:00:00Z") + hour * 3_600_000;
      expect(wallOf(momentAt(wallOf(ms))), `${zone} ${ms}`).toBe(wallOf(ms));
    }
  }
});
