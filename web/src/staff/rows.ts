// Moves through a page's rows of links with the keys of a list: J and K go from row to row, and Enter opens the link as ever.

import { isFreeFor } from "./keys";
import { moved } from "./table";

/** So many rows are gone over with "Page down". */
const PAGE = 10;

/** For an element that holds rows: each is a link or a button with `data-row`. */
export function rowKeys(node: HTMLElement): () => void {
  const listening = new AbortController();
  addEventListener("keydown", (event) => pressed(event, node), listening);
  return () => listening.abort();
}

function pressed(event: KeyboardEvent, node: HTMLElement): void {
  if (!["j", "k"].includes(event.key) || !isFreeFor(event, node)) return;
  const rows = [...node.querySelectorAll<HTMLElement>("[data-row]")];
  const here = rows.findIndex((row) => row === document.activeElement || row.closest("li")?.contains(document.activeElement));
  const next = moved(event.key, here, rows.length, PAGE);
  if (next === undefined) return;
  rows[next]?.focus();
  event.preventDefault();
}
