import { expect, test } from "vitest";
import { sampleOffer } from "./offer";
import en from "./texts/en";
import vi from "./texts/vi";

test("a school is offered what stands in another language than its first one", () => {
  expect(sampleOffer({ en: 1_400, vi: 0 }, "vi")).toEqual({ count: 1_400, there: "en", wanted: "vi" });
  expect(sampleOffer({ en: 0, vi: 3 }, "en")).toEqual({ count: 3, there: "vi", wanted: "en" });
  expect(sampleOffer({ en: 2, vi: 1_398 }, "vi")).toEqual({ count: 2, there: "en", wanted: "vi" });
});

test("there is no offer where nothing would change, or as long as nobody knows", () => {
  expect(sampleOffer({ en: 1_400, vi: 0 }, "en")).toBeUndefined();
  expect(sampleOffer({ en: 0, vi: 0 }, "vi")).toBeUndefined();
  expect(sampleOffer(undefined, "vi")).toBeUndefined();
  expect(sampleOffer({ en: 1_400, vi: 0 }, undefined)).toBeUndefined();
});

test("the result is told in the words of each language", () => {
  expect(en.done(1_398, en.names.vi)).toBe("1,398 sample questions are in Vietnamese now.");
  expect([en.left(1), en.left(2)]).toEqual(["One that your school has changed or retired is as it was.", "2 that your school has changed or retired are as they were."]);
  expect(vi.done(1_398, vi.names.vi)).toBe("1.398 câu hỏi mẫu nay đã bằng tiếng Việt.");
  expect(vi.standing(1_400, vi.names.en, vi.names.vi)).toContain("1.400 câu hỏi mẫu bằng tiếng Anh");
});
