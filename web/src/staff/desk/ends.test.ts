import { expect, test } from "vitest";
import { endsOf } from "./ends";
import { deskRow } from "./testing/rows";

const until = (deadline: string) => deskRow({ deadline: `2026-01-05T${deadline}Z` });
const at = (time: string) => Date.parse(`2026-01-05T${time}Z`);

test("the usual end is that of the most, and those with more time come after it", () => {
  const rows = [until("09:58:10.000"), ...["09:53:10.000", "09:53:10.000", "09:53:40.000"].map(until)];
  expect(endsOf(rows)).toEqual({ first: at("09:53:10"), usual: at("09:53:00"), last: at("09:58:10"), isLonger: true });
  expect(endsOf(rows.slice(1))).toMatchObject({ usual: at("09:53:00"), isLonger: false });
});

test("of two ends that are as frequent the earlier is the usual one, and who has handed in has none", () => {
  expect(endsOf([until("10:10:00.000"), until("10:00:00.000")])).toMatchObject({ usual: at("10:00:00"), isLonger: true });
  expect(endsOf([{ ...until("10:10:00.000"), state: "submitted" }])).toBeUndefined();
  expect(endsOf([{ ...until("10:10:00.000"), state: "paused" }]), "a pause moves it, nobody knows how far").toBeUndefined();
});
