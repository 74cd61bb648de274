// The state of a sheet while a student draws: the stroke under way, the eraser, undo and redo, and what must be redrawn.
// Separate from the overlay, which turns pointers and keys into calls of this.

import { clear, draw, drawAll, drawAround } from "./canvas";
import { isTouched, simplified, type Point } from "./geometry";
import { History } from "./history";
import { SHAPES, type Item } from "./model";
import { PEN_COLOURS, LINE, WIDTHS, type Colour, type Tool } from "./tools";

/** Where a pointer is on the sheet, and its pressure (0 to 100) if the device reports it. */
export interface Spot {
  at: Point;
  force?: number;
}

/** In units of the sheet; on a sheet that is shown small it is larger, so that the eraser still hits. */
const ERASER_RADIUS = 10;
/** Points nearer to the path than this are left out. */
const TOLERANCE = 0.6;
/** A longer stroke continues as a second one, so that none is slow to draw. */
const POINTS_MAX = 1_500;

export class Board {
  tool = $state<Tool>("pen");
  steps = $state.raw({ canUndo: false, canRedo: false, isEmpty: true });
  isFull = $state(false);
  /** The highlighter has a colour of its own: in black it would hide the text. */
  #colours = $state<{ highlighter: Colour; others: Colour }>({ highlighter: "yellow", others: "ink" });

  #history: History;
  #lasting: CanvasRenderingContext2D | null = null;
  #passing: CanvasRenderingContext2D | null = null;
  #stroke: Item | undefined;
  #erased = new Set<Item>();
  #lastErased: Point | undefined;
  #scale = 1;
  #frame = 0;

  /** `onChange` gets all items after each change. */
  constructor(
    items: Item[],
    private onChange: (items: Item[]) => void,
  ) {
    this.#history = new History(items);
    this.#look();
  }

  get colour(): Colour {
    return this.#colours[this.tool === "highlighter" ? "highlighter" : "others"];
  }

  set colour(colour: Colour) {
    this.#colours[this.tool === "highlighter" ? "highlighter" : "others"] = colour;
  }

  /** Starts again from these items, which came from the server. */
  adopt(items: Item[]): void {
    this.#history = new History(items);
    this.#look();
    if (this.#lasting) drawAll(this.#lasting, items);
  }

  /** Draws everything on these canvases, with `density` pixels to a unit; `scale` is the size at which the sheet is shown. */
  fit(lasting: HTMLCanvasElement, passing: HTMLCanvasElement, [width, height]: [number, number], density: number, scale: number): void {
    for (const canvas of [lasting, passing]) {
      canvas.width = Math.round(width * density);
      canvas.height = Math.round(height * density);
    }
    this.#lasting = lasting.getContext("2d");
    this.#passing = passing.getContext("2d");
    this.#lasting?.setTransform(density, 0, 0, density, 0, 0);
    this.#passing?.setTransform(density, 0, 0, density, 0, 0);
    this.#scale = scale;
    const context = this.#lasting;
    if (context) void document.fonts.ready.then(() => drawAll(context, this.#remaining));
    this.#show();
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
  }

  begin({ at, force }: Spot): void {
    const { tool } = this;
    if (tool === "text") return;
    if (tool === "eraser") {
      this.#lastErased = at;
      return this.#erase([at]);
    }
    const isShape = SHAPES.includes(tool as never);
    this.#stroke = { t: tool, c: PEN_COLOURS[this.colour], w: WIDTHS[tool], p: isShape ? [...at, ...at] : [...at], ...(force !== undefined && tool === "pen" ? { f: [force] } : {}) };
    this.#show();
  }

  /** Continues the stroke through every point that the device has reported since the last call. */
  go(spots: Spot[]): void {
    if (this.#lastErased !== undefined) return this.#erase(spots.map(({ at }) => at));
    const [stroke, last] = [this.#stroke, spots.at(-1)];
    if (stroke === undefined || last === undefined) return;
    const { p, f } = stroke;
    if (SHAPES.includes(stroke.t as never)) this.#stroke = { ...stroke, p: [...p.slice(0, 2), ...last.at] };
    else this.#stroke = { ...stroke, p: [...p, ...spots.flatMap(({ at }) => at)], ...(f === undefined ? {} : { f: [...f, ...spots.map(({ force = 50 }) => force)] }) };
    if (this.#stroke.p.length > 2 * POINTS_MAX) this.#goOn(this.#stroke);
    this.#show();
  }

  end(): void {
    if (this.#lastErased !== undefined) return this.#endErasing();
    const drawn = this.#stroke;
    this.#stroke = undefined;
    this.#show();
    if (drawn !== undefined) this.#add(simplified(drawn, TOLERANCE));
  }

  /** Discards the stroke under way, which was not intended. What was erased stays erased. */
  drop(): void {
    if (this.#lastErased !== undefined) return this.#endErasing();
    this.#stroke = undefined;
    this.#show();
  }

  /** Each line is a text of its own, so that whatever shows a drawing need not break lines. */
  write([x, y]: Point, lines: string[]): void {
    this.#add(...lines.map((s, index): Item => ({ t: "text", c: PEN_COLOURS[this.colour], w: WIDTHS.text, p: [Math.round(x), Math.round(y + index * LINE)], s })));
  }

  undo(): void {
    this.#step(this.#history.undo());
  }

  redo(): void {
    this.#step(this.#history.redo());
  }

  clear(): void {
    const all = [...this.#history.items];
    this.#history.remove(new Set(all));
    this.#step(all);
  }

  get #remaining(): Item[] {
    const { items } = this.#history;
    return this.#erased.size === 0 ? items : items.filter((item) => !this.#erased.has(item));
  }

  #goOn(stroke: Item): void {
    this.end();
    const { f, p, ...rest } = stroke;
    this.#stroke = { ...rest, p: p.slice(-2), ...(f === undefined ? {} : { f: f.slice(-1) }) };
  }

  #add(...items: Item[]): void {
    const isAdded = this.#history.add(...items);
    if (isAdded && this.#lasting) for (const item of items) draw(this.#lasting, item);
    this.#tell(!isAdded);
  }

  #erase(way: Point[]): void {
    const radius = ERASER_RADIUS / Math.min(1, this.#scale);
    const touched = new Set<Item>();
    for (const at of way) {
      const from = this.#lastErased ?? at;
      for (const item of this.#remaining) if (!touched.has(item) && isTouched(item, from, at, radius)) touched.add(item);
      this.#lastErased = at;
    }
    if (touched.size === 0) return;
    touched.forEach((item) => this.#erased.add(item));
    if (this.#lasting) drawAround(this.#lasting, this.#remaining, [...touched]);
  }

  /** Everything that one stroke of the eraser removes is one step to undo. */
  #endErasing(): void {
    this.#lastErased = undefined;
    const erased = this.#erased;
    this.#erased = new Set();
    if (erased.size === 0) return;
    this.#history.remove(erased);
    this.#tell(false);
  }

  #step(changed: Item[]): void {
    if (changed.length === 0) return;
    if (this.#lasting) drawAround(this.#lasting, this.#history.items, changed);
    this.#tell(false);
  }

  #tell(isFull: boolean): void {
    this.isFull = isFull;
    this.#look();
    if (!isFull) this.onChange(this.#history.items);
  }

  #look(): void {
    const { canUndo, canRedo, items } = this.#history;
    this.steps = { canUndo, canRedo, isEmpty: items.length === 0 };
  }

  /** Draws the stroke under way, once per frame, on a canvas of its own. */
  #show(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#passing === null) return;
      clear(this.#passing);
      if (this.#stroke !== undefined) draw(this.#passing, this.#stroke);
    });
  }
}
