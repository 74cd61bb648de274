import "../testing/page";
import { expect, test } from "vitest";
import { emailIn, gradesIn, ignoredHeadings, listed, listText, planned, roleIn, type ListRow } from "./list";
import type { Person } from "./person";

const cellsOf = (text: string) => listed(text).map(({ cells: { email, name, role, grades } }) => [email, name, role, grades]);

test("a line is e-mail, name, role and grades, with commas, tabs or semicolons between them", () => {
  const read = [["rita@x.org", "Rita Nguyen", "reviewer", "4-6"]];
  expect(cellsOf("rita@x.org, Rita Nguyen, reviewer, 4-6")).toEqual(read);
  expect(cellsOf("rita@x.org\tRita Nguyen\treviewer\t4-6\n")).toEqual(read);
  expect(cellsOf('rita@x.org;"Rita Nguyen";reviewer;4-6')).toEqual(read);
  expect(cellsOf("a@x.org, Ann, manager, 5, 6, 9")).toEqual([["a@x.org", "Ann", "manager", "5, 6, 9"]]);
  expect(cellsOf("a@x.org")).toEqual([["a@x.org", "", "", ""]]);
});

test("the address is found where it stands, also as mail programs write it", () => {
  expect(cellsOf("Rita, rita@x.org, reviewer, 5")).toEqual([["rita@x.org", "Rita", "reviewer", "5"]]);
  expect(cellsOf("Rita Nguyen <rita@x.org>, reviewer, 5, 6")).toEqual([["rita@x.org", "Rita Nguyen", "reviewer", "5, 6"]]);
  expect(cellsOf("nobody, Rita, reviewer, 5")).toEqual([["nobody", "Rita", "reviewer", "5"]]);
});

test("headings say what the columns are, in English and Vietnamese", () => {
  expect(cellsOf("Name\tRole\tGrades\tE-mail\tPhone\nAnn\tmanager\t5\ta@x.org\t123")).toEqual([["a@x.org", "Ann", "manager", "5"]]);
  expect(cellsOf("Họ tên;Thư điện tử;Vai trò;Khối\nAnn;a@x.org;người duyệt;5")).toEqual([["a@x.org", "Ann", "người duyệt", "5"]]);
  expect(cellsOf("email,name,role,grades\na@x.org,Ann,reviewer,5,6")).toEqual([["a@x.org", "Ann", "reviewer", "5, 6"]]);
  expect(listed("email,name\n\na@x.org,Ann\nb@x.org,Bo").map(({ number }) => number), "as in the sheet").toEqual([3, 4]);
});

test("what is not read of a list is named, and a quotation mark that is not closed reads nothing", () => {
  expect(ignoredHeadings("Name\tPhone\tE-mail\tClass\nAnn\t123\ta@x.org\t6A")).toEqual(["Phone", "Class"]);
  expect(ignoredHeadings("a@x.org, Ann, manager, 5, 6")).toEqual([]);
  expect(listed('email,name\na@x.org,"Ann\nb@x.org,Bo')).toEqual([]);
  expect(cellsOf('"Rita Nguyen" <rita@x.org>, reviewer, 5')).toEqual([["rita@x.org", "Rita Nguyen", "reviewer", "5"]]);
});

test("roles are known in both languages, and grades as numbers, ranges and all", () => {
  expect(["Reviewer", "MANAGER", "admin", "Học sinh", "người phụ trách", "Quản trị viên", "boss", ""].map(roleIn)).toEqual([
    "reviewer",
    "manager",
    "admin",
    "student",
    "manager",
    "admin",
    undefined,
    undefined,
  ]);
  expect(["Teacher", "giáo viên", "proctor", "giám thị"].map(roleIn)).toEqual(["manager", "manager", undefined, undefined]);
  const written = ["5", "1-3, 5", "1–3 7", "4 - 6", "Grade 5, grade 6", "khối 2 đến 4", "5; 5"];
  expect(written.map(gradesIn)).toEqual([[5], [1, 2, 3, 5], [1, 2, 3, 7], [4, 5, 6], [5, 6], [2, 3, 4], [5]]);
  expect(gradesIn("tất cả")).toHaveLength(10);
  expect(gradesIn("")).toEqual([]);
  expect(["11", "0", "6-4", "five", "1.5", "1-99"].map(gradesIn)).toEqual(Array(6).fill(undefined));
});

test("addresses are compared in small letters", () => {
  expect(emailIn(" Rita@X.org ")).toBe("rita@x.org");
  expect(["rita", "@x.org", "rita@", "ri ta@x.org", "a\u200Bb@x.org", `${"a".repeat(250)}@x.org`].map(emailIn)).toEqual(Array(6).fill(undefined));
});

const person = (email: string, changes: Partial<Person> = {}): [string, Person] => [
  email,
  { email, name: email, role: "student", createdAt: null, lastLogin: null, grades: { reviewer: [], manager: [] }, ...changes },
];
const PEOPLE = new Map([
  person("head@x.org", { role: "admin" }),
  person("rita@x.org", { role: "reviewer", grades: { reviewer: [5], manager: [] } }),
  person("stu@x.org"),
  person("bare@x.org", { name: "" }),
]);
const plan = (text: string) => planned(listed(text), PEOPLE, "head@x.org");
const faultsOf = (text: string) => plan(text).map(({ faults }) => faults.map(({ kind }) => kind));

test("each row says what it would do", () => {
  const [rita, stu, newcomer] = plan("rita@x.org,Rita,reviewer,5\nstu@x.org,Stu,manager,1\nnew@x.org,New,reviewer,2-3");
  expect([rita?.steps, rita?.faults, rita?.isNew]).toEqual([[], [], undefined]);
  expect(stu?.steps).toEqual([
    { kind: "grades", duty: "manager", email: "stu@x.org", name: "Stu", from: [], to: [1] },
    { kind: "role", email: "stu@x.org", from: "student", to: "manager" },
  ]);
  expect(newcomer?.steps).toEqual([
    { kind: "invite", email: "new@x.org", name: "New", to: "reviewer", grades: { reviewer: [], manager: [] } },
    { kind: "grades", duty: "reviewer", email: "new@x.org", name: "New", from: [], to: [2, 3] },
  ]);
  expect([newcomer?.isNew, newcomer?.isAdded, stu?.isAdded]).toEqual([true, true, undefined]);
  // A role without grades can wait for somebody too.
  expect(plan("boss@x.org,,admin")[0]).toMatchObject({ faults: [], steps: [{ kind: "invite", to: "admin", name: "" }] });
  // Without grades those that they have stay.
  expect(plan("rita@x.org,Rita,reviewer,")[0]).toMatchObject({ steps: [], faults: [] });
  expect(plan("stu@x.org,,admin")[0]?.steps).toEqual([{ kind: "role", email: "stu@x.org", from: "student", to: "admin" }]);
});

test("each row says what is wrong with it", () => {
  for (const [row, fault] of [
    [",Ann,reviewer,5", "noEmail"],
    ["nobody,Ann,reviewer,5", "badEmail"],
    ["a@x.org,,reviewer,5", "noName"],
    ["a@x.org,Ann,,5", "noRole"],
    ["b@x.org,Bo,boss,5", "badRole"],
    ["c@x.org,Cy,reviewer,eleven", "badGrades"],
    ["d@x.org,Di,reviewer,", "noGrades"],
    ["stu@x.org,Stu,admin,5", "uselessGrades"],
    ["head@x.org,Head,reviewer,5", "self"],
    ["bare@x.org,,reviewer,5", "noName"],
  ] as const) {
    expect(faultsOf(row), row).toEqual([[fault]]);
  }
  expect(faultsOf(`a@x.org,${"n".repeat(201)},boss,x`)).toEqual([["longName", "badRole", "badGrades"]]);
  expect(plan("a@x.org,Ann,reviewer,5\nA@X.org,Ann,reviewer,6")[1]?.faults).toEqual([{ kind: "twice", column: "email", row: 1 }]);
});

test("rows become a text that is read as the same rows", () => {
  const rows: ListRow[] = [
    { number: 1, cells: { email: "a@x.org", name: 'Ann "Nan" O', role: "reviewer", grades: "1-3, 5" } },
    { number: 2, cells: { email: "", name: "Bo", role: "", grades: "x" } },
  ];
  expect(listed(listText(rows))).toEqual(rows);
  const apart = rows.map((row, index) => ({ ...row, number: 2 + 3 * index }));
  expect(listed(listText(apart)), "each keeps its number").toEqual(apart);
});
