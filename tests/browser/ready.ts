// Starts the binary once before all tests, so that each can copy its database: the migrations and 1,400 inserts of a
// first start would otherwise be repeated for each of them.

import { existsSync } from "node:fs";
import { Hall, READY_DATABASE } from "./hall";

/** Playwright calls this before the first test, and what it returns after the last one. */
export default async function ready(): Promise<() => Promise<void>> {
  const hall = new Hall();
  await hall.open({});
  await hall.stop();
  if (existsSync(`${hall.database}-wal`)) throw new Error("SQLite has not written everything to its file");
  process.env[READY_DATABASE] = hall.database;
  return () => hall.close();
}
