// The shape of an item as path data, so that it looks the same on the sheet, in the report and on paper.

import { getStroke } from "perfect-freehand";
import type { Item } from "./model";

/** A path, and whether it is filled or stroked. */
export interface Outline {
  path: string;
  isFilled: boolean;
}

const HEAD_LENGTH = 5;
const HEAD_ANGLE = 0.45;

/** The outline of any item but a text. */
export function outlineOf(item: Item): Outline {
  switch (item.t) {
    case "pen":
      return { path: ofStroke(item), isFilled: true };
    case "highlighter":
      return { path: polyline(item.p), isFilled: false };
    default:
      return { path: ofShape(item), isFilled: false };
  }
}

function ofStroke({ p, f, w }: Item): string {
  const points = Array.from({ length: p.length / 2 }, (_, index) => [p[2 * index] ?? 0, p[2 * index + 1] ?? 0, (f?.[index] ?? 50) / 100]);
  const edge = getStroke(points, { size: w * 1.6, thinning: 0.5, smoothing: 0.6, streamline: 0.35, simulatePressure: f === undefined });
  if (edge.length === 0) return "";
  const middle = (one: number[], other: number[]) => `${rounded(((one[0] ?? 0) + (other[0] ?? 0)) / 2)} ${rounded(((one[1] ?? 0) + (other[1] ?? 0)) / 2)}`;
  const curves = edge.map((point, index) => {
    const next = edge[(index + 1) % edge.length] ?? point;
    return `Q${rounded(point[0] ?? 0)} ${rounded(point[1] ?? 0)} ${middle(point, next)}`;
  });
  return `M${middle(edge[0] ?? [], edge[1] ?? edge[0] ?? [])}${curves.slice(1).join("")}${curves[0] ?? ""}Z`;
}

function polyline(p: number[]): string {
  const points = Array.from({ length: p.length / 2 }, (_, index) => `${p[2 * index]} ${p[2 * index + 1]}`);
  return `M${points.join("L")}${points.length === 1 ? "h.1" : ""}`;
}

function ofShape({ t, p, w }: Item): string {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = p;
  const line = `M${x1} ${y1}L${x2} ${y2}`;
  if (t === "rectangle") return `M${x1} ${y1}H${x2}V${y2}H${x1}Z`;
  if (t === "ellipse") {
    const [rx, ry] = [Math.abs(x2 - x1) / 2, Math.abs(y2 - y1) / 2];
    const [left, right, middle] = [Math.min(x1, x2), Math.max(x1, x2), (y1 + y2) / 2];
    return `M${left} ${middle}A${rx} ${ry} 0 1 0 ${right} ${middle}A${rx} ${ry} 0 1 0 ${left} ${middle}Z`;
  }
  if (t !== "arrow") return line;
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const side = (turn: number) => `${rounded(x2 - w * HEAD_LENGTH * Math.cos(angle + turn))} ${rounded(y2 - w * HEAD_LENGTH * Math.sin(angle + turn))}`;
  return `${line}M${side(HEAD_ANGLE)}L${x2} ${y2}L${side(-HEAD_ANGLE)}`;
}

function rounded(number: number): number {
  return Math.round(number * 10) / 10;
}
