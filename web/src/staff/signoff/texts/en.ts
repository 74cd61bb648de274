// Everything on the pages of sign-off, in English: the catalogue that the other is measured by.

import type { ApprovalStatus, ReviewStatus } from "../shapes";
import type { ChangeKind, Seal } from "../seal";

const number = (count: number) => count.toLocaleString("en");
const plural = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;
const questions = (count: number) => plural(count, "question", "questions");
const more = (count: number) => plural(count, "question more", "questions more");
const fewer = (count: number) => plural(count, "question fewer", "questions fewer");
const figures = (approved: number, pending: number, flagged: number) =>
  `${number(approved)} approved, ${number(pending)} pending, ${number(flagged)} flagged`;

interface Figures {
  approved: number;
  pending: number;
  flagged: number;
}

const counted: Record<ReviewStatus, (count: number) => string> = {
  approved: (count) => `${number(count)} approved`,
  pending: (count) => `${number(count)} pending`,
  flagged: (count) => `${number(count)} flagged`,
};
const seals: Record<Seal, string> = {
  none: "Not signed off yet",
  revision: "Sent back for revision",
  whole: "Signed off",
  broken: "Seal broken",
  unknown: "Signed off; looking for changes…",
};
const kinds: Record<ChangeKind, (count: number) => string> = {
  added: (count) => `Added: ${number(count)}`,
  edited: (count) => `Edited: ${number(count)}`,
  flagged: (count) => `Flagged: ${number(count)}`,
  reopened: (count) => `Set back: ${number(count)}`,
  approved: (count) => `Approved: ${number(count)}`,
};
const kindShort: Record<ChangeKind, string> = { added: "added", edited: "edited", flagged: "flagged", reopened: "set back to pending", approved: "approved" };
const decided: Record<ReviewStatus, (who: string, when: string) => string> = {
  approved: (who, when) => `Approved by ${who}, ${when}`,
  pending: (who, when) => `Set back to pending by ${who}, ${when}`,
  flagged: (who, when) => `Flagged by ${who}, ${when}`,
};
const changesTitle: Record<ApprovalStatus, string> = {
  approved: "Changes since the last sign-off",
  revision_requested: "Changes since the request for revision",
};

const en = {
  title: "Sign-off",
  titleOf: (grade: number) => `Sign-off: grade ${grade}`,
  lead: "Whether the questions of each grade are ready for exams",
  meaning:
    "A sign-off records that the grade is ready. It locks no question and holds up no exam. If a question changes afterwards, the seal breaks, and the page of the grade shows the change.",
  allGrades: "All grades",
  updated: "Updated",
  loading: "One moment…",
  loadingQuestions: "Reading the questions and their changes…",
  managersOnly: "Grades are signed off by managers and administrators.",
  noGrades: "No grade is yours to sign off. An administrator assigns them.",
  notYours: (grade: number) => `Grade ${grade} is not yours to sign off. An administrator assigns grades.`,
  noQuestions: "This grade has no questions.",
  keys: { all: "J and K move, Enter opens, S signs off the grade of the row, R asks for a revision.", named: "Enter opens." },
  grade: (grade: number) => `Grade ${grade}`,
  questions,
  counted,
  lastWork: (day: string) => `Last reviewed: ${day}`,
  noWork: "Nobody has reviewed here yet",
  idle: "nothing yet",
  reviewed: (reviewed: number, approved: number, flagged: number) =>
    `${number(reviewed)} reviewed: ${number(approved)} approved, ${number(flagged)} flagged`,
  nobodyAssigned: "No reviewer is assigned.",
  moreReviewers: (count: number) => `and ${plural(count, "other", "others")}`,
  seals,
  signedOff: (when: string, who: string) => (who === "" ? `Signed off ${when}` : `Signed off by ${who}, ${when}`),
  sentBack: (when: string, who: string) => (who === "" ? `Revision requested ${when}` : `Revision requested by ${who}, ${when}`),
  brokenBy: (breaks: string[]) => `Since then: ${breaks.join(", ")}`,
  edited: (count: number) => `${questions(count)} edited`,
  added: (count: number) => `${questions(count)} added`,
  removed: (count: number) => `${questions(count)} removed`,
  flaggedSince: (count: number) => `${questions(count)} flagged`,
  reopened: (count: number) => `${questions(count)} set back to pending`,
  standing: "The decision that stands",
  keptFigures: (approved: number, pending: number, flagged: number) => `At that moment: ${figures(approved, pending, flagged)}.`,
  alsoDecided: (who: string, status: ApprovalStatus, when: string) =>
    status === "approved" ? `Before that, ${who} signed off, ${when}` : `Before that, ${who} asked for a revision, ${when}`,
  flagsTitle: (count: number) => plural(count, "flagged question", "flagged questions"),
  noNote: "Without a note.",
  pendingTitle: (count: number) => plural(count, "pending question", "pending questions"),
  toPending: "Review what is pending",
  changesTitle,
  allEdits: "All edits so far",
  noEdits: "No question has been edited.",
  noChanges: "Nothing has changed.",
  addedUnnamed: (count: number) => `The grade has ${more(count)} than at that moment.`,
  removedUnnamed: (count: number) => `The grade has ${fewer(count)} than at that moment.`,
  showOnly: "Show only",
  kinds,
  kindShort,
  gone: "No longer in the bank",
  addedBy: (who: string, when: string) => `Written by ${who}, ${when}`,
  asStudents: "The question as students see it",
  editedBy: (who: string, when: string) => `Edited by ${who}, ${when}`,
  decided,
  showMore: (count: number) => `Show more (${number(count)} left)`,
  fields: {
    Topic: "Topic",
    Subtopic: "Subtopic",
    Difficulty: "Difficulty",
    Grade: "Grade",
    Question: "Question",
    "Option A": "Option A",
    "Option B": "Option B",
    "Option C": "Option C",
    "Option D": "Option D",
    Answer: "Right answer",
    Explanation: "Explanation",
    Image: "Picture",
    "Image description": "What the picture shows",
    ...{ Source: "Source", Type: "Type of question", "Fixed options": "Options keep this order" },
    ...{ Tolerance: "Tolerance", Unit: "Unit", Forms: "Ways of writing that count", Language: "How digits are read" },
  },
  values: {
    Type: { "multiple-choice": "multiple choice", number: "a number" },
    Forms: { decimal: "decimal", fraction: "fraction", mixed: "mixed number" },
    Language: { en: "as in English", vi: "as in Vietnamese" },
    "Fixed options": { yes: "yes", no: "no" },
  },
  before: "Before",
  after: "After",
  empty: "(nothing)",
  reviewers: "Reviewers",
  reviewer: "Reviewer",
  reviewedHead: "Reviewed",
  approvedHead: "Approved",
  flaggedHead: "Flagged",
  lastHead: "Last day",
  notAssigned: "not assigned any more",
  signOff: "Sign off",
  signOffNow: "Sign off as it is now",
  signOffGrade: (grade: number) => `Sign off grade ${grade}`,
  sendBack: "Ask for a revision",
  sendBackNow: "Ask for a revision of it as it is now",
  sendBackGrade: (grade: number) => `Ask for a revision of grade ${grade}`,
  covers: ({ approved, pending, flagged }: Figures, changed: string) =>
    `This covers ${questions(approved + pending + flagged)}: ${figures(approved, pending, flagged)}${changed === "" ? "" : `; ${changed}`}.`,
  changedSince: (count: number, since: string) => `${number(count)} changed since ${since}`,
  sinceWhat: { own: "your last sign-off", other: "the last sign-off", revision: "the request for revision" },
  warnFlagged: (count: number) =>
    `${plural(count, "question is", "questions are")} flagged: a reviewer says that something is wrong with ${count === 1 ? "it" : "them"}.`,
  warnPending: (count: number) => `${plural(count, "question is", "questions are")} pending: no reviewer has decided on ${count === 1 ? "it" : "them"}.`,
  comment: "Comment (may be empty)",
  whatToRevise: "What is to be revised",
  cancel: "Cancel",
  tryAgain: "Try again",
  differs: (grade: number) => `Grade ${grade} has changed while this was open. Nothing has been sent.`,
  itSaid: (covers: string) => `Before: ${covers}`,
  isSignedOff: (grade: number, { approved, pending, flagged }: Figures) => `Grade ${grade} is signed off: ${figures(approved, pending, flagged)}.`,
  isSentBack: (grade: number) => `A revision of grade ${grade} is requested.`,
  otherFigures: (grade: number, { approved, pending, flagged }: Figures) =>
    `Grade ${grade} changed at the very moment of your decision, which now covers ${figures(approved, pending, flagged)}. Look at what has changed.`,
};

export default en;
export type SignTexts = typeof en;
