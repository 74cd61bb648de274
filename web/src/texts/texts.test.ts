import { expect, test } from "vitest";
import { CATALOGUES } from "./catalogues";

test("who works without the internet is told what does not count", () => {
  const ends = { en: "before the time is up", vi: "trước khi hết giờ" };
  for (const [language, end] of Object.entries(ends)) {
    const { introSaved, endingOffline } = CATALOGUES[language as keyof typeof CATALOGUES];
    expect([introSaved, endingOffline].filter((text) => !text.includes(end))).toEqual([]);
  }
});
