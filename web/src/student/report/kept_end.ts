// What a tab remembers of a test that has ended in it: the link that continues it, for a report that is loaded again while the
// test is reopened. Other tabs can't see it.

const PREFIX = "examhall-ended-";

export function keepEnd(sessionId: string, link: string): void {
  try {
    sessionStorage.setItem(PREFIX + sessionId, link);
  } catch {
    // The student then goes on by the link of a teacher, or by signing in.
  }
}

/** Undefined if the test has not ended in this tab. */
export function endKept(sessionId: string): string | undefined {
  try {
    return sessionStorage.getItem(PREFIX + sessionId) ?? undefined;
  } catch {
    return undefined;
  }
}
