import { expect, test } from "vitest";
import { continuationOf, linkOf, movedAt, parentsAt, routeOf, sittingAt, usualCount } from "./route";

const route = (path: string) => routeOf(new URL(path, "https://exam.example"));

test("addresses are pages", () => {
  expect(route("/")).toEqual({ page: "start" });
  expect(route("/test/5")).toMatchObject({ page: "test", test: "grade:5:standard", start: { grade: 5, durationMinutes: 30 } });
  expect(route("/test/5?mode=adaptive")).toMatchObject({ test: "grade:5:adaptive", start: { mode: "adaptive" } });
  expect(route("/test/5?questions=400&minutes=1")).toMatchObject({ start: { questionCount: 40, durationMinutes: 15 } });
  expect(route("/test/5?questions=x&minutes=")).toMatchObject({ start: { durationMinutes: 30 } });
  expect(route("/t/5e0c?studentId=s-17&name=Ada&role=admin")).toMatchObject({
    templateId: "5e0c",
    start: { templateId: "5e0c", annotations: { studentId: "s-17", name: "Ada" } },
  });
  expect(route("/report/0b0e")).toEqual({ page: "report", sessionId: "0b0e" });
  expect(route(parentsAt("0b0e"))).toEqual({ page: "report", sessionId: "0b0e", isForParents: true });
});

test("a link that asks for no number of questions leaves it to the server", () => {
  for (const path of ["/test/5", "/test/5?minutes=15", "/test/5?questions=", "/test/5?questions=x"]) {
    const found = route(path);
    expect(found.page === "test" && found.start, path).not.toHaveProperty("questionCount");
  }
  expect([undefined, 15, 16, 17, 30, 31, 45, 59, 60, 70].map((minutes) => usualCount(minutes))).toEqual([20, 10, 11, 11, 20, 21, 30, 39, 40, 40]);
});

test("a link asks for numbers by their name", () => {
  expect(route("/test/5?types=all")).toMatchObject({ test: "grade:5:standard", start: { types: "all" } });
  expect(route("/test/5?mode=adaptive&types=number")).toMatchObject({ start: { mode: "adaptive", types: "number" } });
  for (const path of ["/test/5", "/test/5?types=", "/test/5?types=letters", "/t/5e0c?types=all"]) {
    const found = route(path);
    expect(found.page === "test" && found.start, path).not.toHaveProperty("types");
  }
});

test("an attempt goes on at the address of its test", () => {
  const secret = { sessionId: "0b0e", token: "to_k-en" };
  expect(movedAt(secret, { templateId: null, grade: 5, mode: "adaptive" })).toBe("/continue?grade=5&mode=adaptive#0b0e.to_k-en");
  expect(movedAt(secret, { templateId: "5e0c", grade: 5, mode: "standard" })).toBe("/continue?template=5e0c#0b0e.to_k-en");
  expect(movedAt(secret, {})).toBe("/continue#0b0e.to_k-en");
});

test("the links of two students are two tests", () => {
  expect(route("/t/5e0c?studentId=s-17")).toMatchObject({ test: "template:5e0c?studentId=s-17", isNamed: true });
  expect(route("/test/5?name=Ada/B")).toMatchObject({ test: "grade:5:standard?name=Ada%2FB", isNamed: true });
  expect(route("/test/5?minutes=20")).not.toHaveProperty("isNamed");
});

test("a link of an event says so, and not whose test it is", () => {
  const announced = route("/test/5?event=12");
  expect(announced).toMatchObject({ test: "grade:5:standard?event=12", start: { annotations: { event: "12" } } });
  expect(announced).not.toHaveProperty("isNamed");
  expect(route("/t/5e0c?event=12&studentId=s-17")).toMatchObject({ test: "template:5e0c?studentId=s-17&event=12", isNamed: true });
});

test("anything else is unknown", () => {
  for (const path of ["/test", "/test/0", "/test/05", "/test/11", "/test/5e0", "/test/5/6", "/elsewhere/1", "/continue/5", "/continue?grade=11"]) expect(route(path)).toEqual({ page: "unknown" });
});

test("a test goes on elsewhere at an address of its own", () => {
  expect(route("/continue")).toEqual({ page: "continue" });
  expect(route("/continue?grade=5&mode=adaptive")).toMatchObject({ page: "test", test: "continued:grade:5:adaptive", grade: 5, isContinued: true });
  expect(route("/continue?template=5e0c")).toMatchObject({ page: "test", test: "continued:template:5e0c", templateId: "5e0c", isContinued: true });
});

test("the link of a test holds its secret behind the address", () => {
  const link = (path: string) => linkOf(new URL(path, "https://exam.example"), "0b0e.to_k-en");
  expect(link("/test/5?mode=adaptive&name=Ada")).toBe("https://exam.example/continue#0b0e.to_k-en");
  expect(link("/continue?grade=5")).toBe("https://exam.example/continue#0b0e.to_k-en");
  for (const path of ["/t/5e0c?studentId=s-17", "/continue?template=5e0c"]) expect(link(path)).toBe("https://exam.example/continue?template=5e0c#0b0e.to_k-en");
  expect(continuationOf("#0b0e.to_k-en")).toBe("0b0e.to_k-en");
  for (const hash of ["", "#", "#content", "#a.b.c", "#a."]) expect(continuationOf(hash), hash).toBeUndefined();
});

test("one's sign-ins have an address beside that of the sign-in", () => {
  expect(route("/auth/sign-ins")).toEqual({ page: "signIns" });
  for (const path of ["/auth", "/auth/sign-in", "/auth/sign-ins/5"]) expect(route(path)).toEqual({ page: "unknown" });
});

test("the sheets of a class are of an exam", () => {
  const id = "0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e90";
  expect(route(`/report/class?sittingId=${id}`)).toEqual({ page: "sheets", sittingId: id });
  expect(route(`/report/class?sittingId=${id}&room=B%2012`)).toEqual({ page: "sheets", sittingId: id, room: "B 12" });
  for (const path of ["/report/class", "/report/class?sittingId=5"]) expect(route(path)).toEqual({ page: "unknown" });
  expect(route(`/report/${id}`)).toEqual({ page: "report", sessionId: id });
});

test("a sitting is found by its code, however it was typed, or by its id", () => {
  expect(route("/s/k7pq2")).toEqual({ page: "sitting", test: "sitting:K7PQ2", code: "K7PQ2" });
  const id = "0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e90";
  expect(route(`/s/${id}`)).toEqual({ page: "sitting", test: `sitting:${id}`, sittingId: id });
  expect(route("/sittings")).toEqual({ page: "sittings" });
  for (const path of ["/s", "/s/K7PQ2/5", "/sittings/5"]) expect(route(path)).toEqual({ page: "unknown" });
  expect(sittingAt(id, "0b0e.to_k-en")).toBe(`/s/${id}#0b0e.to_k-en`);
});
