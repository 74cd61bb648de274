import { expect, test } from "vitest";
import type { CommandsReply, ErrorCode, ErrorFrame } from "./protocol";
import { doneOf, isRefusal, commandsReplyOf, standingOf } from "./reply";

const error = (code: ErrorCode, seq?: number): ErrorFrame => ({ type: "error", code, error: "", ...(seq === undefined ? {} : { seq }) });
const performed = (...replies: ErrorFrame[]): CommandsReply => ({ saved: 0, replies, remainingMs: 0, deadline: "", state: "active" });

test("what is refused by its number is not done, all else is", () => {
  expect(doneOf([1, 2, 3], performed(error("late", 2)))).toEqual(new Set([1, 3]));
  expect(doneOf([1], performed(error("bad_message")))).toEqual(new Set([1]));
});

test("an error without a number that will pass says of nothing that it is done", () => {
  expect(doneOf([1, 2], performed(error("rate_limited")))).toBeUndefined();
});

test("only the server's own answers are taken for answers", () => {
  const standing = { type: "resumed", sessionId: "s", token: "t" };
  expect(standingOf({ status: 200, body: standing }, "s")).toBe(standing);
  expect(standingOf({ status: 200, body: standing }, "another")).toBeUndefined();
  for (const body of [undefined, null, "<html>", 7, [], { ok: true }]) {
    expect(standingOf({ status: 200, body })).toBeUndefined();
    expect(commandsReplyOf({ status: 200, body })).toBeUndefined();
    for (const status of [401, 403, 404]) expect(isRefusal({ status, body })).toBe(false);
  }
  expect(isRefusal({ status: 403, body: { error: "Wrong token" } })).toBe(true);
  expect(isRefusal({ status: 403, body: { error: "Session not found" } })).toBe(false);
  expect(isRefusal({ status: 401, body: { error: "Unauthorized" } })).toBe(false);
});
