import { expect, test } from "vitest";
import { isDay } from "../times";
import { dayAt, isOfMonth, monthOf, plusDays, plusMonths, shownDays, turnedView, viewTitle, weekdays, weekOf } from "./days";

test("days are days of the calendar", () => {
  expect(["2027-06-01", "2028-02-29"].every(isDay)).toBe(true);
  expect(["", "2027-6-1", "2027-02-29", "2027-13-01", "today"].some(isDay)).toBe(false);
  expect(plusDays("2027-12-31", 1)).toBe("2028-01-01");
  expect(plusDays("2027-03-28", -28)).toBe("2027-02-28");
});

test("months are left for the same day, or the last", () => {
  expect(plusMonths("2027-01-31", 1)).toBe("2027-02-28");
  expect(plusMonths("2027-03-31", -1)).toBe("2027-02-28");
  expect(plusMonths("2027-12-15", 1)).toBe("2028-01-15");
  expect(plusMonths("2027-01-15", -1)).toBe("2026-12-15");
});

test("weeks begin on Monday, and a month has all weeks that touch it", () => {
  expect(weekOf("2027-06-06")).toEqual(["2027-05-31", "2027-06-01", "2027-06-02", "2027-06-03", "2027-06-04", "2027-06-05", "2027-06-06"]);
  expect(weekOf("2027-05-31")[0]).toBe("2027-05-31");
  const june = monthOf("2027-06-17");
  expect([june.length, june[0]?.[0], june.at(-1)?.at(-1)]).toEqual([5, "2027-05-31", "2027-07-04"]);
  expect(monthOf("2027-02-10")).toHaveLength(4);
  expect(monthOf("2027-08-10")).toHaveLength(6);
  expect(isOfMonth("2027-05-31", "2027-06-17")).toBe(false);
});

test("a view shows its days", () => {
  expect(shownDays("month", "2027-06-17")).toEqual({ first: "2027-05-31", last: "2027-07-04" });
  expect(shownDays("week", "2027-06-17")).toEqual({ first: "2027-06-14", last: "2027-06-20" });
  expect(shownDays("list", "2027-06-17")).toEqual({ first: "2027-06-17" });
});

test("keys move the day", () => {
  const to = (key: string) => dayAt(key, "2027-06-17");
  expect(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"].map(to)).toEqual([
    "2027-06-16",
    "2027-06-18",
    "2027-06-10",
    "2027-06-24",
    "2027-06-14",
    "2027-06-20",
    "2027-05-17",
    "2027-07-17",
  ]);
  expect(to("x")).toBeUndefined();
  expect(turnedView("week", "2027-06-17", 1)).toBe("2027-06-24");
  expect(turnedView("month", "2027-06-17", -1)).toBe("2027-05-17");
  expect(turnedView("list", "2027-06-17", 1)).toBe("2027-07-17");
});

test("views have titles", () => {
  expect(viewTitle("month", "2027-06-17", "en-GB")).toBe("June 2027");
  expect(viewTitle("week", "2027-06-01", "en-GB")).toMatch(/^31 May\s–\s6 June 2027$/);
  expect(viewTitle("list", "2027-06-17", "en-GB")).toBe("17 June 2027");
  expect(weekdays("en-GB").map(({ short }) => short)).toEqual(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]);
});
