import { expect, test } from "vitest";
import { byCourse, scoreShown, targetPage } from "./links";
import { courseLink } from "./testing/platform";

test("links stand by their courses, and those without a name first", () => {
  const all = [courseLink({ id: "1", contextTitle: "B" }), courseLink({ id: "2", contextTitle: "A", title: "z" }), courseLink({ id: "3", contextTitle: "A", title: "b" }), courseLink({ id: "4", contextTitle: null })];
  expect(all.sort(byCourse).map(({ id }) => id)).toEqual(["4", "3", "2", "1"]);
});

test("a link leads to the page of its sitting or its template", () => {
  expect(targetPage({ target: { kind: "sitting", id: "s1" } })).toBe("/staff/sittings/s1");
  expect(targetPage({ target: { kind: "template", id: "t1" } })).toBe("/staff/templates/t1");
});

test("a score is shown with its maximum, and none as long as only the end is told", () => {
  expect(scoreShown({ scoreGiven: 0, scoreMaximum: 600 }, "en")).toBe("0 / 600");
  expect(scoreShown({ scoreGiven: 1_420, scoreMaximum: 6_000 }, "vi")).toBe("1.420 / 6.000");
  expect(scoreShown({ scoreGiven: null, scoreMaximum: null }, "en")).toBe("–");
});
