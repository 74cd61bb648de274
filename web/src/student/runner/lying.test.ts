import { expect, test } from "vitest";
import { lyingPlace } from "./lying";

const drawing = (width: number, v = 2) => ({ v, size: [width, 600], items: [] });

test("a drawing lies on its question at the size of the page's letters", () => {
  expect(lyingPlace(drawing(736), 736, 1, true)).toEqual({ isOn: true, scale: 1 });
  expect(lyingPlace(drawing(736), 828, 1.125, true)).toEqual({ isOn: true, scale: 1.125 });
  expect(lyingPlace(drawing(736), 600, 1, true).isOn).toBe(true);
});

test("one of a wide screen lies below on a phone, and below large letters", () => {
  expect(lyingPlace(drawing(736), 340, 1, true).isOn).toBe(false);
  expect(lyingPlace(drawing(736), 736, 2, true).isOn).toBe(false);
});

test("one of a phone is enlarged a little", () => {
  expect(lyingPlace(drawing(340), 736, 1, true)).toEqual({ isOn: true, scale: 1.3 });
});

test("one that comes late lies down only where nothing moves", () => {
  expect(lyingPlace(drawing(736), 736, 1, false).isOn).toBe(true);
  expect(lyingPlace(drawing(736), 700, 1, false).isOn).toBe(false);
});

test("no drawing, an old one and one that can't be read do not lie on the question", () => {
  expect(lyingPlace(null, 736, 1, true).isOn).toBe(false);
  expect(lyingPlace(drawing(736, 1), 736, 1, true).isOn).toBe(false);
  expect(lyingPlace({ v: 2 }, 736, 1, true).isOn).toBe(false);
});
