// What the palette can do: each page registers its own commands while it is shown.

import { SvelteSet } from "svelte/reactivity";

export interface PaletteCommand {
  title: string;
  group: string;
  /** The keys that do the same, as they are written on the page. */
  keys?: string;
  /** Offered only to who types, since there are thousands of its kind. */
  isSearched?: boolean;
  run: () => void;
}

const offers = new SvelteSet<() => PaletteCommand[]>();
let isOpen = $state(false);
let sought = $state("");
/** Whether Enter was pressed before the palette was drawn. */
let isEntered = $state(false);

/** Offers these commands as long as the component that calls this is shown. */
export function offerCommands(commands: () => PaletteCommand[]): void {
  $effect(() => {
    offers.add(commands);
    return () => void offers.delete(commands);
  });
}

export function offeredCommands(): PaletteCommand[] {
  return [...offers].flatMap((commands) => commands());
}

export function isPaletteOpen(): boolean {
  return isOpen;
}

export function showPalette(shown: boolean): void {
  isOpen = shown;
  sought = "";
  isEntered = false;
}

/** Whoever types fast presses Enter before the palette is drawn, or has the focus: what is found first is done then. */
export function enterEarly(): void {
  isEntered = true;
}

export function wasEnteredEarly(): boolean {
  return isEntered;
}

/** What is typed into the palette. */
export function soughtText(): string {
  return sought;
}

export function seek(text: string): void {
  sought = text;
}
