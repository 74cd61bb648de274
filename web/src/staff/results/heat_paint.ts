// Draws the part of the heat map that is seen onto a canvas: elements for 200,000 cells would be too many for any browser.

import { studentName } from "./answer";
import { shortAnswer, type HeatMap, type HeatPlace, type CellVerdict } from "./heat";
import { ROW, seenSpan, type Layout, type Window } from "./heat_layout";
import { pValue } from "./items";

/** By the name of the custom property that has it. */
export const HEAT_COLOURS = ["paper", "ink", "quiet", "line", "accent", "soft", "right", "wrong", "wrong-ink", "none", "none-ink", "not-asked"] as const;
export type Colours = Record<(typeof HEAT_COLOURS)[number], string>;

export interface Marks {
  place: HeatPlace;
  hovered: HeatPlace | undefined;
  isFocused: boolean;
  /** Says what the numbers in the head are. */
  corner: string;
}

const FONT = '"Lexend Variable", "DejaVu Sans Mathematics", system-ui, sans-serif';
const GAP = 1;
const PADDING = 8;
const ELLIPSIS = "…";

export class Painter {
  /** Names as they fit, by name, since measuring them for each frame takes longer than all the rest. */
  #fitted = new Map<string, string>();
  #fittedTo = 0;

  constructor(
    private context: CanvasRenderingContext2D,
    private colours: Colours,
  ) {}

  paint(map: HeatMap, layout: Layout, window: Window, marks: Marks): void {
    const { context, colours } = this;
    context.textBaseline = "middle";
    context.fillStyle = colours.paper;
    context.fillRect(0, 0, window.width, window.height);
    const rows = seenSpan(window.top, window.height - layout.head, ROW, layout.rows);
    const columns = seenSpan(window.left, window.width - layout.names, layout.column, layout.columns);
    this.#cells(map, layout, window, rows, columns);
    this.#names(map, layout, window, rows, marks);
    this.#head(map, layout, window, columns, marks);
    context.fillStyle = colours.paper;
    context.fillRect(0, 0, layout.names, layout.head);
    context.fillStyle = colours.quiet;
    context.font = `400 11px ${FONT}`;
    context.textAlign = "right";
    context.fillText(marks.corner, layout.names - PADDING, layout.head - 14);
    context.fillStyle = colours.line;
    context.fillRect(layout.names - 1, 0, 1, window.height);
    context.fillRect(0, layout.head - 1, window.width, 1);
    if (marks.isFocused) this.#ring(layout, window, marks.place);
  }

  #cells(map: HeatMap, layout: Layout, window: Window, [firstRow, endRow]: [number, number], [firstColumn, endColumn]: [number, number]): void {
    const { context, colours } = this;
    const fills: Record<CellVerdict, string> = { right: colours.right, wrong: colours.wrong, none: colours.none, notAsked: colours["not-asked"] };
    context.font = `500 12px ${FONT}`;
    context.textAlign = "center";
    for (let row = firstRow; row < endRow; row += 1) {
      const y = layout.head + row * ROW - window.top;
      for (let column = firstColumn; column < endColumn; column += 1) {
        const x = layout.names + column * layout.column - window.left;
        const { verdict, chosen } = map.cell(row, column);
        context.fillStyle = fills[verdict];
        context.fillRect(x, y, layout.column - GAP, ROW - GAP);
        if (verdict !== "wrong" && verdict !== "none") continue;
        context.fillStyle = verdict === "wrong" ? colours["wrong-ink"] : colours["none-ink"];
        context.fillText(chosen === undefined ? "–" : shortAnswer(chosen, layout.column), x + layout.column / 2, y + ROW / 2);
      }
    }
  }

  #names(map: HeatMap, layout: Layout, window: Window, [first, end]: [number, number], { place, hovered }: Marks): void {
    const { context, colours } = this;
    context.font = `400 13px ${FONT}`;
    for (let row = first; row < end; row += 1) {
      const student = map.rows[row];
      if (student === undefined) continue;
      const y = layout.head + row * ROW - window.top;
      context.fillStyle = row === (hovered ?? place).row ? colours.soft : colours.paper;
      context.fillRect(0, y, layout.names, ROW);
      const count = student.right === null || student.questions === null ? "–" : `${student.right}/${student.questions}`;
      context.fillStyle = colours.quiet;
      context.textAlign = "right";
      context.fillText(count, layout.names - PADDING, y + ROW / 2);
      context.fillStyle = colours.ink;
      context.textAlign = "left";
      context.fillText(this.#fitting(studentName(student), layout.names - 64), PADDING, y + ROW / 2);
    }
  }

  #head(map: HeatMap, layout: Layout, window: Window, [first, end]: [number, number], { place, hovered }: Marks): void {
    const { context, colours } = this;
    for (let column = first; column < end; column += 1) {
      const question = map.question(column);
      if (question === undefined) continue;
      const x = layout.names + column * layout.column - window.left;
      const middle = x + layout.column / 2;
      context.fillStyle = column === (hovered ?? place).column ? colours.soft : colours.paper;
      context.fillRect(x, 0, layout.column, layout.head);
      context.fillStyle = colours.ink;
      context.font = `500 13px ${FONT}`;
      if (layout.isTall) this.#upright((map.labels[column] ?? ""), middle, layout.head - 26);
      else {
        context.textAlign = "center";
        context.fillText((map.labels[column] ?? ""), middle, 15);
      }
      const solved = pValue(question);
      context.fillStyle = colours.quiet;
      context.font = `400 11px ${FONT}`;
      context.textAlign = "center";
      context.fillText(solved === undefined ? "–" : String(Math.round(solved * 100)), middle, layout.head - 14);
    }
  }

  /** A long label, written upwards. */
  #upright(label: string, x: number, bottom: number): void {
    const { context } = this;
    context.save();
    context.translate(x, bottom);
    context.rotate(-Math.PI / 2);
    context.textAlign = "left";
    context.fillText(this.#fitting(label, bottom - 4), 0, 0);
    context.restore();
  }

  #ring(layout: Layout, window: Window, { row, column }: HeatPlace): void {
    const { context, colours } = this;
    const x = column < 0 ? 0 : layout.names + column * layout.column - window.left;
    const y = row < 0 ? 0 : layout.head + row * ROW - window.top;
    context.strokeStyle = colours.accent;
    context.lineWidth = 3;
    context.strokeRect(x + 1.5, y + 1.5, (column < 0 ? layout.names : layout.column) - 4, (row < 0 ? layout.head : ROW) - 4);
  }

  #fitting(text: string, width: number): string {
    if (this.#fittedTo !== width) this.#fitted.clear();
    this.#fittedTo = width;
    const known = this.#fitted.get(text);
    if (known !== undefined) return known;
    const fits = (shown: string) => this.context.measureText(shown).width <= width;
    let length = text.length;
    while (length > 1 && !fits(length === text.length ? text : text.slice(0, length) + ELLIPSIS)) length -= 1;
    const fitted = length === text.length ? text : text.slice(0, length).trimEnd() + ELLIPSIS;
    this.#fitted.set(text, fitted);
    return fitted;
  }
}
