// What a table of rows works out apart from showing them: where a key leads, what lies between two rows, and how wide it is.

interface Sized {
  width?: string;
}

const CHECKBOX = "2rem";
const COLUMN = "minmax(7rem, 1fr)";
const REM = /(\d+(?:\.\d+)?)rem/;
const LEAST_REM = 7;

/** The place that the key leads to from this one (-1: none yet), or undefined if it leads nowhere. */
export function moved(key: string, from: number, count: number, page: number): number | undefined {
  if (count === 0) return undefined;
  const last = count - 1;
  const within = (index: number) => Math.min(last, Math.max(0, index));
  if (key === "j" || key === "ArrowDown") return within(from + 1);
  if (key === "k" || key === "ArrowUp") return from < 0 ? last : within(from - 1);
  if (key === "PageDown") return within(from + page);
  if (key === "PageUp") return within(from - page);
  if (key === "Home") return 0;
  return key === "End" ? last : undefined;
}

/** The keys of the rows from one to the other, both included, in whichever order they stand. */
export function between<Row>(rows: Row[], key: (row: Row) => string, from: string | undefined, to: string): string[] {
  const end = rows.findIndex((row) => key(row) === to);
  if (end < 0) return [];
  const found = rows.findIndex((row) => key(row) === from);
  const start = found < 0 ? end : found;
  return rows.slice(Math.min(start, end), Math.max(start, end) + 1).map(key);
}

/** As in `grid-template-columns`. */
export function templateOf(columns: Sized[], hasCheckbox: boolean): string {
  return [...(hasCheckbox ? [CHECKBOX] : []), ...columns.map(({ width }) => width ?? COLUMN)].join(" ");
}

/** Below this width the table scrolls sideways. */
export function leastWidth(columns: Sized[]): string {
  const rems = columns.map(({ width = "" }) => Number(REM.exec(width)?.[1] ?? LEAST_REM));
  return `${rems.reduce((sum, rem) => sum + rem, 3)}rem`;
}
