import { beforeEach, expect, test, vi } from "vitest";
import type { EnterOutcome } from "../../sitting/enter";
import type { MoveResult } from "../api";
import { EnterOrMove } from "./enter_or_move";

const [SLIP, EIGHT] = ["9F3KT-T2M7X", "9F3K-T2M7"];
const MOVED: MoveResult = { kind: "moved", sessionId: "s", token: "t" };
const enter = vi.fn<(access: string) => Promise<EnterOutcome>>();
const move = vi.fn<(code: string) => Promise<MoveResult>>();
let entry: EnterOrMove;

beforeEach(() => {
  enter.mockReset().mockResolvedValue({ kind: "notExpected" });
  move.mockReset().mockResolvedValue({ kind: "refused" });
  entry = new EnterOrMove(enter, move);
});

test("a slip's code, and a student who is signed in, only enter", async () => {
  expect(await entry.come(SLIP)).toEqual({ kind: "notExpected" });
  expect(await entry.come("")).toEqual({ kind: "notExpected" });
  expect(move).not.toHaveBeenCalled();
});

test("the code of an early slip is no proctor's", async () => {
  enter.mockResolvedValue({ kind: "entryClosed" });
  expect(await entry.come(EIGHT)).toEqual({ kind: "entryClosed" });
  expect(move).not.toHaveBeenCalled();
});

test("a proctor's code moves a test, also where the entry says nothing of it", async () => {
  move.mockResolvedValue(MOVED);
  for (const outcome of [{ kind: "notExpected" }, { kind: "tooMany", seconds: 7 }, { kind: "notOpen", doorsInMs: 1, doorsAt: 1 }] as const) {
    enter.mockResolvedValue(outcome);
    expect(await entry.come(EIGHT)).toEqual(MOVED);
  }
  move.mockResolvedValue({ kind: "refused" });
  expect(await entry.come(EIGHT), "as the entry has said").toMatchObject({ kind: "notOpen" });
});

test("where the move has no answer it is said so, and the move alone is repeated", async () => {
  move.mockResolvedValueOnce({ kind: "unreachable" });
  expect(await entry.come(EIGHT)).toEqual({ kind: "unreachable" });
  move.mockResolvedValueOnce({ kind: "tooMany", seconds: 7 });
  expect(await entry.come(EIGHT)).toEqual({ kind: "tooMany", seconds: 7 });
  move.mockResolvedValueOnce(MOVED);
  expect(await entry.come(EIGHT)).toEqual(MOVED);
  expect([enter.mock.calls.length, move.mock.calls.length], "a wrong access code counts once").toEqual([1, 3]);
});

test("once both have refused it, the same code is tried anew", async () => {
  move.mockResolvedValueOnce({ kind: "unreachable" });
  await entry.come(EIGHT);
  expect(await entry.come(EIGHT)).toEqual({ kind: "notExpected" });
  expect(await entry.come(EIGHT)).toEqual({ kind: "notExpected" });
  expect([enter.mock.calls.length, move.mock.calls.length]).toEqual([2, 3]);
});

test("another code is not taken for the one before", async () => {
  move.mockResolvedValueOnce({ kind: "unreachable" });
  await entry.come(EIGHT);
  expect(await entry.come(SLIP)).toEqual({ kind: "notExpected" });
  expect(enter).toHaveBeenLastCalledWith(SLIP);
});
