// How many questions a paper can have that is asked for by topic and by difficulty at once: a largest flow from topics
// to difficulties through what the bank has of both. What goes through each cell is one of several answers; the sum is
// the same in all of them.

/** How much goes from each row to each column: at most so much of a row, into a column, and through a cell. */
export function largestFlow(rows: readonly number[], columns: readonly number[], cells: readonly (readonly number[])[]): number[][] {
  const flow = rows.map(() => columns.map(() => 0));
  const [left, room] = [[...rows], [...columns]];
  for (let path = freePath(left, room, cells, flow); path !== undefined; path = freePath(left, room, cells, flow)) {
    const [first, last] = [path[0] as Step, path.at(-1) as Step];
    const by = Math.min(left[first.row] ?? 0, room[last.column] ?? 0, ...path.map(({ most }) => most));
    for (const { row, column, isBack } of path) add(flow, row, column, isBack ? -by : by);
    left[first.row] = (left[first.row] ?? 0) - by;
    room[last.column] = (room[last.column] ?? 0) - by;
  }
  return flow;
}

interface Step {
  row: number;
  column: number;
  /** Takes back what goes through this cell. */
  isBack: boolean;
  /** So much can go this way. */
  most: number;
}

function add(flow: number[][], row: number, column: number, by: number): void {
  const line = flow[row];
  if (line !== undefined) line[column] = (line[column] ?? 0) + by;
}

/** The steps from a row that has something left to a column that has room, over other rows and columns if need be. */
function freePath(left: number[], room: number[], cells: readonly (readonly number[])[], flow: number[][]): Step[] | undefined {
  const toRow = new Map<number, Step[]>();
  for (const [row, count] of left.entries()) if (count > 0) toRow.set(row, []);
  const toColumn = new Map<number, Step[]>();
  // Rows that are found on the way are gone over too.
  for (const [row, path] of toRow) {
    for (const column of room.keys()) {
      const most = (cells[row]?.[column] ?? 0) - (flow[row]?.[column] ?? 0);
      if (most <= 0 || toColumn.has(column)) continue;
      const there = [...path, { row, column, isBack: false, most }];
      if ((room[column] ?? 0) > 0) return there;
      toColumn.set(column, there);
      for (const other of left.keys()) {
        const back = flow[other]?.[column] ?? 0;
        if (back > 0 && !toRow.has(other)) toRow.set(other, [...there, { row: other, column, isBack: true, most: back }]);
      }
    }
  }
  return undefined;
}
