import { describe, expect, test } from "vitest";
import { MINUTE } from "../moments";
import { sitting } from "./testing/school";
import { atPlace, contradiction, dragged, movedFields, keyedMoment, limitsOf, marksOf, MOMENTS, opensAtOnce, placeOnLine, shownLimits, sittingTimes, usualEnd, withMoment, type SittingTimes } from "./timeline";

const START = Date.parse("2027-06-01T02:00:00Z");
const at = (minutes: number) => START + minutes * MINUTE;
const times = (changes: Partial<SittingTimes> = {}): SittingTimes => ({ doors: at(-30), start: at(0), entry: at(20), end: at(70), ...changes });

test("doors whose new time is past open at once, unless they were open", () => {
  const now = at(-10);
  expect([opensAtOnce(at(-30), undefined, now), opensAtOnce(at(-30), at(600), now)]).toEqual([true, true]);
  expect([opensAtOnce(at(-5), undefined, now), opensAtOnce(at(-30), at(-20), now), opensAtOnce(NaN, undefined, now)]).toEqual([false, false, false]);
});

describe("limits", () => {
  test("the doors open before the start and before the last entry", () => {
    expect(limitsOf("doors", times()).most).toBe(at(0));
    expect(limitsOf("doors", times({ entry: at(-10) })).most).toBe(at(-10));
  });
  test("the start stays after doors with a time of their own, and before the end", () => {
    expect(limitsOf("start", times({ doors: at(-15) }))).toEqual({ least: at(-15), most: at(69) });
  });
  test("whatever the pointer does, the server would take it", () => {
    for (const name of MOMENTS) {
      for (let minutes = -2_000; minutes <= 2_000; minutes += 7) {
        for (const before of [times(), times({ doors: at(-17) }), times({ entry: undefined, end: undefined })]) {
          const after = withMoment(before, name, dragged(name, before, at(minutes)));
          expect(contradiction(after), `${name} ${minutes}`).toBeUndefined();
        }
      }
    }
  });
});

test("a drag lands on five minutes", () => {
  expect(dragged("entry", times(), at(23))).toBe(at(25));
  expect(dragged("entry", times(), at(22))).toBe(at(20));
});

test("keys move by five minutes and by half an hour, from a crooked time to a straight one", () => {
  expect(keyedMoment("ArrowRight", "entry", times())).toBe(at(25));
  expect(keyedMoment("ArrowLeft", "entry", times({ entry: at(22) }))).toBe(at(20));
  expect(keyedMoment("PageUp", "end", times({ end: at(65) }))).toBe(at(90));
  expect(keyedMoment("Home", "doors", times())).toBe(at(-24 * 60));
  expect(keyedMoment("End", "doors", times())).toBe(at(0));
  expect(keyedMoment("a", "doors", times())).toBeUndefined();
  expect(keyedMoment("ArrowRight", "end", times({ end: undefined }))).toBeUndefined();
});

test("doors without a time of their own go with the start, others stay", () => {
  expect(withMoment(times(), "start", at(10)).doors).toBe(at(-20));
  expect(withMoment(times({ doors: at(-15) }), "start", at(10)).doors).toBe(at(-15));
  expect(withMoment(times({ doors: at(-15) }), "doors", undefined).doors).toBe(at(-30));
});

test("only what has moved is written, and doors half an hour before the start have no time of their own", () => {
  expect(movedFields(times(), times())).toEqual({});
  expect(movedFields(times(), withMoment(times(), "start", at(10)))).toEqual({ startsAt: "2027-06-01T02:10:00.000Z", doorsAt: null });
  expect(movedFields(times(), times({ entry: undefined, end: at(80) }))).toEqual({ entryUntil: null, endsAt: "2027-06-01T03:20:00.000Z" });
  expect(movedFields(times({ doors: at(-15) }), times())).toEqual({ doorsAt: null });
});

test("the usual end counts from when it began, and the shared end stays", () => {
  const open = times({ end: undefined });
  const minutes = 60;
  expect([usualEnd(open, { minutes }), usualEnd(open, { minutes, begunAt: at(-5) }), usualEnd(open, { minutes, begunAt: at(5) })]).toEqual([at(60), at(55), at(65)]);
  expect(usualEnd(times({ end: at(50) }), { minutes, begunAt: at(-5) })).toBe(at(50));
  // What orders give moves the end of the sitting too.
  expect(usualEnd(times({ end: at(50) }), { minutes, begunAt: at(-5), grantedMs: at(7) - at(0) })).toBe(at(57));
  expect(shownLimits(open, { minutes, begunAt: at(-120) }).least).toBeLessThan(at(-120));
});

test("contradictions are named", () => {
  expect(contradiction(times({ doors: at(1) }))).toBe("doorsAfterStart");
  expect(contradiction(times({ entry: at(-31) }))).toBe("entryBeforeDoors");
  expect(contradiction(times({ end: at(0) }))).toBe("endBeforeStart");
  expect(contradiction(times())).toBeUndefined();
});

test("the line shows everything, with marks at full times", () => {
  const span = shownLimits(sittingTimes(sitting()), { minutes: 60 });
  expect([span.least, span.most]).toEqual([at(-60), at(90)]);
  expect(atPlace(placeOnLine(at(15), span), span)).toBe(at(15));
  expect(marksOf(span, 6)).toEqual([-60, -30, 0, 30, 60, 90].map(at));
  expect(marksOf({ least: at(0), most: at(24 * 60) }, 8).length).toBeLessThanOrEqual(9);
});
