// The announcements of the running test, shared so that a modal dialog, which silences the page beneath, can repeat them.

/** A page has one running test at a time, so one value is enough. */
export const announcements = $state({
  /** The alert about the time, while it is new. */
  alert: "",
  isFlashing: false,
  /** The clock in the last minutes; empty before. */
  clock: "",
  messages: [] as { id: number; sentence: string }[],
});
