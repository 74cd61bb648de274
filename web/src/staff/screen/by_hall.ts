// Rows of several halls, hall by hall.

import type { Row } from "../desk/row";

/** In the order in which the halls come; the name is empty for those without one. */
export function byHall(rows: readonly Row[]): [hall: string, rows: Row[]][] {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const inHall = found.get(row.room ?? "");
    if (inHall === undefined) found.set(row.room ?? "", [row]);
    else inHall.push(row);
  }
  return [...found];
}
