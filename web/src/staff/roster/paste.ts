// A list of people as it is pasted from a spreadsheet: cut into rows and columns to be looked at and mended. What is sent is
// what is shown, and the server reads it for real.

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
  factor: ["timefactor", "percent", "timepercent"],
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
 * another. The server knows the first two of these headings, and refuses their rows.
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
  rows: string[][];
}

/** Cuts a text into cells: with tabs as spreadsheets copy them, or semicolons or commas, and quotes around cells. */
export function cells(text: string): string[][] {
  const delimiter = delimiterOf(text);
  const rows: string[][] = [[]];
  let cell = "";
  let isQuoted = false;
  const end = () => {
    (rows.at(-1) as string[]).push(cell.trim());
    cell = "";
  };
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"' && cell.trim() === "") {
      isQuoted = true;
      cell = "";
    } else if (letter === delimiter) end();
    else if (letter === "\n" || letter === "\r") {
      end();
      rows.push([]);
    } else cell += letter;
  }
  end();
  return rows.filter((row) => row.some((cell) => cell !== ""));
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

/** The factor that "25 %", "+25 %" or "125 %" means; undefined for what could mean another one. */
function percentIn(cell: string): string | undefined {
  const [, plus, digits] = /^(\+?)\s*(\d{1,3})\s*%$/.exec(cell) ?? [];
  if (digits === undefined) return undefined;
  const number = Number(digits);
  if (plus === "+" || number < 100) return String(100 + number);
  return number === 100 ? undefined : digits;
}

function minutesIn(cell: string): string | undefined {
  return /^\+?\s*(\d{1,3})\s*(?:min|mins|minutes?|phút|['’′])\.?$/i.exec(cell.normalize("NFC"))?.[1];
}

/** A cell as the server takes it in this column, where it can be told. */
function cellAs(name: RosterColumn | undefined, cell: string): string {
  if (name === "factor") return percentIn(cell) ?? cell;
  return name === "extraMinutes" ? (minutesIn(cell) ?? cell) : cell;
}

function said(rows: string[][], index: number): string[] {
  return rows.map((row) => row[index] ?? "").filter((cell) => cell !== "");
}

/** What a column of more time means, if all that stands in it says so. */
function meaningIn(cells: string[]): RosterColumn | undefined {
  if (cells.length === 0) return undefined;
  if (cells.every((cell) => percentIn(cell) !== undefined)) return "factor";
  return cells.every((cell) => minutesIn(cell) !== undefined) ? "extraMinutes" : undefined;
}

/** The table with cells as the server takes them. */
function readable({ rows, ...table }: PastedTable): PastedTable {
  return { ...table, rows: rows.map((row) => row.map((cell, index) => cellAs(table.columns[index], cell))) };
}

/** The table with another meaning of a column, which then no other one has. */
export function withMeaning(table: PastedTable, column: number, meaning: RosterColumn | undefined): PastedTable {
  const others = (name: RosterColumn | undefined) => (name === meaning ? undefined : name);
  return readable({ ...table, columns: table.columns.map((name, index) => (index === column ? meaning : others(name))) });
}

/** The headings of which somebody must say whether they are percent or minutes. */
export function undecided({ headings = [], columns, rows }: PastedTable): string[] {
  return headings.filter((heading, index) => columns[index] === undefined && isAmbiguous(heading) && said(rows, index).length > 0);
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
  return { ...table, columns: table.columns.map((name) => (name !== undefined && columns.includes(name) ? name : undefined)) };
}

/** Reads what was pasted. Without headings the columns are guessed, and people can say what they are. */
export function pasted(text: string): PastedTable {
  const all = cells(text);
  // A title may stand above the headings.
  const at = all.slice(0, 10).findIndex((row) => row.map(meaningOf).some((name) => name === "email" || name === "externalId" || name === "name"));
  const width = Math.max(0, ...all.map((row) => row.length));
  const filled = (row: string[]) => Array.from({ length: width }, (_, index) => row[index] ?? "");
  if (at >= 0) {
    const headings = filled(all[at] as string[]);
    const rows = all.slice(at + 1).map(filled);
    const columns = headings.map((heading, index) => (isAmbiguous(heading) ? meaningIn(said(rows, index)) : meaningOf(heading)));
    return readable({ headings, columns: once(columns), rows });
  }
  const rows = all.map(filled);
  return { headings: undefined, columns: guessed(rows, width), rows };
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

/** The table as it is sent: headings first, so that row 2 of the server's sentences is the first row. */
export function sentText({ columns, rows }: PastedTable): string {
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

/** The columns that a sentence of the server is about. */
export function faultyColumns(sentences: string[]): RosterColumn[] {
  return ROSTER_COLUMNS.filter((name) => sentences.some((sentence) => new RegExp(`\\b${name}\\b`).test(sentence)));
}
