import { expect, test } from "vitest";
import { CATALOGUES } from "./catalogues";

test("who works without the internet is told what becomes of what comes late", () => {
  const ends = { en: "after the time is up", vi: "sau khi hết giờ" };
  for (const [language, end] of Object.entries(ends)) {
    const { introSaved, endingOffline } = CATALOGUES[language as keyof typeof CATALOGUES];
    expect([introSaved, endingOffline].filter((text) => !text.includes(end))).toEqual([]);
  }
});
