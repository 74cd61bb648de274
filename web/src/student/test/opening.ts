// Which attempt a link opens. Computers of schools are shared: nobody goes straight into the test of another student.

import type { AttemptRecord, AttemptStore } from "../../exam/ports";
import type { TabAttempt } from "../../storage/tab";

export interface Visit {
  test: string;
  /** Whether the link says whose test it is: its name on this device then says so too. */
  isNamed: boolean;
  /** What another device has shown, when its link was opened. */
  continuation: string | undefined;
  /** What this tab remembers. */
  own: TabAttempt | undefined;
}

export type Opening =
  /** An attempt that is kept here. */
  | { kind: "goOn"; attempt: string }
  /** One that only its continuation leads to. */
  | { kind: "continue"; attempt: string; continuation: string }
  /** One of these, or a new one: only the student knows. */
  | { kind: "ask"; found: AttemptRecord[]; fresh: string }
  | { kind: "new"; attempt: string };

/** Rejects when the browser does not say what it keeps. `email` gives that of who is signed in. */
export async function openingOf({ test, isNamed, continuation, own }: Visit, store: AttemptStore, email: () => Promise<string | undefined>): Promise<Opening> {
  if (continuation !== undefined) return { kind: "continue", attempt: `${test}/${continuation.split(".", 1)[0]}`, continuation };
  const remembered = own === undefined || own.continuation === "" ? undefined : { kind: "continue" as const, ...own };
  const found = await store.find(test).catch((error: unknown) => {
    if (remembered === undefined) throw error;
    return [];
  });
  const there = found.find((record) => record.test === own?.attempt);
  // Its name may have been given to the test of another student meanwhile, in another tab.
  const isOwn = own?.continuation === "" || own?.continuation.startsWith(`${there?.sessionId}.`);
  if (there !== undefined && isOwn) return { kind: "goOn", attempt: there.test };
  if (there?.sessionId === undefined && remembered !== undefined) return remembered;
  const [first] = found;
  if (first === undefined) return { kind: "new", attempt: test };
  if (isNamed) return { kind: "goOn", attempt: first.test };
  return ofSeveral(test, found, await email());
}

/** Who is signed in goes on with their own, and is not shown what others have begun under their names. */
function ofSeveral(test: string, found: AttemptRecord[], email: string | undefined): Opening {
  const mine = found.find(({ owner }) => owner !== undefined && owner === email);
  if (mine !== undefined) return { kind: "goOn", attempt: mine.test };
  const fresh = freshName(test, found);
  const offered = found.filter(({ owner }) => owner === undefined || email === undefined);
  return offered.length === 0 ? { kind: "new", attempt: fresh } : { kind: "ask", found: offered, fresh };
}

function freshName(test: string, found: AttemptRecord[]): string {
  const names = new Set(found.map((record) => record.test));
  for (let number = 2; ; number += 1) if (!names.has(`${test}/${number}`)) return `${test}/${number}`;
}
