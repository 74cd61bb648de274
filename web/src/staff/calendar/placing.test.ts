import { afterAll, beforeAll, expect, test } from "vitest";
import { eventsByDay, onDay, placed, windowOf } from "./placing";
import { eventOf } from "./testing/events";

let zone: string | undefined;
beforeAll(() => {
  zone = process.env["TZ"];
  process.env["TZ"] = "Asia/Ho_Chi_Minh";
});
afterAll(() => {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
});

test("an event stands on the days of the reader's zone", () => {
  const late = placed(eventOf({ utc_start_date: "2027-06-01 20:00:00", utc_end_date: "2027-06-01 21:00:00" }));
  expect([late.first, late.last]).toEqual(["2027-06-02", "2027-06-02"]);
  const night = placed(eventOf({ utc_start_date: "2027-06-01 15:00:00", utc_end_date: "2027-06-01 17:00:00" }));
  expect([night.first, night.last]).toEqual(["2027-06-01", "2027-06-01"]);
  const over = placed(eventOf({ utc_start_date: "2027-06-01 15:00:00", utc_end_date: "2027-06-01 17:00:01" }));
  expect([over.first, over.last]).toEqual(["2027-06-01", "2027-06-02"]);
});

test("whole days are those that the event names, in every zone", () => {
  const utc = { utc_start_date: "2027-06-01 04:00:00", utc_end_date: "2027-06-04 03:59:59" };
  const whole = placed(eventOf({ all_day: true, start_date: "2027-06-01 00:00:00", end_date: "2027-06-03 23:59:59", ...utc }));
  expect([whole.first, whole.last]).toEqual(["2027-06-01", "2027-06-03"]);
});

test("the events of a day begin with the longest", () => {
  const all = [
    eventOf({ id: 1, title: "Late", utc_start_date: "2027-06-01 05:00:00", utc_end_date: "2027-06-01 06:00:00" }),
    eventOf({ id: 2, title: "Early", utc_start_date: "2027-06-01 02:00:00", utc_end_date: "2027-06-01 03:00:00" }),
    eventOf({ id: 3, title: "Week", all_day: true, start_date: "2027-05-31 00:00:00", end_date: "2027-06-04 23:59:59" }),
  ].map(placed);
  expect(onDay(all, "2027-06-01").map(({ title }) => title)).toEqual(["Week", "Early", "Late"]);
  expect(onDay(all, "2027-06-04").map(({ title }) => title)).toEqual(["Week"]);
  const days = eventsByDay(all, "2027-06-01").map(({ day, events }) => [day, events.map(({ title }) => title)]);
  expect(days).toEqual([["2027-06-01", ["Week", "Early", "Late"]]]);
  expect(eventsByDay(all, "2027-06-05")).toEqual([]);
});

test("a view asks for all that overlaps it", () => {
  expect(windowOf("week", "2027-06-17")).toEqual({ ends_after: "2027-06-12", starts_before: "2027-06-22" });
  expect(windowOf("list", "2027-06-17")).toEqual({ ends_after: "2027-06-15" });
});
