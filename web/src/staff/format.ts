// Numbers and times of results and figures as they are written in both languages.

const ROW_PX = 40;
/** The head of a table, with room for a scroll bar. */
const HEAD_PX = 60;

/** A duration as minutes and seconds, the way a stopwatch shows it. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** A share as whole per cent. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** A mean or a median: one decimal at most. */
export function decimal(value: number, locale: string): string {
  return value.toLocaleString(locale, { maximumFractionDigits: 1 });
}

/** A number from the address; undefined for none, and for what is no number. */
export function numberIn(text: string): number | undefined {
  const number = Number(text);
  return text.trim() === "" || !Number.isFinite(number) ? undefined : number;
}

/** The height of a table of so many rows, which scrolls by itself if there are many. */
export function tableHeight(rows: number): string {
  return `min(75dvh, ${rows * ROW_PX + HEAD_PX}px)`;
}

/** One of these words from the address, or else the first. */
export function oneOf<T extends string>(words: readonly [T, ...T[]], text: string): T {
  return words.find((word) => word === text) ?? words[0];
}
