import { expect, test } from "vitest";
import type { TemplateAccess } from "../../exam/question";
import { accessStanding, isReadByStaff, minutesLeft, type AccessAsked } from "./standing";

const NOON = Date.parse("2027-06-01T12:00:00.000Z");
const at = (minutes: number) => new Date(NOON + minutes * 60_000).toISOString();
const standing = (access: Partial<TemplateAccess>, asked: Partial<AccessAsked> = {}) =>
  accessStanding({ access: { who: "signed-in", ...access }, isSignedIn: true, isUnderWay: false, isStaff: false, bar: undefined, now: NOON, ...asked });

test("whoever may begin is told nothing else", () => {
  expect(standing({})).toBe("free");
  expect(standing({ attempts: 3, attemptsLeft: 1, opensAt: at(-5), closesAt: at(5) })).toBe("free");
  expect(standing({ who: "anyone" }, { isSignedIn: false })).toBe("free");
});

test("of several hindrances the first is said, in the order of the server", () => {
  const all = { opensAt: at(1), closesAt: at(9), attemptsLeft: 0 };
  expect(standing(all, { isSignedIn: false })).toBe("signIn");
  expect(standing(all, { bar: "Not for this account" })).toBe("notYours");
  expect([standing({ ...all, forAccount: false }), standing({ forAccount: true })]).toEqual(["notYours", "free"]);
  expect(standing(all)).toBe("early");
  expect(standing(all, { now: NOON + 60_000 })).toBe("noneLeft");
  expect(standing(all, { now: NOON + 9 * 60_000 })).toBe("closed");
});

test("the server's word holds against a clock that is wrong", () => {
  expect([standing({ opensAt: at(-1) }, { bar: "Not open yet" }), standing({ closesAt: at(1) }, { bar: "Closed" }), standing({ attemptsLeft: 1 }, { bar: "No attempts left" })]).toEqual([
    "early",
    "closed",
    "noneLeft",
  ]);
  // A code that is wrong hinders nobody from typing another one.
  expect(standing({ codeRequired: true }, { bar: "Wrong code" })).toBe("free");
  expect(standing({ codeRequired: true }, { bar: "Too many codes" })).toBe("free");
});

test("an attempt that goes on is gone on with, also if none is left; where attempts are not counted, another may begin", () => {
  expect(standing({ attemptsLeft: 0 }, { isUnderWay: true })).toBe("underWay");
  expect(standing({ who: "anyone" }, { isUnderWay: true })).toBe("free");
  // Here it is not known where it goes on, and a start finds it.
  expect(standing({ attemptsLeft: 0, closesAt: at(-1), goesOn: true })).toBe("free");
});

test("staff are known by the questions that they get, and may always try", () => {
  expect(standing({ opensAt: at(1), attemptsLeft: 0 }, { isStaff: true })).toBe("free");
  const read = (access: Partial<TemplateAccess>, isWithheld: boolean) => isReadByStaff({ who: "anyone", ...access }, "reviewer", isWithheld, NOON);
  expect([read({ who: "classes" }, false), read({ codeRequired: true }, false), read({ opensAt: at(1) }, false), read({ closesAt: at(-1) }, false)]).toEqual([true, true, true, true]);
  expect([read({ who: "classes" }, true), read({ opensAt: at(-1), closesAt: at(1) }, false), read({}, false)]).toEqual([false, false, false]);
  // The clock of this device says that it is shut, and the server has shown the questions.
  for (const role of [undefined, "student"] as const) expect(isReadByStaff({ who: "anyone", opensAt: at(1) }, role, false, NOON)).toBe(false);
});

test("who begins late is told how much time is left", () => {
  const access = { who: "anyone" as const, closesAt: at(20) };
  expect([minutesLeft(access, 30, NOON), minutesLeft(access, 20, NOON), minutesLeft(access, 30, NOON + 21 * 60_000), minutesLeft({ who: "anyone" }, 30, NOON)]).toEqual([20, undefined, undefined, undefined]);
});
