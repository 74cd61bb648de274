// A tab's own memory: which attempt is its own, and the secret that continues it if the browser's database fails. Other
// tabs can't see it, so that a student at a shared computer is not led into the test of another.

const PREFIX = "examhall-attempt-";
const RENEWED = "examhall-renewed";

export interface TabAttempt {
  /** The attempt's name on this device. */
  attempt: string;
  /** The session and its token; empty until the server has answered the start. */
  continuation: string;
}

export function tabAttemptOf(test: string): TabAttempt | undefined {
  try {
    const own = JSON.parse(sessionStorage.getItem(PREFIX + test) ?? "null") as Partial<TabAttempt> | null;
    return typeof own?.attempt === "string" && typeof own.continuation === "string" ? (own as TabAttempt) : undefined;
  } catch {
    return undefined;
  }
}

export function keepTabAttempt(test: string, own: TabAttempt): void {
  try {
    sessionStorage.setItem(PREFIX + test, JSON.stringify(own));
  } catch {
    // The page then asks the student whose test it is.
  }
}

export function forgetTabAttempt(test: string): void {
  try {
    sessionStorage.removeItem(PREFIX + test);
  } catch {
    // A browser without storage has nothing to delete.
  }
}

/** Whether this tab has not been loaded anew for this session yet, of which it takes note: what that does not mend, it never does. */
export function renewsTab(sessionId: string): boolean {
  try {
    if (sessionStorage.getItem(RENEWED) === sessionId) return false;
    sessionStorage.setItem(RENEWED, sessionId);
    return true;
  } catch {
    return false;
  }
}
