// The geometry of items: what an eraser touches, which part of the sheet to redraw, which points of a stroke matter.

import { STROKES, type Item } from "./model";

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export type Point = [x: number, y: number];

/** The width of a letter in relation to its height: an estimate on the generous side. */
const LETTER_WIDTH = 0.7;
/** How far an arrow's head may stand out, in widths of its line. */
const OVERHANG = 6;

/** An item never changes, so its box is computed once. */
const boxes = new WeakMap<Item, Box>();

export function boxOf(item: Item): Box {
  const known = boxes.get(item) ?? measured(item);
  boxes.set(item, known);
  return known;
}

function measured({ t, p, w, s }: Item): Box {
  const [x = 0, y = 0] = p;
  if (t === "text") return { left: x, top: y - w, right: x + (s ?? "").length * w * LETTER_WIDTH, bottom: y + w * 0.4 };
  const [xs, ys] = [p.filter((_, index) => index % 2 === 0), p.filter((_, index) => index % 2 === 1)];
  const margin = t === "pen" ? 2 * w : t === "arrow" ? OVERHANG * w : w;
  return { left: min(xs) - margin, top: min(ys) - margin, right: max(xs) + margin, bottom: max(ys) + margin };
}

export function meets(one: Box, other: Box): boolean {
  return one.left <= other.right && other.left <= one.right && one.top <= other.bottom && other.top <= one.bottom;
}

export function union(boxes: Box[]): Box | undefined {
  if (boxes.length === 0) return undefined;
  const of = (key: keyof Box) => boxes.map((box) => box[key]);
  return { left: min(of("left")), top: min(of("top")), right: max(of("right")), bottom: max(of("bottom")) };
}

/** Whether an eraser of this radius touches the item as it moves from one point to the next. */
export function isTouched(item: Item, from: Point, to: Point, radius: number): boolean {
  const way = [...from, ...to];
  const swept = { left: Math.min(from[0], to[0]) - radius, top: Math.min(from[1], to[1]) - radius, right: Math.max(from[0], to[0]) + radius, bottom: Math.max(from[1], to[1]) + radius };
  if (!meets(boxOf(item), swept)) return false;
  if (item.t === "text") return distanceToBox(boxOf(item), way) <= radius;
  const corners = lineOf(item);
  const reach = radius + item.w;
  if (corners.length === 2) return distanceToLine(corners[0] ?? 0, corners[1] ?? 0, way) <= reach;
  for (let index = 0; index + 3 < corners.length; index += 2) {
    if (distanceOfLines(corners.slice(index, index + 4), way) <= reach) return true;
  }
  return false;
}

function distanceToBox({ left, top, right, bottom }: Box, way: number[]): number {
  const [x = 0, y = 0] = way;
  if (x >= left && x <= right && y >= top && y <= bottom) return 0;
  const sides = [[left, top, right, top], [right, top, right, bottom], [right, bottom, left, bottom], [left, bottom, left, top]];
  return min(sides.map((side) => distanceOfLines(side, way)));
}

/** The visible line of an item, as points. */
function lineOf({ t, p }: Item): number[] {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = p;
  if (t === "rectangle") return [x1, y1, x2, y1, x2, y2, x1, y2, x1, y1];
  if (t !== "ellipse") return p;
  const parts = 24;
  const turn = (index: number) => (index / parts) * 2 * Math.PI;
  const at = (index: number) => [(x1 + x2) / 2 + (Math.cos(turn(index)) * (x2 - x1)) / 2, (y1 + y2) / 2 + (Math.sin(turn(index)) * (y2 - y1)) / 2];
  return Array.from({ length: parts + 1 }, (_, index) => at(index)).flat();
}

/** The stroke in whole numbers, without points that lie within `tolerance` of the line between those that remain. */
export function simplified({ t, c, w, p, f }: Item, tolerance: number): Item {
  const whole = p.map(Math.round);
  if (!STROKES.includes(t as never)) return { t, c, w, p: whole };
  const kept = keptPoints(p, tolerance);
  const points = kept.flatMap((index) => [whole[2 * index] ?? 0, whole[2 * index + 1] ?? 0]);
  return { t, c, w, p: points, ...(f === undefined ? {} : { f: kept.map((index) => f[index] ?? 50) }) };
}

/** The algorithm of Ramer, Douglas and Peucker, without recursion since a stroke may be long. */
function keptPoints(p: number[], tolerance: number): number[] {
  const last = p.length / 2 - 1;
  const kept = new Set([0, last]);
  const spans: [number, number][] = [[0, last]];
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const [from, to] = span;
    const ends = [p[2 * from] ?? 0, p[2 * from + 1] ?? 0, p[2 * to] ?? 0, p[2 * to + 1] ?? 0];
    let [farthest, most] = [-1, tolerance];
    for (let index = from + 1; index < to; index += 1) {
      const away = distanceToLine(p[2 * index] ?? 0, p[2 * index + 1] ?? 0, ends);
      if (away > most) [farthest, most] = [index, away];
    }
    if (farthest < 0) continue;
    kept.add(farthest);
    spans.push([from, farthest], [farthest, to]);
  }
  return [...kept].sort((one, other) => one - other);
}

function distanceToLine(x: number, y: number, [x1 = 0, y1 = 0, x2 = 0, y2 = 0]: number[]): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / length));
  return distance(x1 + along * dx, y1 + along * dy, x, y);
}

/** The distance of two lines: 0 if they cross, and otherwise that of an end of one to the other. */
function distanceOfLines(one: number[], other: number[]): number {
  if (areCrossing(one, other)) return 0;
  const ends = (line: number[], from: number[]) => [distanceToLine(line[0] ?? 0, line[1] ?? 0, from), distanceToLine(line[2] ?? 0, line[3] ?? 0, from)];
  return min([...ends(one, other), ...ends(other, one)]);
}

function areCrossing(one: number[], other: number[]): boolean {
  const sideOf = ([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: number[], x = 0, y = 0) => Math.sign((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1));
  const isBetween = (line: number[], [x1, y1, x2, y2]: number[]) => sideOf(line, x1, y1) * sideOf(line, x2, y2) < 0;
  return isBetween(one, other) && isBetween(other, one);
}

function distance(x1: number, y1: number, x2: number, y2: number): number {
  return Math.hypot(x2 - x1, y2 - y1);
}

/** Unlike `Math.min(...)`, this has no limit on arguments: a stroke may have more points than a call can pass. */
function min(numbers: number[]): number {
  return numbers.reduce((least, number) => Math.min(least, number), Infinity);
}

function max(numbers: number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), -Infinity);
}
