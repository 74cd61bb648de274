// An invitation to somebody who has a role and has not signed in yet, for the e-mail program of whoever invites: the server sends none.

import type { Person } from "./person";
import { personName } from "./person";
import type { PeopleTexts } from "./texts/en";

/** Where e-mail programs begin a line. */
const LINE_END = "\r\n";

/** The link that opens the letter. It speaks for the school, whose name it has. */
export function invitationLink(person: Pick<Person, "email" | "name" | "role">, hall: string, origin: string, texts: PeopleTexts): string {
  const address = person.role === "student" ? `${origin}/` : `${origin}/staff`;
  const role = person.role === undefined ? "" : texts.roles[person.role];
  const lines = texts.invitation(personName(person), hall, role, address, person.email);
  const parts = { subject: texts.invitationSubject(hall), body: lines.join(LINE_END) };
  const query = Object.entries(parts).map(([name, text]) => `${name}=${encodeURIComponent(text)}`);
  return `mailto:${encodeURIComponent(person.email)}?${query.join("&")}`;
}
