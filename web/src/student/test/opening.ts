// Decides which attempt a link opens. Computers in schools are shared, so a student must never get straight into the test of
// another.

import type { AttemptRecord, AttemptStore } from "../../exam/ports";
import type { TabAttempt } from "../../storage/tab";

export interface Visit {
  test: string;
  /** Whether the link says whose test it is. The name of the test on this device then contains it. */
  isNamed: boolean;
  /** The secret of a link from another device, if one was opened. */
  continuation: string | undefined;
  /** Whether the link says who sits here now, by an access code, who may be another than whom this device knows. */
  hasCode?: boolean;
  /** The attempt that this tab remembers as its own. */
  own: TabAttempt | undefined;
}

export type Opening =
  /** Continue an attempt that is stored here. */
  | { kind: "goOn"; attempt: string }
  /** Continue an attempt that only its secret leads to. */
  | { kind: "continue"; attempt: string; continuation: string }
  /** Ask the student: it may be one of these, or a new one. */
  | { kind: "ask"; found: AttemptRecord[]; fresh: string }
  | { kind: "new"; attempt: string };

/** Rejects if the browser can't be read. `email` resolves to the e-mail of the student, if one is signed in. */
export async function openingOf({ test, isNamed, continuation, hasCode = false, own }: Visit, store: AttemptStore, email: () => Promise<string | undefined>): Promise<Opening> {
  if (continuation !== undefined) return { kind: "continue", attempt: `${test}/${continuation.split(".", 1)[0]}`, continuation };
  if (hasCode) return ofOthers(test, await store.find(test), await email());
  const remembered = own === undefined || own.continuation === "" ? undefined : { kind: "continue" as const, ...own };
  const found = await store.find(test).catch((error: unknown) => {
    if (remembered === undefined) throw error;
    return [];
  });
  const there = found.find((record) => record.test === own?.attempt);
  // Another tab may have used the name for the test of another student meanwhile.
  const isOwn = own?.continuation === "" || own?.continuation.startsWith(`${there?.sessionId}.`);
  if (there !== undefined && isOwn) return { kind: "goOn", attempt: there.test };
  if (there?.sessionId === undefined && remembered !== undefined) return remembered;
  const [first] = found;
  if (first === undefined) return { kind: "new", attempt: test };
  if (isNamed) return { kind: "goOn", attempt: first.test };
  return ofSeveral(test, found, await email());
}

/** A signed-in student continues their own attempt, and is not shown those that others have begun while signed in. */
function ofSeveral(test: string, found: AttemptRecord[], email: string | undefined): Opening {
  const mine = found.find(({ owner }) => owner !== undefined && owner === email);
  if (mine !== undefined) return { kind: "goOn", attempt: mine.test };
  return asked(test, found, found.filter(({ owner }) => owner === undefined || email === undefined));
}

/** Nobody goes on without being asked, and nothing that is stored here is overwritten. */
function ofOthers(test: string, found: AttemptRecord[], email: string | undefined): Opening {
  if (found.length === 0) return { kind: "new", attempt: test };
  return asked(test, found, found.filter(({ owner }) => owner === undefined || owner === email));
}

function asked(test: string, found: AttemptRecord[], offered: AttemptRecord[]): Opening {
  const fresh = freshName(test, found);
  return offered.length === 0 ? { kind: "new", attempt: fresh } : { kind: "ask", found: offered, fresh };
}

function freshName(test: string, found: AttemptRecord[]): string {
  const names = new Set(found.map((record) => record.test));
  for (let number = 2; ; number += 1) if (!names.has(`${test}/${number}`)) return `${test}/${number}`;
}
