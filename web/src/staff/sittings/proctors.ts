// Who is offered as a proctor while a name is typed into a list of addresses, and the list with one of them.

import type { OfferedProctor } from "../../api/schema";
import { folded, wordsOf } from "../search";

/** The server's list of the staff. */
export const PROCTORS = "/api/admin/proctors";
/** More than can be looked through while typing. */
const OFFERED_MAX = 6;

/** Where the part stands that is being typed: between commas or semicolons. */
function partAt(text: string, caret: number): { from: number; to: number } {
  const from = Math.max(text.lastIndexOf(",", caret - 1), text.lastIndexOf(";", caret - 1)) + 1;
  const behind = text.slice(caret).search(/[,;]/);
  return { from, to: behind < 0 ? text.length : caret + behind };
}

/** Those whose name or address has all that is typed, and who are not in the list yet. */
export function offeredProctors(people: OfferedProctor[], text: string, caret: number): OfferedProctor[] {
  const { from, to } = partAt(text, caret);
  const words = wordsOf(text.slice(from, to));
  if (words.length === 0) return [];
  const named = new Set(`${text.slice(0, from)},${text.slice(to)}`.toLowerCase().split(/[,;\s]+/));
  const isMeant = ({ email, name }: OfferedProctor) => {
    const said = folded(`${name} ${email}`);
    return !named.has(email) && words.every((word) => said.includes(word));
  };
  const found = people.filter(isMeant).slice(0, OFFERED_MAX);
  // A whole address needs no help.
  return found.length === 1 && found[0]?.email === text.slice(from, to).trim().toLowerCase() ? [] : found;
}

/** The list with this address in place of what is being typed, and where the caret goes: behind it, for the next one. */
export function withProctor(text: string, caret: number, email: string): { text: string; caret: number } {
  const { from, to } = partAt(text, caret);
  const before = text.slice(0, from).trimEnd();
  const rest = text.slice(to).replace(/^[,;\s]+/, "");
  const head = `${before === "" ? "" : `${before} `}${email}, `;
  return { text: head + rest, caret: head.length };
}
