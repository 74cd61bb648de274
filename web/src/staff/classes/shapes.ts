// What the server says of one class, as `/api/docs/` describes it.

import type { ValueOf } from "../../api/paths";
import type { RosterColumn } from "../roster/paste";

export const CLASS = "/api/admin/classes/{id}";
/** The server takes a name of 1 to this many characters. */
export const CLASS_NAME_MAX = 200;
/** What a list of a class may have: what belongs to the person, and not to a room or a day. */
export const CLASS_COLUMNS: RosterColumn[] = ["email", "externalId", "name", "givenName", "middleName", "familyName", "factor", "extraMinutes", "note"];

export type { SchoolClass } from "../roster/classes";
export type ClassPerson = ValueOf<typeof CLASS, "get">["people"][number];
