// Everything on lists of people that are pasted or chosen as files, in English: the catalogue that the other is measured by.

import type { RosterColumn } from "../paste";

const number = (count: number) => count.toLocaleString("en");
const plural = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;

const columns: Record<RosterColumn, string> = {
  email: "E-mail",
  externalId: "Student number",
  name: "Name",
  givenName: "Given name",
  middleName: "Middle name",
  familyName: "Family name",
  room: "Room",
  seat: "Seat",
  factor: "More time (%)",
  extraMinutes: "Extra minutes",
  startsAt: "Own start",
  endsAt: "Own end",
  note: "Note",
};

const en = {
  chooseFiles: "Choose files",
  chosenFiles: (names: string[]) => names.join(", "),
  dropHere: "Drop the files here",
  class_: "Only those of this class (OneRoster)",
  columns,
  notSent: "not used",
  columnOf: (index: number) => `Meaning of column ${index + 1}`,
  needPeople: "One column must be the e-mail address or the student number.",
  percentOrMinutes: (heading: string) => `“${heading}” can be percent or minutes: say which. Until then it is not used.`,
  beyondPaper: (count: number, minutes: number) =>
    `${plural(count, "row gives", "rows give")} more extra minutes than the whole paper has, which is ${number(minutes)}. If percent is meant, choose it above the column.`,
  unusedColumns: (count: number) => `${plural(count, "column with values is", "columns with values are")} not used.`,
  checking: "Checking…",
  dryRun: (added: number, updated: number, removed: number) => `This would add ${number(added)}, update ${number(updated)} and remove ${number(removed)}.`,
  nothingRead: "There is nobody in this list.",
  newRooms: (names: string[]) => `${names.length === 1 ? "A new room" : "New rooms"}: ${names.join(", ")}.`,
  ignoredColumns: (headings: string[]) => `Columns that are not known and not read: ${headings.join(", ")}.`,
  hiddenRows: (count: number) => `${plural(count, "row that the file hides is", "rows that the file hides are")} read like the others.`,
  readAs: (encoding: string) => `The file does not say its encoding, and was read as ${encoding}. If letters look wrong, save it as UTF-8 or .xlsx.`,
  openQuote: (row: number) => `Row ${number(row)}: a quotation mark is opened and not closed.`,
  joinedNames: (names: string[]) => `Names are put together in the order of the columns: ${names.join(", ")} …`,
  removesNone: "Nobody is removed as long as a row has an error.",
  errorCount: (count: number) => plural(count, "row has an error", "rows have errors"),
  row: "Row",
  rowAndError: "Row, and what is wrong",
  sheet: "The list row by row",
  error: "What is wrong",
  faults: {
    address: (column: string, _row: string) => `${column}: this is no e-mail address`,
    text: (column: string, _row: string) => `${column}: 1 to 200 characters`,
    factor: (column: string, _row: string) => `${column}: write +25 %, 1/3 or +10 min; 400 % of the usual time at most`,
    minutes: (column: string, _row: string) => `${column}: whole minutes of 0 to 600`,
    time: (column: string, _row: string) => `${column}: a time with its zone, such as 2027-03-02T09:00:00+07:00`,
    order: (column: string, _row: string) => `${column}: must be after the own start`,
    nobody: (_column: string, _row: string) => "an e-mail address or a student number is needed",
    twice: (column: string, row: string) => `${column}: stands in row ${row} already`,
    same: (_column: string, _row: string) => "an earlier row is about the same person",
    two: (_column: string, _row: string) => "e-mail and student number are those of two people",
    rooms: (_column: string, _row: string) => "there are too many rooms",
    entered: (_column: string, _row: string) => "has entered already: change this candidate alone",
    unknown: (_column: string, _row: string) => "is not among the users",
    lost: (column: string, _row: string) => `${column}: the spreadsheet has lost digits of it; format the column as text, and type it again`,
    moment: (column: string, _row: string) => `${column}: the spreadsheet has made a date or a time of it; format the cell as text, and type it again`,
    struck: (column: string, _row: string) => `${column}: has text that is struck out; remove it, or the whole row`,
    raised: (column: string, _row: string) => `${column}: has raised or lowered text`,
    again: (column: string, _row: string) => `${column}: another column says it already`,
    unclear: (_column: string, _row: string) => "25 may be minutes or percent here: write “+25 %” or “+25 min”, or name the column “extra minutes” or “factor”",
  },
  inFile: "In the file",
  morePreview: (count: number) => `and ${plural(count, "row", "rows")} more without errors`,
  cell: (column: string, row: number) => `${column} in row ${row}`,
};

export default en;
export type RosterTexts = typeof en;
