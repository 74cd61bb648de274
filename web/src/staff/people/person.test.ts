import { expect, test } from "vitest";
import { filteredPeople, gradesText, lackOf, mergedPeople, rangesOf, roleFor, type Person, type User } from "./person";

const user = (email: string, changes: Partial<User> = {}): User => ({
  email,
  name: email.split("@")[0] ?? "",
  image: "",
  role: "student",
  createdAt: "2026-01-01T00:00:00Z",
  lastLogin: null,
  ...changes,
});
const assigned = (email: string, name: string, grades: number[]) => ({ email, name, grades, assignedBy: "ada@x.org", assignedAt: "2026-01-01T00:00:00Z" });
const person = (changes: Partial<Person> = {}): Person => ({
  email: "a@x.org",
  name: "A",
  role: "student",
  createdAt: null,
  lastLogin: "2026-05-01T00:00:00Z",
  grades: { reviewer: [], manager: [] },
  ...changes,
});

test("users and assignments are one list, those with the most rights first and students last", () => {
  const users = [user("zoe@x.org"), user("ada@x.org", { role: "admin" }), user("đan@x.org", { role: "reviewer" }), user("dan@x.org", { role: "reviewer" })];
  const assignments = {
    reviewer: [assigned("dan@x.org", "Dan", [4, 5]), assigned("new@x.org", "Newcomer", [1])],
    manager: [assigned("new@x.org", "Newcomer", [2])],
  };
  const people = mergedPeople(users, assignments);
  expect(people.map(({ email }) => email)).toEqual(["ada@x.org", "dan@x.org", "đan@x.org", "new@x.org", "zoe@x.org"]);
  expect(people[1]?.grades).toEqual({ reviewer: [4, 5], manager: [] });
  expect(people[3]).toEqual(person({ email: "new@x.org", name: "Newcomer", role: undefined, lastLogin: null, grades: { reviewer: [1], manager: [2] } }));
});

test("a user without a name has that of their assignment", () => {
  const [one] = mergedPeople([user("a@x.org", { name: "" })], { reviewer: [assigned("a@x.org", "Ann", [1])], manager: [] });
  expect(one?.name).toBe("Ann");
});

test("what somebody lacks is a role that uses their grades, or grades for their role", () => {
  const lack = (role: Person["role"], reviewer: number[], manager: number[]) => lackOf(person({ role, grades: { reviewer, manager } }));
  const fine = [lack("student", [], []), lack("admin", [], []), lack("reviewer", [5], []), lack("manager", [5], []), lack("manager", [], [5])];
  expect(fine).toEqual(Array(5).fill(undefined));
  expect([lack("student", [5], []), lack("student", [], [5]), lack("reviewer", [5], [6])]).toEqual(["role", "role", "role"]);
  expect([lack("reviewer", [], []), lack("manager", [], [])]).toEqual(["grades", "grades"]);
  expect([lack(undefined, [5], []), lack(undefined, [], [])]).toEqual(["role", undefined]);
  expect(roleFor({ reviewer: [2], manager: [1] })).toBe("manager");
  expect(roleFor({ reviewer: [1], manager: [] })).toBe("reviewer");
  expect(roleFor({ reviewer: [], manager: [] })).toBe("student");
});

test("filters are words without accents in any order, a role, and a grade of either duty", () => {
  const people = [
    person({ email: "duc@x.org", name: "Nguyễn Văn Đức", role: "reviewer", grades: { reviewer: [5], manager: [] } }),
    person({ email: "ada@x.org", name: "Ada", role: "manager", grades: { reviewer: [], manager: [5, 6] } }),
    person({ email: "new@y.org", name: "New", role: undefined, grades: { reviewer: [10], manager: [] } }),
    person({ email: "bo@y.org", name: "Bo", grades: { reviewer: [1], manager: [] } }),
    person({ email: "cy@y.org", name: "Cy", role: "admin", lastLogin: null }),
  ];
  const found = (changes: object) => filteredPeople(people, { text: "", role: "", grade: "", ...changes }).map(({ email }) => email.split("@")[0]);
  expect(found({})).toHaveLength(5);
  expect(found({ text: "duc nguyen" })).toEqual(["duc"]);
  expect(found({ text: "y.org" })).toEqual(["new", "bo", "cy"]);
  expect(found({ role: "manager" })).toEqual(["ada"]);
  expect(found({ role: "new" })).toEqual(["new", "cy"]);
  expect(found({ role: "lack" })).toEqual(["new", "bo"]);
  expect(found({ grade: "5" })).toEqual(["duc", "ada"]);
  expect(found({ grade: "1" })).toEqual(["bo"]);
});

test("neighbouring grades are a range from three on", () => {
  expect(gradesText([5, 1, 2, 3])).toBe("1–3, 5");
  expect(gradesText([4, 5])).toBe("4, 5");
  expect(rangesOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])).toEqual(["1–10"]);
  expect(rangesOf([])).toEqual([]);
});
