// A pause that a page waits for at most.

/** Resolves after this time, to nothing, so that it can race with what a page waits for. */
export function pause(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds));
}
