// What a student is told while they work: said by those who know it, shown again by what lies over the page and makes it silent.

/** One runner is there at a time. */
export const announcements = $state({
  /** Of the time, for as long as it is news. */
  alert: "",
  isFlashing: false,
  /** The clock of the last minutes; empty before them. */
  clock: "",
  messages: [] as { id: number; sentence: string }[],
});
