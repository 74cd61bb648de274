// The school's classes, as several pages choose from them.

import type { ValueOf } from "../../api/paths";
import { compareTexts } from "../order";
import { folded, wordsOf } from "../search";

export const CLASSES = "/api/admin/classes";
/** The server takes so many at once onto a roster. */
export const CLASSES_ADDED_MAX = 40;

export type SchoolClass = ValueOf<typeof CLASSES, "get">["classes"][number];

/** The filters of a list of classes; an empty text is none. */
export interface ClassFilters {
  text: string;
  grade: string;
}

export function classGrades(classes: SchoolClass[]): number[] {
  return [...new Set(classes.map(({ grade }) => grade))].sort((one, other) => one - other);
}

export function filteredClasses(classes: SchoolClass[], { text, grade }: ClassFilters): SchoolClass[] {
  const words = wordsOf(text);
  return classes.filter((one) => (grade === "" || String(one.grade) === grade) && words.every((word) => folded(one.name).includes(word)));
}

/** By grade, and of a grade by name: 5B before 5C, and 9A before 10A. */
export function byClass(one: SchoolClass, other: SchoolClass): number {
  return one.grade - other.grade || compareTexts(one.name, other.name);
}

/** The grade that is shown first where classes are chosen for these grades: one that has classes, or all. */
export function firstGrade(classes: SchoolClass[], grades: number[]): string {
  const found = classGrades(classes).filter((grade) => grades.includes(grade));
  return found.length === 1 ? String(found[0]) : "";
}
