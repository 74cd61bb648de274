// What the start page says, in English. Separate from the other texts so that a test does not load it.

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

const en = {
  startTitle: "Choose your test",
  startLead: "Pick your grade. Then pick the kind of test.",
  grade: "Grade",
  gradeOf: (grade: number) => `Grade ${grade}`,
  kind: "Kind of test",
  short: "Short test",
  usual: "Standard test",
  long: "Long test",
  adaptive: "Test in two parts",
  lengthOf: (questions: number, minutes: number) => `${plural(questions, "question", "questions")}, ${plural(minutes, "minute", "minutes")}`,
  adaptiveLead: "Part 2 is chosen by how you did in part 1.",
  goToTest: "Go to the test",
  begunTitle: "You have a test under way",
  staffTitle: { reviewer: "You are signed in as a reviewer", manager: "You are signed in as a manager", admin: "You are signed in as an administrator" },
  staffLead: "Questions, tests, exam days, the calendar and results are on the staff pages.",
  staffPages: "Staff pages",
  signIns: "My sign-ins",
  staffDocs: "API documentation",
};

export default en;
export type StartTexts = typeof en;
