import { expect, test } from "vitest";
import { MovedTime } from "../../exam/testing/time";
import { Repeats } from "./repeats";

test("the same order is not given again before the first is answered, however long that takes, nor a moment after", async () => {
  const time = new MovedTime();
  const repeats = new Repeats(time);
  expect(repeats.take("extend s1")).toBe("new");
  expect(repeats.take("extend s2"), "to somebody else").toBe("new");
  await time.pass(60_000);
  expect(repeats.take("extend s1")).toBe("again");
  expect(repeats.take("extend s1"), "said once").toBe("told");
  repeats.answered("extend s1");
  await time.pass(900);
  expect(repeats.take("extend s1")).toBe("told");
  await time.pass(900);
  expect(repeats.take("extend s1"), "a key that is held").toBe("told");
  await time.pass(1_000);
  expect(repeats.take("extend s1")).toBe("new");
});
