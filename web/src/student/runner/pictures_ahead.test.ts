import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { picturesAhead } from "./pictures_ahead";

let asked: string[] = [];
let isThere: (address: string) => boolean = () => true;

beforeEach(() => {
  vi.useFakeTimers();
  [asked, isThere] = [[], () => true];
  vi.stubGlobal(
    "Image",
    class {
      onload = () => {};
      onerror = () => {};
      set src(address: string) {
        asked.push(address);
        queueMicrotask(() => (isThere(address) ? this.onload() : this.onerror()));
      }
    },
  );
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function tried(load: () => Promise<boolean>): Promise<boolean> {
  const loading = load();
  await vi.runAllTimersAsync();
  return loading;
}

test("each picture is loaded once, and none that is in its address or is no picture", async () => {
  const load = picturesAhead(() => ["/media/a", "data:image/png;base64,AA==", "/media/b", "/media/a", "/api/admin/export", ""], () => true);
  expect(asked).toEqual([]);
  expect(await tried(load)).toBe(true);
  expect(asked).toEqual(["/media/a", "/media/b"]);
});

test("nothing is asked for without a network, and afterwards only what is missing", async () => {
  let isOnline = false;
  isThere = (address) => address !== "/media/b";
  const load = picturesAhead(() => ["/media/a", "/media/b"], () => isOnline);
  expect(await tried(load)).toBe(false);
  expect(asked).toEqual([]);
  isOnline = true;
  expect(await tried(load)).toBe(false);
  isThere = () => true;
  expect(await tried(load)).toBe(true);
  expect(asked).toEqual(["/media/a", "/media/b", "/media/b"]);
});

test("a picture that does not exist is given up", async () => {
  isThere = () => false;
  const load = picturesAhead(() => ["/media/a"], () => true);
  let turns = 1;
  while (!(await tried(load))) turns += 1;
  expect([turns, asked.length]).toEqual([8, 8]);
});

test("pictures of a second part are loaded when they are known", async () => {
  const known = ["/media/a"];
  const load = picturesAhead(() => known, () => true);
  expect(await tried(load)).toBe(true);
  known.push("/media/b");
  expect(await tried(load)).toBe(true);
  expect(asked).toEqual(["/media/a", "/media/b"]);
});
