// What is said of the morning kit, in English.

import type { KitPaper, KitPart } from "../kit";

const number = (count: number) => count.toLocaleString("en");

const en = {
  print: "Print the morning kit",
  lead: "One file with the papers of each room, in the order of the seats and in the school's first language. Print it on one side.",
  parts: "Papers",
  partNames: { door: "Sign for the door, with the code of the sitting", plan: "Seat plan", list: "Attendance list to sign", slips: "Entry slips" } as Record<KitPart, string>,
  partHints: {
    door: "It has nobody's name on it.",
    plan: "Rooms without seats have none.",
    list: "For proctors only: it says who has more time.",
    slips: "Each has an access code: keep them like the exam itself.",
  } as Record<KitPart, string>,
  paper: "Paper",
  papers: { a4: "A4", letter: "Letter (North America)" } as Record<KitPaper, string>,
  tooMany: (most: number) => `A file has ${number(most)} candidates at most: choose a room.`,
  download: "Download the kit",
  done: "The kit is downloaded. Keep its slips like the exam itself.",
};

export default en;
export type KitTexts = typeof en;
