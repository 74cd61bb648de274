// Whether questions are kept for exams or are for practice, in English: the catalogue that the others are measured by.

const number = (count: number) => count.toLocaleString("en");
const questions = (count: number) => `${number(count)} ${count === 1 ? "question" : "questions"}`;
const are = (count: number) => `${questions(count)} ${count === 1 ? "is" : "are"}`;

const en = {
  secure: "Kept for exams",
  secureHint: "It is then in no practice and in no public bank.",
  practice: "Practice: anyone may read it with its answer",
  practiceHint: "Otherwise nobody but staff sees its answer before a test with it is handed in.",
  practiceUnsaid: "Nobody has chosen for this question yet, so that the setting of the server holds. Tick it for practice; tick and untick it for no practice.",
  practiceOfSecure: "A question that is kept for exams is never for practice.",
  practiceOfImport: "Practice: anyone may read these questions with their answers",
  practiceOfImportHint: "It holds for questions that the file itself does not mark in a column “practice” or “secure”.",
  isSecureNow: (id: string) => `${id} is kept for exams.`,
  isSecureNoMore: (id: string) => `${id} is not kept for exams any more.`,
  isPracticeNow: (id: string) => `${id} is for practice: anyone may read it with its answer.`,
  isPracticeNoMore: (id: string) => `${id} is not for practice any more.`,
  mark: "Mark",
  all: "All",
  marks: { secure: "Kept for exams", practice: "Practice", notPractice: "No practice", none: "Not marked" },
  unread: "Which questions are marked could not be loaded. Refresh the list.",
  keep: "Keep for exams",
  giveBack: "No longer keep for exams",
  makePractice: "For practice",
  noPractice: "No practice",
  done: {
    keep: (count: number) => `${are(count)} kept for exams.`,
    giveBack: (count: number) => `${are(count)} not kept for exams any more.`,
    makePractice: (count: number) => `${are(count)} for practice: anyone may read ${count === 1 ? "it with its answer" : "them with their answers"}.`,
    noPractice: (count: number) => `${are(count)} not for practice.`,
  },
};

export default en;
export type MarkTexts = typeof en;
