import { afterEach, expect, test, vi } from "vitest";
import { hostOf, pageIn, pagesOf } from "./deliveries";
import { VERIFYING } from "./verifying";

afterEach(() => vi.useRealTimers());

test("pages are counted from 1, and anything else in the address is the first", () => {
  expect(["3", "", "0", "-1", "1e3", "x", "9999999"].map(pageIn)).toEqual([3, 1, 1, 1, 1, 1, 1]);
  expect([0, 50, 51].map((total) => pagesOf({ perPage: 50, total }))).toEqual([1, 1, 2]);
});

test("a list shows where messages go without the path", () => {
  expect(hostOf("https://lms.school.example:8443/hook?secret=1")).toBe("lms.school.example:8443");
  expect(hostOf("nonsense")).toBe("nonsense");
});

test("the program that receivers copy accepts the example of the specification, and nothing else", async () => {
  const { isGenuine } = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(VERIFYING)}`)) as {
    isGenuine: (headers: Record<string, string>, body: string, key: string) => boolean;
  };
  vi.useFakeTimers({ now: 1_614_265_400_000 });
  const headers = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  };
  const key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  expect(isGenuine(headers, '{"test": 2432232314}', key)).toBe(true);
  expect(isGenuine(headers, '{"test": 2432232315}', key)).toBe(false);
  expect(isGenuine({ ...headers, "webhook-signature": "v1," }, '{"test": 2432232314}', key)).toBe(false);
  expect(isGenuine({ ...headers, "webhook-timestamp": "" }, '{"test": 2432232314}', key)).toBe(false);
  vi.setSystemTime(1_614_269_000_000);
  expect(isGenuine(headers, '{"test": 2432232314}', key)).toBe(false);
});
