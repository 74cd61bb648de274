// What a tab remembers for itself: which attempt is its own, and what goes on with it where the browser's database fails.

const PREFIX = "examhall-attempt-";

export interface TabAttempt {
  /** Its name on this device. */
  attempt: string;
  /** The session and its token. */
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
    // The student is then asked whose test it is.
  }
}

export function forgetTabAttempt(test: string): void {
  try {
    sessionStorage.removeItem(PREFIX + test);
  } catch {
    // There is nothing to forget.
  }
}
