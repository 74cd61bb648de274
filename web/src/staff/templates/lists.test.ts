import { expect, test } from "vitest";
import { gapsOf, hasOthers, isEmpty, lengthOf, listsOf, mixOf, strangersOf, topicGapsOf } from "./lists";
import { bucketOf } from "./shapes";
import { adaptive, templateQuestion, standard } from "./testing/templates";

test("a template has one list, or six", () => {
  expect(listsOf(standard()).map(({ key }) => key)).toEqual(["standard"]);
  expect(listsOf(adaptive()).map(({ key }) => key)).toEqual(["session1", "90-100", "80-90", "70-80", "60-70", "below-60"]);
  expect([bucketOf("session1"), bucketOf("80-90")]).toEqual([{ kind: "session1" }, { kind: "session2", band: "80-90" }]);
  expect(lengthOf(adaptive())).toBe(4);
});

test("what was not found is said for each list and difficulty", () => {
  expect(gapsOf(adaptive())).toEqual([]);
  const short = adaptive({ session1Questions: [templateQuestion("first-1")] });
  expect(gapsOf(short)).toEqual([{ list: "session1", difficulty: 5, wanted: 1, drawn: 0 }]);
  expect(gapsOf(standard()).map(({ wanted }) => wanted)).toEqual([4, 3, 3, 4, 6]);
  expect([isEmpty(standard()), isEmpty(short)]).toEqual([true, false]);
  expect(mixOf([templateQuestion("a"), templateQuestion("b", { difficulty: 3 })])).toEqual([1, 0, 1, 0, 0]);
});

test("what was not found of a topic is said, and numbers by topic can hold alone", () => {
  const standardQuestions = [templateQuestion("a"), templateQuestion("b", { topic: "Data" })];
  const both = standard({ standardQuestions, topicTargets: { Fractions: 3, Data: 1 } });
  expect(topicGapsOf(both)).toEqual([{ topic: "Fractions", wanted: 3, drawn: 1 }]);
  expect(topicGapsOf({ ...both, topicTargets: { Fractions: 1 } })).toEqual([{ topic: "Data", wanted: 0, drawn: 1 }]);
  expect([topicGapsOf(standard({ standardQuestions })), topicGapsOf(adaptive({ topicTargets: { Data: 9 } }))]).toEqual([[], []]);
  const { standardTargets: _, ...alone } = both;
  expect([gapsOf(both).length, gapsOf(alone)]).toEqual([5, []]);
});

test("questions that stay are not counted among those that are drawn anew", () => {
  const isDrawn = ({ id }: { id: string }) => id !== "first-1" && id !== "80-90-1";
  expect(lengthOf(adaptive(), isDrawn)).toBe(3);
});

test("questions of grades that the template no longer has are counted once", () => {
  expect(strangersOf(adaptive())).toBe(0);
  expect(strangersOf(adaptive({ grades: [6] }))).toBe(12);
});

test("what somebody else has exchanged is noticed beside one's own exchange", () => {
  const before = adaptive();
  const mine = adaptive({ session1Questions: [templateQuestion("new"), templateQuestion("first-2", { difficulty: 5 })] });
  expect(hasOthers(before, mine)).toBe(true);
  expect(hasOthers(before, mine, { "session1 first-1": "new" })).toBe(false);
  const theirs = { ...mine, session2QuestionsByBand: { ...mine.session2QuestionsByBand, "80-90": [templateQuestion("theirs")] } };
  expect(hasOthers(before, theirs, { "session1 first-1": "new" })).toBe(true);
});
