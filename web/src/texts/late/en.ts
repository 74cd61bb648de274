// The texts about work that came too late in English: the catalogue that the others are measured by. They are loaded with it.

const changes = (count: number) => `${count} ${count === 1 ? "change" : "changes"}`;

const en = {
  offer: "What you did since the internet went away is kept on this device. It is sent when the internet is back, and your teacher decides whether it counts. If you can’t wait for that, save it as a file and give the file to your teacher. Nobody but the school’s server can read it.",
  offerEarly: "If you can’t wait for that, or your teacher has ended the test for everyone, save what was not sent as a file and give the file to your teacher. Nobody but the school’s server can read it.",
  save: "Save as a file",
  saved: "Saved. Give the file to your teacher, and leave this page open.",
  leftOut: (count: number, all: number) =>
    `${count} of ${all} ${all === 1 ? "drawing" : "drawings"} ${count === 1 ? "does" : "do"} not fit into the file: ${count === 1 ? "it is" : "they are"} on this device alone.`,
  failed: "The file could not be made. Leave this page open: your answers are kept.",
  kept: (count: number) => `${changes(count)} reached the server after the end of the test. Nothing is lost: your teacher decides whether ${count === 1 ? "it counts" : "they count"}.`,
  lost: "What is missing is still on this device. Save it as a file and give the file to your teacher, who decides whether it counts. Nobody but the school’s server can read it.",
  lostHere: "What is missing is still on this device. Leave it there until your teacher has seen this page.",
  lostSaved: "Saved. Give the file to your teacher.",
  delete: "Delete it from this device",
  deleteLead: "Delete what did not reach the server? Nobody can get it back.",
  deleteSure: "Yes, delete it",
  deleted: "Deleted from this device.",
};

export default en;
export type LateTexts = typeof en;
