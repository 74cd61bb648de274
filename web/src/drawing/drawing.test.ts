import { expect, test } from "vitest";
import { boxOf, isTouched, simplified, type Point } from "./geometry";
import { History } from "./history";
import { linesOf } from "./lines";
import { BYTES_MAX, readDrawing, stored, type Item } from "./model";
import { outlineOf } from "./outline";
import { Fingers } from "./fingers";
import { Pointers } from "./pointers";
import { firstSize, scaleFor } from "./sizes";

const pen = (...p: number[]): Item => ({ t: "pen", c: "#1b2130", w: 3, p });
const still = (x: number, y: number): [Point, Point] => [[x, y], [x, y]];
const shape = (t: Item["t"], ...p: number[]): Item => ({ t, c: "#1b2130", w: 3, p });

test("what is stored is read again, and an empty drawing is none", () => {
  const drawing = { v: 2 as const, size: [800, 600] as [number, number], letters: 17.92, items: [pen(1, 2, 3, 4), { ...shape("text", 5, 6), s: "x < 3" }, { ...pen(1, 1, 2, 2), f: [10, 90] }] };
  expect(readDrawing(JSON.parse(JSON.stringify(stored(drawing))))).toEqual(drawing);
  expect(stored({ ...drawing, items: [] })).toBeNull();
  expect(readDrawing({ v: 1, size: [800, 600], items: [] }), "a sheet of the first version").toMatchObject({ v: 1, letters: 16 });
});

test("what anyone may have written harms nothing", () => {
  expect(readDrawing(null)).toBeUndefined();
  expect(readDrawing({ strokes: [] })).toBeUndefined();
  expect(readDrawing({ size: [1, -1], items: [] })).toBeUndefined();
  for (const letters of [0, -1, 1e9, NaN, "18px"]) expect(readDrawing({ size: [10, 10], letters, items: [] })?.letters).toBe(16);
  const bad = [null, 7, { t: "script" }, { ...pen(1, 2), c: "red;x" }, pen(1), pen(), pen(NaN, 1), shape("line", 1, 2), { ...shape("text", 1, 2), s: 7 }, { ...pen(1, 2), f: [1, 2] }];
  expect(readDrawing({ size: [10, 10], items: [...bad, pen(1, 2)] })?.items).toEqual([pen(1, 2)]);
});

test("a stroke loses the points that add nothing", () => {
  expect(simplified(pen(0, 0, 10, 0.2, 20, 0, 30, 0.1, 40, 0), 0.6).p).toEqual([0, 0, 40, 0]);
  expect(simplified(pen(0, 0, 20, 20, 40, 0), 0.6).p).toEqual([0, 0, 20, 20, 40, 0]);
  const pressed = simplified({ ...pen(0, 0, 10, 0, 20, 0), f: [1, 2, 3] }, 0.6);
  expect(pressed).toMatchObject({ p: [0, 0, 20, 0], f: [1, 3] });
});

test("an eraser touches what is drawn, not the space that it surrounds", () => {
  expect(isTouched(pen(0, 0, 100, 0), ...still(50, 8), 10)).toBe(true);
  expect(isTouched(pen(0, 0, 100, 0), ...still(50, 30), 10)).toBe(false);
  for (const t of ["rectangle", "ellipse"] as const) {
    expect(isTouched(shape(t, 0, 0, 100, 100), ...still(50, 50), 10), t).toBe(false);
    expect(isTouched(shape(t, 0, 0, 100, 100), ...still(0, 50), 10), t).toBe(true);
  }
  expect(boxOf(pen(5, 5))).toMatchObject({ left: -1, right: 11 });
});

test("an eraser that moves fast touches what lies between two of its points", () => {
  const dot = pen(50, 50);
  expect(isTouched(dot, [0, 50], [100, 50], 10)).toBe(true);
  expect(isTouched(dot, [0, 80], [100, 80], 10)).toBe(false);
  expect(isTouched(pen(50, 0, 50, 100), [0, 50], [100, 50], 10)).toBe(true);
  expect(isTouched({ ...shape("text", 40, 50), w: 10, s: "x" }, [0, 46], [100, 46], 10)).toBe(true);
  expect(isTouched({ ...shape("text", 40, 50), w: 10, s: "x" }, [42, 46], [43, 46], 10)).toBe(true);
});

const pointer = (pointerType: string, timeStamp: number, pointerId = 1) => ({ pointerId, pointerType, button: 0, timeStamp });

test("a pen takes the place of the palm that lay down before it", () => {
  const seen = { penAt: -Infinity };
  const pointers = new Pointers(seen);
  const [palm, pencil] = [pointer("touch", 0, 1), pointer("pen", 10, 2)];
  expect(pointers.begin(palm)).toBe(true);
  expect(pointers.begin(pencil)).toBe("instead");
  expect(pointers.isDrawing(palm)).toBe(false);
  expect(pointers.end(palm)).toBe(false);
  expect(pointers.end(pencil)).toBe(true);
  expect(pointers.begin(pointer("touch", 20))).toBe(false);
  expect(new Pointers(seen).begin(pointer("touch", 9_000)), "on the next sheet").toBe(false);
});

test("a finger draws and chooses again when no pen has come near for ten seconds", () => {
  const pointers = new Pointers({ penAt: -Infinity });
  pointers.begin(pointer("pen", 1_000, 2));
  pointers.end({ pointerId: 2 });
  expect(pointers.begin(pointer("touch", 10_900))).toBe(false);
  pointers.near(pointer("pen", 10_950));
  expect(pointers.begin(pointer("touch", 20_900)), "the pen was near the screen").toBe(false);
  expect(pointers.mayChoose(pointer("touch", 20_900))).toBe(false);
  expect(pointers.mayChoose(pointer("touch", 21_000))).toBe(true);
  expect(pointers.begin(pointer("touch", 21_000))).toBe(true);
});

test("a hand chooses nothing while something is drawn, and none beside a pen", () => {
  const pointers = new Pointers({ penAt: -Infinity });
  expect(pointers.mayChoose(pointer("touch", 0))).toBe(true);
  pointers.begin(pointer("mouse", 0, 3));
  expect(pointers.mayChoose(pointer("touch", 0))).toBe(false);
  pointers.end({ pointerId: 3 });
  expect(pointers.mayChoose(pointer("pen", 0))).toBe(true);
  expect(pointers.mayChoose(pointer("touch", 1))).toBe(false);
  expect(pointers.mayChoose(pointer("mouse", 1))).toBe(true);
});

test("a text is broken between words, and within one that is too long", () => {
  const broken = (text: string, width = 10) => linesOf(text, width, (line) => line.length);
  expect(broken("first 3 + 4, then 7 × 2")).toEqual(["first 3 +", "4, then 7", "× 2"]);
  expect(broken("a antidisestablishment b")).toEqual(["a", "antidisest", "ablishment", "b"]);
  expect(broken("one\n two")).toEqual(["one", "two"]);
  expect(broken("  ")).toEqual([]);
  expect(broken("ab", 0)).toEqual(["a", "b"]);
});

test("a new sheet is as wide as the card, in letters as large as the page's", () => {
  const legible = 1.125;
  const size = firstSize(828, 600, legible);
  expect(size[0] * legible).toBeCloseTo(828);
  expect(scaleFor(size, { width: 1_366, height: 600 }, 1, legible)).toBeCloseTo(legible);
  expect(scaleFor(size, { width: 414, height: 600 }, 1, legible)).toBeCloseTo(legible / 2);
  expect(firstSize(2_000, 600, 1)[0]).toBe(736);
});

test("two fingers move and enlarge, one does not", () => {
  const fingers = new Fingers();
  const finger = (pointerId: number, clientX: number) => ({ pointerId, pointerType: "touch", clientX, clientY: 0 });
  fingers.down(finger(1, 0));
  expect(fingers.move(finger(1, 10))).toBeUndefined();
  fingers.down(finger(2, 30));
  expect(fingers.move(finger(2, 50))).toEqual({ x: 30, y: 0, dx: 10, dy: 0, ratio: 2 });
  fingers.up(finger(1, 0));
  expect(fingers.move(finger(2, 60))).toBeUndefined();
});

test("steps are taken back and again", () => {
  const history = new History([]);
  const [one, other] = [pen(1, 2), pen(3, 4)];
  history.add(one);
  history.add(other);
  history.remove(new Set([one]));
  expect(history.items).toEqual([other]);
  expect(history.undo()).toEqual([one]);
  expect(history.undo()).toEqual([other]);
  expect(history.items).toEqual([one]);
  history.redo();
  expect(history.items).toEqual([one, other]);
  history.add(pen(5, 6));
  expect(history.canRedo).toBe(false);
  history.add(pen(7, 8), pen(9, 10));
  expect(history.undo(), "what was added at once is one step").toHaveLength(2);
});

test("a full drawing takes nothing more", () => {
  const history = new History([]);
  let count = 0;
  while (history.add(pen(...Array.from({ length: 40 }, (_, index) => 100 + index)))) count += 1;
  expect(count).toBeGreaterThan(500);
  expect(JSON.stringify(stored({ v: 2, size: [800, 600], letters: 16, items: history.items })).length).toBeLessThanOrEqual(BYTES_MAX + 100);
});

test("every kind has an outline", () => {
  for (const t of ["pen", "highlighter", "line", "arrow", "rectangle", "ellipse"] as const) {
    expect(outlineOf(shape(t, 10, 10, 60, 40)).path, t).toMatch(/^M[\d. -]+[A-Za-z]/);
  }
  expect(outlineOf(pen(4, 4)).path).not.toContain("NaN");
});
