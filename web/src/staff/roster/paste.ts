// A list of people as it is pasted from a spreadsheet: cut into rows and columns to be looked at and mended. What is sent is
// what is shown, and the server reads it for real.

import { moreTimeIn, moreTimeText } from "../more_time";
import { folded } from "../search";
import en, { type RosterTexts } from "./texts/en";
import vi from "./texts/vi";

/** The columns that a list may have, with other headings for them, in small letters and digits. */
const HEADINGS: Record<RosterColumn, string[]> = {
  email: ["mail", "emailaddress", "account"],
  externalId: ["id", "studentid", "sourcedid", "studentnumber"],
  name: ["student", "fullname", "candidate", "displayname"],
  givenName: ["firstname"],
  middleName: [],
  familyName: ["lastname", "surname"],
  room: ["hall"],
  seat: ["place", "desk"],
  factor: ["timefactor", "percent", "timepercent", "timeinpercent"],
  extraMinutes: ["minutesextra", "additionalminutes"],
  startsAt: ["start", "starts"],
  endsAt: ["end", "ends"],
  note: ["notes", "comment", "noteforproctors"],
};

export type RosterColumn =
  "email" | "externalId" | "name" | "givenName" | "middleName" | "familyName" | "room" | "seat" | "factor" | "extraMinutes" | "startsAt" | "endsAt" | "note";
export const ROSTER_COLUMNS = Object.keys({ ...HEADINGS }) as RosterColumn[];

/**
 * More time, as a heading says it that does not say of what: 125 would be a quarter more to one, and two hours to
 * another. The server knows these headings too, and reads of their cells those that say what they are.
 */
const AMBIGUOUS = ["extra", "extratime", "moretime", "additionaltime", "themgio", "giothem", "thoigianthem", "congthem", "thoigiancongthem"];

/** The same in Vietnamese, as the server has them too. */
const VIETNAMESE: Record<string, RosterColumn> = {
  hoten: "name",
  hovaten: "name",
  ten: "givenName",
  ho: "familyName",
  hodem: "familyName",
  dem: "middleName",
  mahocsinh: "externalId",
  mahs: "externalId",
  mssv: "externalId",
  sobaodanh: "externalId",
  sbd: "externalId",
  thudientu: "email",
  taikhoan: "email",
  phong: "room",
  phongthi: "room",
  cho: "seat",
  chongoi: "seat",
  ghichu: "note",
  ghichuchogiamthi: "note",
};

/** What the pages themselves call the columns, so that a list that was copied from them is read. */
const LABELS = new Map(
  [en, vi].flatMap(({ columns }: RosterTexts) => ROSTER_COLUMNS.map((name) => [bare(columns[name]), name] as const)),
);

export interface PastedTable {
  /** What each column means; undefined for one that is not sent. */
  columns: (RosterColumn | undefined)[];
  /** As they were typed; undefined if the first row is already about somebody. */
  headings: string[] | undefined;
  /** As they are sent. */
  rows: string[][];
  /** The number of each row in the sheet. */
  numbers: number[];
  /** The whole sheet as it was typed or mended, also what is above the headings and between the rows. */
  sheet: string[][];
}

/** The rows of a text that have something in them. */
export function cells(text: string): string[][] {
  return sheetRows(text).filter(hasText);
}

function hasText(row: string[]): boolean {
  return row.some((cell) => cell !== "");
}

/** Cuts a text into all of its rows: with tabs as spreadsheets copy them, or semicolons or commas, and quotes around cells. */
export function sheetRows(text: string): string[][] {
  const delimiter = delimiterOf(text);
  const plain = text.replace(/\r\n?/g, "\n");
  const rows: string[][] = [[]];
  let cell = "";
  let isQuoted = false;
  const end = () => {
    (rows.at(-1) as string[]).push(cell.trim());
    cell = "";
  };
  for (let at = 0; at < plain.length; at += 1) {
    const letter = plain.charAt(at);
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (plain.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"' && cell.trim() === "") {
      isQuoted = true;
      cell = "";
    } else if (letter === delimiter) end();
    else if (letter === "\n") {
      end();
      rows.push([]);
    } else cell += letter;
  }
  end();
  return rows;
}

/**
 * The row of the first cell whose quotation mark nothing ends, or behind whose end something stands: the rows from there on would
 * be one cell. The server looks for the same in files. With `hasMailboxes` an address may stand behind a name in quotation marks.
 */
export function openQuote(text: string, hasMailboxes = false): number | undefined {
  const delimiter = delimiterOf(text);
  const lines = text.replace(/\r\n?/g, "\n");
  let row = 1;
  let isAtBegin = true;
  for (let at = 0; at < lines.length; at += 1) {
    const letter = lines.charAt(at);
    if (letter === '"' && isAtBegin) {
      const [quoted] = /^"(?:[^"]|"")*"[^\S\n\t]*/.exec(lines.slice(at)) ?? [];
      const behind = lines.charAt(at + (quoted?.length ?? 0));
      const isEnd = ["", "\n", delimiter].includes(behind) || (hasMailboxes && behind === "<");
      if (quoted === undefined || !isEnd) return row;
      at += quoted.length - 1;
      isAtBegin = false;
      continue;
    }
    isAtBegin = letter === delimiter || letter === "\n";
    if (letter === "\n") row += 1;
  }
  return undefined;
}

/** The sign that stands most often in the first lines; a tab is never part of a name. */
function delimiterOf(text: string): string {
  const head = text.split(/\r?\n/, 5).join("\n");
  if (head.includes("\t")) return "\t";
  const count = (sign: string) => head.split(sign).length;
  return count(";") > count(",") ? ";" : ",";
}

/** Small letters and digits, without the signs above letters; a percent sign is a word. */
function bare(heading: string): string {
  return folded(heading).replaceAll("%", "percent").replace(/[^\p{L}\p{N}]/gu, "");
}

export function meaningOf(heading: string): RosterColumn | undefined {
  const plain = bare(heading);
  const known = ROSTER_COLUMNS.find((name) => name.toLowerCase() === plain || HEADINGS[name].includes(plain));
  return known ?? LABELS.get(plain) ?? VIETNAMESE[plain];
}

/** Whether a heading says "more time" and not of what. */
export function isAmbiguous(heading: string): boolean {
  return AMBIGUOUS.includes(bare(heading));
}

/** A cell of more time as the server reads it: what it adds. What can't be told stays as it was typed, to be mended. */
function cellAs(name: RosterColumn | undefined, cell: string): string {
  if (name !== "factor" && name !== "extraMinutes") return cell;
  const more = moreTimeIn(cell, name === "factor" ? "percent" : "minutes");
  if (more === undefined) return cell;
  return name === "extraMinutes" && more.kind === "minutes" ? String(more.value) : moreTimeText(more);
}

function said(rows: string[][], index: number): string[] {
  return rows.map((row) => row[index] ?? "").filter((cell) => cell !== "");
}

/** What a column of more time means, if all that stands in it says what it is: the server reads each cell by itself. */
function meaningIn(cells: string[]): RosterColumn | undefined {
  const kinds = new Set(cells.map((cell) => moreTimeIn(cell)?.kind));
  if (cells.length === 0 || kinds.has(undefined)) return undefined;
  return kinds.has("factor") ? "factor" : "extraMinutes";
}

/** The table with the cells of its sheet as the server takes them. */
function readable(table: Omit<PastedTable, "rows">): PastedTable {
  const { columns, numbers, sheet } = table;
  const rows = numbers.map((number) => columns.map((name, index) => cellAs(name, sheet[number - 1]?.[index] ?? "")));
  return { ...table, rows };
}

/** The table with another meaning of a column, which then no other one has. What was typed is read anew. */
export function withMeaning(table: PastedTable, column: number, meaning: RosterColumn | undefined): PastedTable {
  const others = (name: RosterColumn | undefined) => (name === meaning ? undefined : name);
  return readable({ ...table, columns: table.columns.map((name, index) => (index === column ? meaning : others(name))) });
}

/** The table with another value in one cell; everything else stays where it is in the sheet. */
export function withCell(table: PastedTable, row: number, column: number, value: string): PastedTable {
  const at = (table.numbers[row] ?? 0) - 1;
  const filled = (cells: string[]) => Array.from({ length: table.columns.length }, (_, index) => (index === column ? value : (cells[index] ?? "")));
  return readable({ ...table, sheet: table.sheet.map((cells, index) => (index === at ? filled(cells) : cells)) });
}

/** The sheet as a text that is read again to the same table, each row where it was. */
export function sheetText({ sheet }: PastedTable): string {
  const cell = (text: string) => (/["\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return sheet.map((row) => row.map(cell).join("\t")).join("\n");
}

/** The columns of which somebody must say whether bare numbers are percent or minutes. */
export function undecided({ headings = [], columns, rows }: PastedTable): { heading: string; column: number }[] {
  const all = headings.map((heading, column) => ({ heading, column }));
  return all.filter(({ heading, column }) => columns[column] === undefined && isAmbiguous(heading) && said(rows, column).length > 0);
}

/** How many columns have values and are not sent. */
export function unusedColumns({ columns, rows }: PastedTable): number {
  return columns.filter((name, index) => name === undefined && said(rows, index).length > 0).length;
}

/** How many rows have more extra minutes than the whole paper: percent, most likely. */
export function beyondPaper({ columns, rows }: PastedTable, minutes: number): number {
  const index = columns.indexOf("extraMinutes");
  return index < 0 ? 0 : said(rows, index).filter((cell) => Number(cell) > minutes).length;
}

/** The table with these columns alone: what the list can't have is not sent. */
export function withOnly(table: PastedTable, columns: readonly RosterColumn[]): PastedTable {
  return readable({ ...table, columns: table.columns.map((name) => (name !== undefined && columns.includes(name) ? name : undefined)) });
}

/** Reads what was pasted. Without headings the columns are guessed, and people can say what they are. */
export function pasted(text: string): PastedTable {
  const sheet = sheetRows(text);
  const all = sheet.map((cells, index) => ({ cells, number: index + 1 })).filter(({ cells }) => hasText(cells));
  // A title may stand above the headings.
  const at = all.slice(0, 10).findIndex(({ cells }) => cells.map(meaningOf).some((name) => name === "email" || name === "externalId" || name === "name"));
  const width = Math.max(0, ...all.map(({ cells }) => cells.length));
  const filled = (row: string[]) => Array.from({ length: width }, (_, index) => row[index] ?? "");
  const below = all.slice(at + 1);
  const [numbers, rows] = [below.map(({ number }) => number), below.map(({ cells }) => filled(cells))];
  if (at < 0) return readable({ headings: undefined, columns: guessed(rows, width), numbers, sheet });
  const headings = filled(all[at]?.cells ?? []);
  const columns = headings.map((heading, index) => (isAmbiguous(heading) ? meaningIn(said(rows, index)) : meaningOf(heading)));
  return readable({ headings, columns: once(columns), numbers, sheet });
}

/** Of several columns with the same meaning the first counts. */
function once(columns: (RosterColumn | undefined)[]): (RosterColumn | undefined)[] {
  return columns.map((name, index) => (columns.indexOf(name) === index ? name : undefined));
}

function guessed(rows: string[][], width: number): (RosterColumn | undefined)[] {
  const some = rows.slice(0, 20);
  const share = (index: number, test: (cell: string) => boolean) => some.filter((row) => test(row[index] ?? "")).length > some.length / 2;
  const columns: (RosterColumn | undefined)[] = Array.from({ length: width }, () => undefined);
  const take = (name: RosterColumn, test: (cell: string) => boolean) => {
    const index = columns.findIndex((column, index) => column === undefined && share(index, test));
    if (index >= 0) columns[index] = name;
  };
  take("email", (cell) => /\S@\S/.test(cell));
  take("name", (cell) => /\p{L}\s+\p{L}/u.test(cell) && !cell.includes("@"));
  take("externalId", (cell) => /^[\p{L}-]{0,4}\d{3,}$/u.test(cell));
  take("room", (cell) => /^\p{L}{0,6}\.?\s?\d{1,3}\p{L}?$/u.test(cell) && /\p{L}/u.test(cell));
  take("seat", (cell) => /^\d{1,3}$/.test(cell));
  return columns;
}

/** Whether the server can tell who is meant. */
export function namesPeople({ columns }: PastedTable): boolean {
  return columns.includes("email") || columns.includes("externalId");
}

/** The number that the first row has in the server's sentences. */
export const FIRST_SENT_ROW = 2;

/** The table as it is sent: headings first. */
export function sentText({ columns, rows }: Pick<PastedTable, "columns" | "rows">): string {
  const kept = columns.map((name, index) => ({ name, index })).filter(({ name }) => name !== undefined);
  const cell = (text: string) => {
    const flat = text.replace(/[\t\r\n]+/g, " ");
    return flat.includes('"') ? `"${flat.replaceAll('"', '""')}"` : flat;
  };
  const line = (cells: string[]) => cells.map(cell).join("\t");
  return [line(kept.map(({ name }) => name as string)), ...rows.map((row) => line(kept.map(({ index }) => row[index] ?? "")))].join("\n") + "\n";
}

/** The server's sentences by the number of the row, without the number; those without one under 0. */
export function errorsByRow(errors: string[]): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const sentence of errors) {
    const [, number, rest] = /^Row (\d+): (.*)$/s.exec(sentence) ?? [];
    const row = Number(number ?? 0);
    found.set(row, [...(found.get(row) ?? []), rest ?? sentence]);
  }
  return found;
}

/** A sentence of the server about a table that was sent, with the numbers that its rows have in the sheet. */
export function inSheet(sentence: string, { numbers }: Pick<PastedTable, "numbers">): string {
  return sentence.replace(/ stands in row (\d+) already/g, (said, row: string) => {
    const number = numbers[Number(row) - FIRST_SENT_ROW];
    return number === undefined ? said : ` stands in row ${number} already`;
  });
}

/** The columns that a sentence of the server is about. */
export function faultyColumns(sentences: string[]): RosterColumn[] {
  return ROSTER_COLUMNS.filter((name) => sentences.some((sentence) => new RegExp(`\\b${name}\\b`).test(sentence)));
}
