import { expect, test } from "vitest";
import { CATALOGUES } from "./catalogues";
import lateEn from "./late/en";
import lateVi from "./late/vi";
import reportEn from "./report/en";
import reportVi from "./report/vi";

test("who works without the internet is told what becomes of what comes late", () => {
  const ends = { en: "after the time is up", vi: "sau khi hết giờ" };
  for (const [language, end] of Object.entries(ends)) {
    const { introSaved, endingOffline } = CATALOGUES[language as keyof typeof CATALOGUES];
    expect([introSaved, endingOffline].filter((text) => !text.includes(end))).toEqual([]);
  }
});

test("late work has come after the end of the test, which a proctor may have given before the time was up", () => {
  for (const text of [lateEn.kept(2), reportEn.changedBecause.late_work]) expect(text).toContain("after the end of the test");
  for (const text of [lateVi.kept(2), reportVi.changedBecause.late_work]) expect(text).toContain("sau khi bài thi kết thúc");
});

test("it is said how many drawings a file has no room for", () => {
  expect(lateEn.leftOut(1, 5)).toMatch(/^1 of 5 drawings does not fit/);
  expect(lateEn.leftOut(2, 5)).toMatch(/^2 of 5 drawings do not fit/);
  expect(lateVi.leftOut(2, 5)).toContain("2 trong 5 hình vẽ");
});
