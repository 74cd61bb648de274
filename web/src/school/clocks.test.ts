import { expect, test } from "vitest";
import { clocksOf } from "./clocks";

const EVENING = new Date("2026-03-04T19:30:00Z");
const TIME: Intl.DateTimeFormatOptions = { timeStyle: "short" };
const DAY: Intl.DateTimeFormatOptions = { dateStyle: "full", timeStyle: "short" };

test("where the device's clocks show the same, nothing more is said", () => {
  expect(clocksOf(EVENING, "Asia/Ho_Chi_Minh", "Asia/Ho_Chi_Minh", "en-GB", TIME)).toEqual({ time: "02:30", zone: "", device: "" });
  expect(clocksOf(EVENING, "Asia/Ho_Chi_Minh", "Asia/Bangkok", "en-GB", TIME)).toEqual({ time: "02:30", zone: "", device: "" });
});

test("without a zone of the school's the device's counts", () => {
  expect(clocksOf(EVENING, "", "Europe/Zurich", "en-GB", TIME)).toEqual({ time: "20:30", zone: "", device: "" });
});

test("the school's time has its zone's name, and the device's stands beside it, with its day if that is another", () => {
  expect(clocksOf(EVENING, "Europe/London", "Europe/Zurich", "en-GB", TIME)).toEqual({ time: "19:30", zone: "Greenwich Mean Time", device: "20:30" });
  expect(clocksOf(EVENING, "Asia/Ho_Chi_Minh", "Europe/Zurich", "en-GB", TIME)).toEqual({ time: "02:30", zone: "Indochina Time", device: "04/03/2026, 20:30" });
  expect(clocksOf(EVENING, "Asia/Ho_Chi_Minh", "Europe/Zurich", "vi-VN", DAY)).toMatchObject({ zone: "Giờ Đông Dương", device: expect.stringContaining("20:30") });
});

test("two zones that differ in summer alone differ in summer alone", () => {
  const summer = new Date("2026-07-04T12:00:00Z");
  expect(clocksOf(EVENING, "Africa/Lagos", "Europe/Zurich", "en-GB", TIME).device).toBe("");
  expect(clocksOf(summer, "Africa/Lagos", "Europe/Zurich", "en-GB", TIME)).toMatchObject({ time: "13:00", device: "14:00" });
});
