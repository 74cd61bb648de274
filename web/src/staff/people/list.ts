// A list of people as it is pasted: read into rows, compared with the people there are, and turned into steps or faults.

import { folded } from "../search";
import { cells, openQuote, sheetRows } from "../roster/paste";
import { areSame, GRADES, type Duty, type Person, type Role } from "./person";
import { PERSON_NAME_MAX, stepsTo, type PeopleStep } from "./steps";

export type ListColumn = "email" | "name" | "role" | "grades";
export const LIST_COLUMNS: ListColumn[] = ["email", "name", "role", "grades"];

export interface ListRow {
  /** In the sheet that was pasted, from 1. */
  number: number;
  cells: Record<ListColumn, string>;
}

export type FaultKind =
  | "noEmail"
  | "badEmail"
  | "twice"
  | "noName"
  | "longName"
  | "noRole"
  | "badRole"
  | "badGrades"
  | "noGrades"
  | "uselessGrades"
  | "self";
export interface ListFault {
  kind: FaultKind;
  column: ListColumn;
  /** The row that says the same already. */
  row?: number;
}

export interface PlannedRow extends ListRow {
  faults: ListFault[];
  steps: PeopleStep[];
  /** There is nobody with this address yet. */
  isAdded?: boolean;
  /** They have never signed in: what they are given waits for them. */
  isNew?: boolean;
}

/** Headings in small letters without accents, blanks and signs. */
const HEADINGS: Record<ListColumn, string[]> = {
  email: ["email", "mail", "emailaddress", "address", "account", "thudientu", "taikhoan", "diachiemail"],
  name: ["name", "fullname", "displayname", "teacher", "hoten", "hovaten", "ten", "giaovien"],
  role: ["role", "duty", "roleorduty", "vaitro", "nhiemvu", "vaitrohoacnhiemvu"],
  grades: ["grades", "grade", "khoi", "cackhoi", "lop"],
};

const ROLE_WORDS: Record<Role, string[]> = {
  admin: ["admin", "administrator", "quantrivien", "quantri"],
  // As a school says it: who plans exams, marks and signs off is a teacher.
  manager: ["manager", "teacher", "giaovien", "signsoff", "nguoiphutrach", "phutrach", "phutrachkhoi", "quanly", "nguoiquanly"],
  reviewer: ["reviewer", "reviews", "nguoiduyet", "duyet"],
  student: ["student", "pupil", "hocsinh"],
};

const ALL_GRADES = ["all", "tatca", "every"];
/** Longer addresses can't be sent mail to. */
const EMAIL_BYTES_MAX = 254;
/** As mail programs write somebody: `Ada Lovelace <ada@school.example>`. */
const MAILBOX = /^\s*"?([^"<>]*?)"?\s*<([^<>\s]+@[^<>\s]+)>\s*$/;

function bare(text: string): string {
  return folded(text).replace(/[^\p{L}\p{N}]/gu, "");
}

function meaningOf(heading: string): ListColumn | undefined {
  return LIST_COLUMNS.find((column) => HEADINGS[column].includes(bare(heading)));
}

/** Reads what was pasted. Without headings the order is e-mail, name, role, grades; an address is found wherever it stands. */
export function listed(text: string): ListRow[] {
  // Behind a quotation mark that is not closed, the rest of the list would be one cell.
  const sheet = openQuote(text, true) === undefined ? sheetRows(text) : [];
  const all = sheet.map((row, index) => ({ row, number: index + 1 })).filter(({ row }) => row.some((cell) => cell !== ""));
  const head = all[0]?.row ?? [];
  const first = head.map(meaningOf);
  const rows = areHeadings(head) ? all.slice(1) : all;
  return rows.map(({ row, number }) => ({ number, cells: areHeadings(head) ? byHeadings(row, first) : byPlace(row) }));
}

function areHeadings(row: string[]): boolean {
  return row.some((cell) => meaningOf(cell) === "email") && !row.some((cell) => cell.includes("@"));
}

/** The headings of columns that are not read. */
export function ignoredHeadings(text: string): string[] {
  const [first = []] = cells(text);
  return areHeadings(first) ? first.filter((cell) => cell !== "" && meaningOf(cell) === undefined) : [];
}

function byHeadings(row: string[], columns: (ListColumn | undefined)[]): ListRow["cells"] {
  const found: ListRow["cells"] = { email: "", name: "", role: "", grades: "" };
  for (const [index, cell] of row.entries()) {
    // Commas between grades make further cells.
    const column = index < columns.length ? columns[index] : columns.at(-1) === "grades" ? "grades" : undefined;
    if (column === undefined || cell === "") continue;
    found[column] = column === "grades" && found.grades !== "" ? `${found.grades}, ${cell}` : cell;
  }
  return withMailbox(found);
}

function byPlace(row: string[]): ListRow["cells"] {
  const at = Math.max(0, row.slice(0, 3).findIndex((cell) => cell.includes("@")));
  const [name = "", role = "", ...grades] = row.filter((_, index) => index !== at);
  const cells = { email: row[at] ?? "", name, role, grades: grades.filter((cell) => cell !== "").join(", ") };
  // "Ada <ada@school.example>, reviewer, 5" has the name in the first cell.
  const isMailbox = MAILBOX.test(cells.email) && roleIn(name) !== undefined;
  return withMailbox(isMailbox ? { ...cells, name: "", role: name, grades: [role, ...grades].filter((cell) => cell !== "").join(", ") } : cells);
}

function withMailbox(cells: ListRow["cells"]): ListRow["cells"] {
  const [, name = "", email] = MAILBOX.exec(cells.email) ?? [];
  return email === undefined ? cells : { ...cells, email, name: cells.name === "" ? name : cells.name };
}

export function roleIn(text: string): Role | undefined {
  const word = bare(text);
  return (Object.keys(ROLE_WORDS) as Role[]).find((role) => ROLE_WORDS[role].includes(word));
}

/** The grades that a text names, such as "1–3, 5" or "all"; undefined if it names anything else. */
export function gradesIn(text: string): number[] | undefined {
  if (ALL_GRADES.includes(bare(text))) return [...GRADES];
  const plain = folded(text).replace(/\b(grades?|khoi|lop)\b/g, " ").replace(/\s*(?:-|–|—|\bto\b|\bden\b)\s*/g, "-");
  const found = new Set<number>();
  for (const part of plain.split(/[\s,;&+]+/).filter((part) => part !== "")) {
    const [, from = "", to = from] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(part) ?? [];
    if (!GRADES.includes(Number(from)) || !GRADES.includes(Number(to)) || Number(from) > Number(to)) return undefined;
    for (let grade = Number(from); grade <= Number(to); grade += 1) found.add(grade);
  }
  return [...found].sort((one, other) => one - other);
}

/** An address in the form in which the server compares them; undefined for what is none. The server looks more closely. */
export function emailIn(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  const isSound = /^[^\s@]+(?:@[^\s@]+)*@[^\s@]+$/.test(email) && new TextEncoder().encode(email).length <= EMAIL_BYTES_MAX;
  return isSound && !/\p{Cc}|\p{Cf}/u.test(email) ? email : undefined;
}

/** What each row would do, given the people there are. `self` is who asks: nobody takes their own rights by a list. */
export function planned(rows: ListRow[], people: Map<string, Person>, self: string): PlannedRow[] {
  const numbers = new Map<string, number>();
  return rows.map((row) => {
    const email = emailIn(row.cells.email);
    const earlier = email === undefined ? undefined : numbers.get(email);
    if (email !== undefined && earlier === undefined) numbers.set(email, row.number);
    return plan(row, email, earlier, people, self);
  });
}

function plan(row: ListRow, email: string | undefined, earlier: number | undefined, people: Map<string, Person>, self: string): PlannedRow {
  const faults: ListFault[] = [];
  const { cells } = row;
  const person = email === undefined ? undefined : people.get(email);
  const role = roleIn(cells.role);
  const grades = gradesIn(cells.grades);
  if (cells.email === "") faults.push({ kind: "noEmail", column: "email" });
  else if (email === undefined) faults.push({ kind: "badEmail", column: "email" });
  if (earlier !== undefined) faults.push({ kind: "twice", column: "email", row: earlier });
  const name = cells.name === "" ? (person?.name ?? "") : cells.name.trim();
  if ([...name].length > PERSON_NAME_MAX) faults.push({ kind: "longName", column: "name" });
  if (role === undefined) faults.push({ kind: cells.role === "" ? "noRole" : "badRole", column: "role" });
  if (grades === undefined) faults.push({ kind: "badGrades", column: "grades" });
  if (role !== undefined && grades !== undefined) faults.push(...faultsOfDuty(role, grades, name, person, self === email));
  if (faults.length > 0 || email === undefined || role === undefined) return { ...row, faults, steps: [] };
  const known = person ?? { email, name, role: undefined, createdAt: null, lastLogin: null, grades: { reviewer: [], manager: [] } };
  const duty = dutyOf(role);
  const steps = stepsTo(known, { role, name, ...(duty === undefined || grades?.length === 0 ? {} : { grades: { [duty]: grades } }) });
  return { ...row, faults, steps, ...(person === undefined ? { isAdded: true } : {}), ...(known.role === undefined ? { isNew: true } : {}) };
}

function faultsOfDuty(role: Role, grades: number[], name: string, person: Person | undefined, isSelf: boolean): ListFault[] {
  const duty = dutyOf(role);
  if (isSelf && person?.role !== role) return [{ kind: "self", column: "role" }];
  if (duty === undefined) return grades.length > 0 ? [{ kind: "uselessGrades", column: "grades" }] : [];
  const before = person?.grades[duty] ?? [];
  if (grades.length === 0 && before.length === 0) return [{ kind: "noGrades", column: "grades" }];
  const isAssigned = grades.length > 0 && !areSame(grades, before);
  return isAssigned && name === "" ? [{ kind: "noName", column: "name" }] : [];
}

/** The duty that a role has grades for. */
export function dutyOf(role: Role): Duty | undefined {
  return role === "reviewer" || role === "manager" ? role : undefined;
}

/** The rows as a text that is read again to the same rows, each with its number. */
export function listText(rows: ListRow[]): string {
  const cell = (text: string) => (/["\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = Array.from({ length: Math.max(0, ...rows.map(({ number }) => number)) }, () => "");
  for (const { number, cells } of rows) lines[number - 1] = LIST_COLUMNS.map((column) => cell(cells[column])).join("\t");
  // Above the first row there is room for headings.
  if (lines[0] === "") lines[0] = LIST_COLUMNS.join("\t");
  return lines.join("\n");
}
