// The items of a drawing, with the versions before and after them for undo and redo.

import { BYTES_MAX, itemBytes, type Item } from "./model";

const STEPS_MAX = 300;

export class History {
  #before: Item[][] = [];
  #after: Item[][] = [];
  #items: Item[];

  constructor(items: Item[]) {
    this.#items = items;
  }

  get items(): Item[] {
    return this.#items;
  }

  get canUndo(): boolean {
    return this.#before.length > 0;
  }

  get canRedo(): boolean {
    return this.#after.length > 0;
  }

  /** One step for all of them. Returns false if there is no room. */
  add(...added: Item[]): boolean {
    const items = [...this.#items, ...added];
    if (items.reduce((sum, item) => sum + sizeOf(item), 0) > BYTES_MAX) return false;
    this.#step(items);
    return true;
  }

  remove(items: Set<Item>): void {
    if (items.size > 0) this.#step(this.#items.filter((item) => !items.has(item)));
  }

  /** Returns the items that appeared or disappeared. */
  undo(): Item[] {
    return this.#move(this.#before, this.#after);
  }

  redo(): Item[] {
    return this.#move(this.#after, this.#before);
  }

  #step(items: Item[]): void {
    this.#before = [...this.#before, this.#items].slice(-STEPS_MAX);
    this.#after = [];
    this.#items = items;
  }

  #move(from: Item[][], to: Item[][]): Item[] {
    const items = from.pop();
    if (items === undefined) return [];
    const old = this.#items;
    to.push(old);
    this.#items = items;
    const [were, are] = [new Set(old), new Set(items)];
    return [...old.filter((item) => !are.has(item)), ...items.filter((item) => !were.has(item))];
  }
}

/** An item never changes, so its size is measured once. */
const sizes = new WeakMap<Item, number>();

function sizeOf(item: Item): number {
  const known = sizes.get(item) ?? itemBytes(item);
  sizes.set(item, known);
  return known;
}
