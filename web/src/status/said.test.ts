import { expect, test } from "vitest";
import { messageFor, nameOf, pauseMs, statusOf } from "./said";

const both = { message: { en: "Back at 2", vi: "14 giờ xong" }, readOnly: false };
const one = { message: { en: "Back at 2", vi: "" }, readOnly: false };
const nothing = { message: { en: "", vi: "" }, readOnly: false };

test("what somebody else answers in the server's place says nothing", () => {
  expect(statusOf({ ...both, more: 1 })).toEqual(both);
  for (const said of [undefined, null, "<html>", {}, { message: {}, readOnly: false }, { message: both.message }, { message: { en: "", vi: 1 }, readOnly: true }]) {
    expect(statusOf(said)).toBeUndefined();
  }
});

test("readers see their language, or else the other one with its name", () => {
  expect(messageFor(both, "vi")).toEqual({ text: "14 giờ xong", language: "vi" });
  expect(messageFor(both, "en")).toEqual({ text: "Back at 2", language: "en" });
  expect(messageFor(one, "vi")).toEqual({ text: "Back at 2", language: "en" });
  expect(messageFor(nothing, "vi")).toBeUndefined();
});

test("another message has another name, and none has none", () => {
  expect(nameOf(nothing)).toBe("");
  const names = [both, one, { ...one, readOnly: true }, { ...nothing, readOnly: true }].map(nameOf);
  expect(new Set(names).size).toBe(4);
  expect(names).not.toContain("");
});

test("pages ask about once a minute, and not all at once", () => {
  expect([pauseMs(0), pauseMs(1)]).toEqual([45_000, 75_000]);
});
