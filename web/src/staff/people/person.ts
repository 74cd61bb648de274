// A person as administrators see them: the user, if there is one yet, with the grades that they review and sign off.

import type { Assignment, Role, User } from "../../api/schema";
import { compareTexts } from "../order";
import { folded, wordsOf } from "../search";

export type { Role } from "../../api/schema";
export type Duty = "reviewer" | "manager";
/** From the most rights to the fewest. */
export const ROLES: Role[] = ["admin", "manager", "reviewer", "student"];
export const DUTIES: Duty[] = ["reviewer", "manager"];
export const GRADES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

export type { User } from "../../api/schema";

export interface Person {
  email: string;
  name: string;
  /** Undefined for somebody who has grades, no role yet, and has never signed in. */
  role: Role | undefined;
  createdAt: string | null;
  lastLogin: string | null;
  grades: Record<Duty, number[]>;
}

/** What keeps a person from their work: grades that their role does not use, or a role without grades. */
export type PersonLack = "role" | "grades";

/** The filters of the list; an empty text is none. */
export interface PeopleFilters {
  text: string;
  /** A role, `new` for those who have never signed in, or `lack` for those who lack something. */
  role: string;
  grade: string;
}

/** How a person is called: some providers of sign-ins tell no name. */
export function personName({ name, email }: Pick<Person, "name" | "email">): string {
  return name === "" ? email : name;
}

/** One list of users and of those who only have grades: those with the most rights first. */
export function mergedPeople(users: User[], assigned: Record<Duty, Assignment[]>): Person[] {
  const people = new Map<string, Person>();
  for (const { email, name, role, createdAt, lastLogin } of users) {
    people.set(email, { email, name, role, createdAt, lastLogin, grades: { reviewer: [], manager: [] } });
  }
  for (const duty of DUTIES) {
    for (const { email, name, grades } of assigned[duty]) {
      const known = people.get(email) ?? { email, name, role: undefined, createdAt: null, lastLogin: null, grades: { reviewer: [], manager: [] } };
      people.set(email, { ...known, name: known.name === "" ? name : known.name, grades: { ...known.grades, [duty]: grades } });
    }
  }
  return [...people.values()].sort(byRole);
}

/** Those who have never signed in stand before the students, who are many. */
function rankOf({ role }: Person): number {
  return role === undefined ? ROLES.length - 1.5 : ROLES.indexOf(role);
}

export function byRole(one: Person, other: Person): number {
  return rankOf(one) - rankOf(other) || byPersonName(one, other);
}

export function byPersonName(one: Person, other: Person): number {
  return compareTexts(personName(one), personName(other)) || compareTexts(one.email, other.email);
}

/** Whether they have a role, and have not signed in with it. */
export function isInvited({ role, lastLogin }: Person): boolean {
  return role !== undefined && lastLogin === null;
}

export function lackOf({ role, grades: { reviewer, manager } }: Person): PersonLack | undefined {
  if ((role ?? "student") === "student" && reviewer.length + manager.length > 0) return "role";
  if (role === "reviewer" && manager.length > 0) return "role";
  if (role === "reviewer" && reviewer.length === 0) return "grades";
  return role === "manager" && reviewer.length + manager.length === 0 ? "grades" : undefined;
}

/** The role that uses all grades of a person. */
export function roleFor({ reviewer, manager }: Person["grades"]): Role {
  if (manager.length > 0) return "manager";
  return reviewer.length > 0 ? "reviewer" : "student";
}

/** What is searched of each person, since a letter that is typed must not fold ten thousand names again. */
const searched = new WeakMap<Person, string>();

function searchedOf(person: Person): string {
  const known = searched.get(person) ?? folded(`${person.name} ${person.email}`);
  searched.set(person, known);
  return known;
}

/** The people who fit, in their order. */
export function filteredPeople(people: Person[], { text, role, grade }: PeopleFilters): Person[] {
  const words = wordsOf(text);
  return people.filter((person) => {
    if (!hasStanding(person, role)) return false;
    if (grade !== "" && !DUTIES.some((duty) => person.grades[duty].includes(Number(grade)))) return false;
    return words.every((word) => searchedOf(person).includes(word));
  });
}

function hasStanding(person: Person, standing: string): boolean {
  if (standing === "") return true;
  if (standing === "new") return person.role === undefined || isInvited(person);
  return standing === "lack" ? lackOf(person) !== undefined : person.role === standing;
}

/** Grades as people write them: "1–3, 5". */
export function gradesText(grades: number[]): string {
  return rangesOf(grades).join(", ");
}

/** The same in parts, one for each row of neighbours. */
export function rangesOf(grades: number[]): string[] {
  const ranges: [number, number][] = [];
  for (const grade of [...grades].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && grade <= last[1] + 1) last[1] = grade;
    else ranges.push([grade, grade]);
  }
  return ranges.flatMap(([from, to]) => {
    if (from === to) return [String(from)];
    return to === from + 1 ? [String(from), String(to)] : [`${from}–${to}`];
  });
}

/** Whether both have the same grades, in whatever order. */
export function areSame(one: number[], other: number[]): boolean {
  return one.length === other.length && one.every((grade) => other.includes(grade));
}
