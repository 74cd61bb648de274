// What happens on a sheet: the stroke under way, the eraser, the steps back and forth, and what of it all is drawn anew.

import { clear, draw, drawAll, drawAround } from "./canvas";
import { isTouched, simplified, type Point } from "./geometry";
import { History } from "./history";
import { SHAPES, type Item } from "./model";
import { COLOURS, WIDTHS, type Colour, type Tool } from "./tools";

/** Where a pointer is on the sheet, and how hard it is pressed (0 to 100) where the device says so. */
export interface Spot {
  at: Point;
  force?: number;
}

/** On the screen at most, so that it is hit in a sheet that is shown small. */
const ERASER_RADIUS = 10;
/** Points nearer to the way than this are left out. */
const TOLERANCE = 0.6;
/** A longer stroke goes on as a second one, so that none is slow to draw. */
const POINTS_MAX = 1_500;

export class Board {
  tool = $state<Tool>("pen");
  steps = $state.raw({ canUndo: false, canRedo: false, isEmpty: true });
  isFull = $state(false);
  /** A highlighter has its own: in black it would hide what it is to show. */
  #colours = $state<{ highlighter: Colour; others: Colour }>({ highlighter: "yellow", others: "ink" });

  #history: History;
  #lasting: CanvasRenderingContext2D | null = null;
  #passing: CanvasRenderingContext2D | null = null;
  #stroke: Item | undefined;
  #erased = new Set<Item>();
  #lastErased: Point | undefined;
  #scale = 1;
  #frame = 0;

  /** `told` hears of all items after each change. */
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

  /** Goes on from these items, which have come from elsewhere. */
  adopt(items: Item[]): void {
    this.#history = new History(items);
    this.#look();
    if (this.#lasting) drawAll(this.#lasting, items);
  }

  /** Draws all on these canvases, at so many pixels a unit; `scale` is how large the sheet is shown. */
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
    this.#stroke = { t: tool, c: COLOURS[this.colour], w: WIDTHS[tool], p: isShape ? [...at, ...at] : [...at], ...(force !== undefined && tool === "pen" ? { f: [force] } : {}) };
    this.#show();
  }

  /** With every point that the device has seen since the last call. */
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

  /** The stroke under way was not meant; what is erased stays so. */
  drop(): void {
    if (this.#lastErased !== undefined) return this.#endErasing();
    this.#stroke = undefined;
    this.#show();
  }

  write([x, y]: Point, s: string): void {
    this.#add({ t: "text", c: COLOURS[this.colour], w: WIDTHS.text, p: [Math.round(x), Math.round(y)], s });
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

  #add(item: Item): void {
    const isAdded = this.#history.add(item);
    if (isAdded && this.#lasting) draw(this.#lasting, item);
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

  /** Everything that one stroke of the eraser takes away is one step. */
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

  /** The stroke under way is on a canvas of its own, drawn once a frame. */
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
