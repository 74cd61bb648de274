import { expect, test } from "vitest";
import { knownSince, LateChoice, type KnownWork } from "./late_choice.svelte";

test("what the student may have known is confirmed for what was chosen, and for nothing else", () => {
  const choice = new LateChoice();
  choice.seen = 3;
  const first = choice.asked("accept", " The network was away ");
  expect(first.body).toEqual({ decision: "accept", comment: "The network was away", seen: 3 });
  first.answered("answers_seen");
  expect(choice.isSeen).toBe(true);
  expect(choice.asked("accept", "").body.force).toBe(true);
  expect(choice.asked("decline", "").body, "taking back needs no force").not.toHaveProperty("force");
  choice.until = "2026-01-05T09:30";
  expect(choice.isSeen, "less is chosen").toBe(false);
  const second = choice.asked("accept", "");
  expect([second.body.force, typeof second.body.until]).toEqual([undefined, "string"]);
  second.answered("");
  choice.until = "";
  expect(choice.isSeen, "that was decided").toBe(false);
});

test("more work that came meanwhile is not confirmed with the other", () => {
  const choice = new LateChoice();
  choice.seen = 3;
  const asked = choice.asked("accept", "");
  choice.seen = 4;
  asked.answered("answers_seen");
  expect([choice.isSeen, choice.asked("accept", "").body.force]).toEqual([false, undefined]);
  choice.seen = 3;
  expect(choice.isSeen).toBe(true);
  choice.asked("accept", "").answered("late_work_changed");
  expect(choice.isSeen).toBe(false);
});

test("it is said since when the answers were known only where work that waits came after that", () => {
  const at = (minute: number) => `2026-01-05T09:${minute}:00.000Z`;
  const work = (answersSeenAt: string | null, releasedAt: string | null, ...commands: KnownWork["commands"]) => knownSince({ answersSeenAt, releasedAt, commands });
  const [early, late] = [{ state: "pending" as const, receivedAt: at(10) }, { state: "declined" as const, receivedAt: at(40) }];
  expect(work(at(20), null, early)).toBeUndefined();
  expect(work(at(20), at(15), early, late)).toEqual({ at: at(20), isRelease: false });
  expect(work(at(50), at(15), early, late)).toEqual({ at: at(15), isRelease: true });
  expect(work(null, at(15), early, { ...late, state: "accepted" })).toBeUndefined();
  expect(work(null, null, late)).toBeUndefined();
  expect(work(at(20), at(20))).toBeUndefined();
});
